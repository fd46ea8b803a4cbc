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
import { servePages } from '../support/servePages.ts';
import { type NodeCluster, startNodes } from '../support/startNodes.ts';
import { preparePostgres } from '../support/startPostgres.ts';
import { type AcknowledgedOperation, clusterFaults } from './clusterFaults.ts';
import { clusterHarms } from './clusterHarms.ts';
import { visitor } from './clusterVisitors.ts';

const { values } = parseArgs({
  options: {
    operations: { type: 'string', default: '5000' },
    callers: { type: 'string', default: '6' },
    visitors: { type: 'string', default: '2' },
    'suspend-seconds': { type: 'string', default: '30' },
  },
});
const OPERATIONS = Number(values.operations);
const CALLERS = Number(values.callers);
const VISITORS = Number(values.visitors);
const SUSPEND_MS = Number(values['suspend-seconds']) * 1_000;
const OPERATIONS_PER_SESSION = 12;
/** Share of the successful operations that are repeated on another node. */
const REPEATED = 0.25;
const MAX_ATTEMPTS = 40;
const RETRY_MS = 500;
const PAUSE_MS = 4_000;
const SLOW_MS = 3_000;
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
  await using pages = await servePages({
    '/': '<title>A page</title><a href="/">Again</a>',
    '/slow': (_request, response) => void setTimeout(() => response.end('<title>Late</title>'), SLOW_MS),
  });
  const cluster = await startNodes({
    keepCommits: true,
    env: { PAGESPACE_CAPACITY: '8', LOG_LEVEL: 'error' },
  });
  try {
    const done = new AbortController();
    const harm = harmNodes(cluster, done.signal);
    const nextPage = (speed: 'quick' | 'slow'): string =>
      `${pages.url}/${speed === 'slow' ? 'slow' : ''}?${++keys}`;
    const visitors = Array.from({ length: VISITORS }, () => visitor(cluster, nextPage, done.signal));
    const report = setInterval(
      () => console.log(`${seconds()} s: ${acknowledged.length} operations`),
      20_000,
    );
    await Promise.all(Array.from({ length: CALLERS }, () => caller(cluster, `${pages.url}/`)));
    clearInterval(report);
    done.abort();
    await Promise.all([harm, ...visitors]);
    for (const node of cluster.nodes) await restore(node);
    while ((await Promise.all(cluster.nodes.map(node => node.ready()))).some(text => text !== '200 ready'))
      await wait(100);
    // What the visitors have left under way ends with its session.
    for (const { id: session_id } of await cluster.store.sessions.activeSessions())
      await cluster.nodes[0].post('/session/close', { session_id });
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
  const harms = clusterHarms(cluster, SUSPEND_MS);
  for (let round = 0; !signal.aborted; round++) {
    const harm = harms[round % harms.length] ?? harms[0];
    const node = cluster.nodes[Math.floor(Math.random() * cluster.nodes.length)] ?? cluster.nodes[0];
    add(`harm: ${harm.name}`);
    await harm.run(node).catch(error => faults.push(`${harm.name}: ${error}`));
    for (const each of cluster.nodes) await restore(each);
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
