/**
 * Works on a cluster of three real processes while its nodes are killed, suspended and cut off and its engines crash or hang, one after another. Every operation has an
 * idempotency key, and is repeated on other nodes: after a failure that allows it, and sometimes after a success. At the end it
 * compares what the callers know with the database. Real Chromium, PostgreSQL and nats-server.
 *
 *   npm run soak:cluster                          5,000 operations
 *   npm run soak:cluster -- --operations 500 --suspend-seconds 8 --callers 4
 */
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { ApiResponse } from '../support/callApi.ts';
import { type ClusterNode, NodeEndedByItself } from '../support/clusterNode.ts';
import { crashPostgres, suspendPostgres } from '../support/postgresProcesses.ts';
import { servePages } from '../support/servePages.ts';
import { type NodeCluster, startNodes } from '../support/startNodes.ts';
import { preparePostgres } from '../support/startPostgres.ts';
import { type AcknowledgedOperation, clusterFaults } from './clusterFaults.ts';

const { values } = parseArgs({
  options: {
    operations: { type: 'string', default: '5000' },
    callers: { type: 'string', default: '6' },
    'suspend-seconds': { type: 'string', default: '30' },
  },
});
const OPERATIONS = Number(values.operations);
const CALLERS = Number(values.callers);
const SUSPEND_MS = Number(values['suspend-seconds']) * 1_000;
const OPERATIONS_PER_SESSION = 12;
/** Share of the successful operations that are repeated on another node. */
const REPEATED = 0.25;
const MAX_ATTEMPTS = 40;
const RETRY_MS = 500;
const CUT_MS = 6_000;
const PAUSE_MS = 4_000;
const MAX_STARTS = 5;
/** Failures after which the same request may be sent again. Others are answers. */
const RETRIED: ReadonlySet<string> = new Set([
  'DEPENDENCY_UNAVAILABLE',
  'SHUTTING_DOWN',
  'AT_CAPACITY',
  'BROWSER_CRASHED',
]);

const count = new Map<string, number>();
const add = (name: string): void => void count.set(name, (count.get(name) ?? 0) + 1);
const acknowledged: AcknowledgedOperation[] = [];
const faults: string[] = [];
let keys = 0;

const stopPostgres = preparePostgres();
const startedAt = performance.now();
try {
  await using pages = await servePages({ '/': '<title>A page</title><a href="/">Again</a>' });
  const cluster = await startNodes({
    keepCommits: true,
    env: { PAGESPACE_CAPACITY: '8', LOG_LEVEL: 'error' },
  });
  try {
    const done = new AbortController();
    const harm = harmNodes(cluster, done.signal);
    const report = setInterval(
      () => console.log(`${seconds()} s: ${acknowledged.length} operations`),
      20_000,
    );
    await Promise.all(Array.from({ length: CALLERS }, () => caller(cluster, `${pages.url}/`)));
    clearInterval(report);
    done.abort();
    await harm;
    for (const node of cluster.nodes) await restore(node);
    while ((await Promise.all(cluster.nodes.map(node => node.ready()))).some(text => text !== '200 ready'))
      await wait(100);
    faults.push(...(await clusterFaults(cluster, acknowledged)));
  } finally {
    try {
      await cluster[Symbol.asyncDispose]();
    } catch (error) {
      faults.push(String(error));
    }
  }
} finally {
  stopPostgres();
}
console.log(`\n${acknowledged.length} acknowledged operations in ${seconds()} s, ${faults.length} faults`);
for (const [name, times] of [...count].sort()) console.log(`  ${name}: ${times}`);
for (const fault of faults) console.log(fault);
process.exitCode = faults.length === 0 ? 0 : 1;

function seconds(): string {
  return ((performance.now() - startedAt) / 1_000).toFixed(0);
}

