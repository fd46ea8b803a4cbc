/**
 * Measures how long one caller delays another when the store is large. Fills a store with sessions, events and charges of one
 * account, starts the service on it in a process of its own, and lets that account send its costliest requests without a
 * pause. Prints the response times of another caller alone, beside them, and beside busy sessions of that account as well.
 *
 *   npm run bench:load -- [sessions] [events per session] [seconds per phase] [sqlite|postgres]
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { callApi } from '../support/callApi.ts';
import { createTestDatabase } from '../support/startPostgres.ts';
import { fillPostgres } from './fillPostgres.ts';
import { fillStore } from './fillStore.ts';

interface Ready {
  readonly url: string;
  /** Key of the account with the large store, and of the other caller. */
  readonly costlyKey: string;
  readonly otherKey: string;
}

/** The longest turn of the event loop. Other programs on the machine lengthen `wallMs`, but not `cpuMs`. */
interface LongestTurn {
  readonly wallMs: number;
  /** Processor time of the service's thread between two ticks. */
  readonly cpuMs: number;
}

const TICK_MS = 5;
/** By so much no caller delays another on a quiet machine: see SECURITY.md. */
const PROMISED_MS = 100;
/** Requests of the account with the large store that are in flight at once. */
const COSTLY_AT_ONCE = 8;
/** Sessions of that account that operate at once, and the number of operations of each before it closes. */
const BUSY_AT_ONCE = 16;
const OBSERVATIONS = 3;
const DAYS = 90;
const ALL = 'from: "2020-01-01T00:00:00.000Z", to: "2030-01-01T00:00:00.000Z"';
const graphql = (query: string) => ({ method: 'POST', path: '/graphql', body: { query } });
const COSTLY = [
  graphql('{ sessions(first: 100, search: "no such page") { totalCount edges { node { id } } } }'),
  graphql('{ sessions(last: 100, status: [ERROR]) { totalCount edges { node { id } } } }'),
  graphql(
    '{ sessions(first: 100) { totalCount edges { node { id url eventCounts { observed } usage { priceMicros } } } } }',
  ),
  graphql(
    `{ viewer { account { usage(${ALL}, by: SESSION) { total { priceMicros } groups { name usage { priceMicros } } } } } }`,
  ),
  graphql(`{ viewer { account { usage(${ALL}, by: HOUR) { groups { name usage { priceMicros } } } } } }`),
  graphql('{ viewer { account { ledger(first: 100) { edges { node { amountMicros } } } } } }'),
  { method: 'GET', path: '/account/ledger.csv?from=2029-01-01T00:00:00.000Z' },
];

const isPostgres = (place: string): boolean => place.startsWith('postgres://');

if (process.argv[2] === 'serve') await serve(process.argv[3] ?? '');
else
  await measure(
    Number(process.argv[2] ?? 100_000),
    Number(process.argv[3] ?? 10),
    Number(process.argv[4] ?? 10),
    process.argv[5] ?? 'sqlite',
  );