/** Harms one node after another until the signal aborts. */
async function harmNodes(cluster: NodeCluster, signal: AbortSignal): Promise<void> {
  const harms: readonly (readonly [string, (node: ClusterNode) => Promise<void>])[] = [
    ['kill -9', async node => node.kill()],
    [
      `SIGSTOP for ${SUSPEND_MS / 1_000} s`,
      async node => {
        node.suspend();
        await wait(SUSPEND_MS);
      },
    ],
    [
      'cut from PostgreSQL',
      async node => {
        node.database.cut();
        await wait(CUT_MS);
      },
    ],
    [
      'cut from NATS',
      async node => {
        node.bus.cut();
        await wait(CUT_MS);
      },
    ],
    ['nats-server restarted', async () => cluster.nats.restart()],
    ['PostgreSQL crashed', () => crashPostgres(cluster.database)],
    [
      'nats-server silent',
      async () => {
        cluster.nats.suspend();
        await wait(CUT_MS);
        cluster.nats.continue();
      },
    ],
    [
      'PostgreSQL silent',
      async () => {
        const goOn = await suspendPostgres(cluster.database);
        await wait(CUT_MS);
        goOn();
      },
    ],
  ];
  for (let round = 0; !signal.aborted; round++) {
    const [name, harm] = harms[round % harms.length] ?? ['', async () => undefined];
    const node = cluster.nodes[Math.floor(Math.random() * cluster.nodes.length)] ?? cluster.nodes[0];
    add(`harm: ${name}`);
    await harm(node).catch(error => faults.push(`${name}: ${error}`));
    await restore(node);
    await wait(PAUSE_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** A node that does not start, because an engine is away, is started again, as a supervisor does. */
async function restore(node: ClusterNode): Promise<void> {
  for (let attempt = 1; ; attempt++)
    try {
      return await node.restore();
    } catch (error) {
      if (error instanceof NodeEndedByItself) return void faults.push(error.message);
      if (attempt === MAX_STARTS) throw error;
      add('a start repeated');
      console.log(String(error));
    }
}

/** Sends one operation until it is answered. @returns null when it is not answered */
async function operate(cluster: NodeCluster, path: string, body: object): Promise<ApiResponse | null> {
  const request = { ...body, idempotency_key: `key ${++keys}` };
  const some = (): ClusterNode =>
    cluster.nodes[Math.floor(Math.random() * cluster.nodes.length)] ?? cluster.nodes[0];
  const send = async (): Promise<ApiResponse | null> => {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      // A suspended node accepts connections and does not respond.
      const response = await Promise.race([
        some()
          .post(path, request)
          .catch(() => null),
        wait(10_000, null),
      ]);
      if (response !== null && !RETRIED.has(response.body?.code)) return response;
      add(`repeated after ${response?.body?.code ?? 'no response'}`);
      await wait(RETRY_MS);
    }
    return null;
  };
  const response = await send();
  add(response === null ? 'given up' : `answered ${response.body?.code ?? response.status}`);
  if (response?.status !== 200 || Math.random() > REPEATED) return response;
  const again = await send();
  add('repeated after a success');
  const same = ['session_id', 'observation_id'].every(name => again?.body?.[name] === response.body[name]);
  if (again?.status !== 200 || !same)
    faults.push(
      `${path} ${JSON.stringify(request)} was answered, and again with ${again?.text.slice(0, 300)}`,
    );
  return response;
}

async function caller(cluster: NodeCluster, page: string): Promise<void> {
  while (acknowledged.length < OPERATIONS) {
    const started = await operate(cluster, '/session/start', {});
    if (started?.status !== 200) continue;
    const sessionId: string = started.body.session_id;
    acknowledged.push({ sessionId, event: 'created', url: null });
    let isActive = true;
    for (let n = 0; isActive && n < OPERATIONS_PER_SESSION; n++) {
      const url = `${page}?${++keys}`;
      const observed = await operate(cluster, '/env/observe', { session_id: sessionId, url });
      if (observed?.status === 200) acknowledged.push({ sessionId, event: 'observed', url });
      else isActive = observed?.body?.code === 'OUTCOME_UNKNOWN';
    }
    if (!isActive) continue;
    const closed = await operate(cluster, '/session/close', { session_id: sessionId });
    if (closed?.status === 200) acknowledged.push({ sessionId, event: 'ended', url: null });
  }
}