async function measure(
  sessions: number,
  eventsPerSession: number,
  seconds: number,
  engine: string,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'pagespace-load-'));
  try {
    const path = engine === 'postgres' ? (await createTestDatabase()).url : join(folder, 'store.sqlite');
    const fill = isPostgres(path) ? fillPostgres : fillStore;
    const filledIn = await fill(path, sessions, eventsPerSession, DAYS);
    console.log(
      `${sessions} sessions, ${sessions * eventsPerSession} events and as many charges; totals computed in ${Math.round(filledIn)} ms`,
    );
    const child = fork(fileURLToPath(import.meta.url), ['serve', path]);
    const [ready] = (await once(child, 'message')) as [Ready];
    try {
      await compare(ready, seconds, child);
    } finally {
      child.kill();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function compare(ready: Ready, seconds: number, child: ReturnType<typeof fork>): Promise<void> {
  for (const request of COSTLY) {
    const before = performance.now();
    const { status, body } = await callApi(ready.url, request.method, request.path, {
      key: ready.costlyKey,
      ...('body' in request && { body: request.body }),
    });
    const errors = body?.errors === undefined ? '' : ` ${JSON.stringify(body.errors)}`;
    const name = 'body' in request ? request.body.query : `${request.method} ${request.path}`;
    console.log(`${Math.round(performance.now() - before)} ms, ${status}: ${name.slice(0, 110)}${errors}`);
  }
  await longestTurn(child);
  const alone = await otherCaller(ready, seconds);
  const loopAlone = await longestTurn(child);
  const stop = new AbortController();
  const costly = Array.from({ length: COSTLY_AT_ONCE }, (_, n) => costlyCaller(ready, n, stop.signal));
  const beside = await otherCaller(ready, seconds);
  const loopBeside = await longestTurn(child);
  stop.abort();
  const counts = await Promise.all(costly);
  const stopBusy = new AbortController();
  const busy = [
    ...Array.from({ length: COSTLY_AT_ONCE }, (_, n) => costlyCaller(ready, n, stopBusy.signal)),
    ...Array.from({ length: BUSY_AT_ONCE }, () => busySession(ready, stopBusy.signal)),
  ];
  const besideBusy = await otherCaller(ready, seconds);
  const loopBesideBusy = await longestTurn(child);
  stopBusy.abort();
  const busyCounts = await Promise.all(busy);
  console.log(`the other caller alone:  ${describe(alone)}; ${loopAlone}`);
  console.log(`beside ${COSTLY_AT_ONCE} costly requests: ${describe(beside)}; ${loopBeside}`);
  console.log(`beside ${BUSY_AT_ONCE} busy sessions too: ${describe(besideBusy)}; ${loopBesideBusy}`);
  const delays = [beside, besideBusy].map(
    times => (times.at(-1) ?? Number.NaN) - (alone.at(-1) ?? Number.NaN),
  );
  console.log(
    `longest response beside them minus longest alone: ${delays.map(ms => ms.toFixed(1)).join(' and ')} ms (promised: at most ${PROMISED_MS})`,
  );
  const answered = [counts, busyCounts].map(each => each.reduce((sum, count) => sum + count, 0));
  console.log(`the costly caller got ${answered.join(' and ')} responses meanwhile`);
}

/** Sends the requests of an ordinary caller one after another. @returns their response times in milliseconds, sorted */
async function otherCaller({ url, otherKey: key }: Ready, seconds: number): Promise<readonly number[]> {
  const times: number[] = [];
  const timed = async (method: string, path: string, body?: unknown) => {
    const before = performance.now();
    const response = await callApi(url, method, path, { key, ...(body !== undefined && { body }) });
    times.push(performance.now() - before);
    if (response.status !== 200) throw new Error(response.text);
    return response;
  };
  for (const end = performance.now() + seconds * 1_000; performance.now() < end; ) {
    const { body } = await timed('POST', '/session/start', {});
    await timed('GET', `/session/${body.session_id}`);
    await timed('GET', '/sessions?limit=20');
    await timed('GET', '/sessions?search=nothing');
    await timed('GET', '/account/ledger.csv?from=2025-01-01T00:00:00.000Z');
    await timed('POST', '/session/close', { session_id: body.session_id });
  }
  return times.toSorted((a, b) => a - b);
}

/** Sends costly requests until the signal aborts. @returns the number of responses */
async function costlyCaller(
  { url, costlyKey: key }: Ready,
  first: number,
  signal: AbortSignal,
): Promise<number> {
  let count = 0;
  for (let n = first; !signal.aborted; n++) {
    const request = COSTLY[n % COSTLY.length];
    if (request === undefined) break;
    await callApi(url, request.method, request.path, {
      key,
      ...('body' in request && { body: request.body }),
    });
    count += 1;
  }
  return count;
}

/** Starts, observes and closes sessions of the account with the large store. @returns the number of responses */
async function busySession({ url, costlyKey: key }: Ready, signal: AbortSignal): Promise<number> {
  let count = 0;
  while (!signal.aborted) {
    const { body } = await callApi(url, 'POST', '/session/start', { key, body: {} });
    const session_id = body?.session_id;
    for (let n = 0; n < OBSERVATIONS; n++)
      await callApi(url, 'POST', '/env/observe', { key, body: { session_id } });
    await callApi(url, 'POST', '/session/close', { key, body: { session_id } });
    count += OBSERVATIONS + 2;
  }
  return count;
}

function describe(times: readonly number[]): string {
  const share = (part: number) => (times[Math.floor((times.length - 1) * part)] ?? Number.NaN).toFixed(1);
  return `${times.length} requests, p50 ${share(0.5)} ms, p95 ${share(0.95)} ms, max ${share(1)} ms`;
}

/** Returns the longest turn of the service's event loop since the last call, as text. */
async function longestTurn(child: ReturnType<typeof fork>): Promise<string> {
  child.send('longest turn');
  const [{ wallMs, cpuMs }] = (await once(child, 'message')) as [LongestTurn];
  return `longest turn of the event loop ${Math.round(wallMs)} ms, ${Math.round(cpuMs)} ms of processor`;
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

async function serve(path: string): Promise<void> {
  const { startTestProduct } = await import('../support/startServer.ts');
  const { openPostgresStore } = await import('../../src/store/postgres/postgresStore.ts');
  const { COSTLY_ACCOUNT } = await import('./fillStore.ts');
  const product = await startTestProduct({
    browser: 'fake',
    auditsLedger: false,
    ...(isPostgres(path) ? { store: await openPostgresStore(path) } : { path }),
  });
  const { store, key: otherKey } = product.started;
  const [account] = await store.accounts.accounts([COSTLY_ACCOUNT]);
  if (account == null) throw new Error('The store has no account');
  const costlyKey = await product.started.issueKey(account);
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  let longestCpuMs = 0;
  let before = threadCpuMs();
  setInterval(() => {
    const now = threadCpuMs();
    longestCpuMs = Math.max(longestCpuMs, now - before);
    before = now;
  }, TICK_MS);
  process.on('message', () => {
    process.send?.({ wallMs: delay.max / 1e6, cpuMs: longestCpuMs } satisfies LongestTurn);
    delay.reset();
    longestCpuMs = 0;
  });
  process.on('disconnect', () => process.exit());
  process.send?.({ url: product.url, costlyKey, otherKey } satisfies Ready);
}
