/**
 * Measures a cluster of real processes on this machine, with a PostgreSQL and a nats-server of its own. Prints the cost of an
 * operation through another node, the fan-out of an event, the times of recovery, the work of one to three nodes, and what
 * an operation costs the engines. The engines and the callers share the machine with the nodes. It takes less than five
 * minutes on a quiet machine.
 *
 *   npm run bench:cluster                      everything
 *   npm run bench:cluster -- hop fan-out       some: hop, fan-out, recovery, work, engines
 *   npm run bench:cluster -- fan-out --subscribers 1000
 */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import type { ClusterNode } from '../support/clusterNode.ts';
import { type ServedPages, servePages } from '../support/servePages.ts';
import { type NodeCluster, startNodes } from '../support/startNodes.ts';
import { preparePostgres } from '../support/startPostgres.ts';
import { measureEngines } from './clusterEngines.ts';
import { measureFanOut } from './clusterFanOut.ts';
import { measureRecovery } from './clusterRecovery.ts';
import { median, percentile } from './statistics.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { subscribers: { type: 'string', default: '5000' } },
});
const PAGE =
  '<!doctype html><title>Shop</title><h1>Shop</h1><label>Search <input></label>' +
  Array.from({ length: 20 }, (_, n) => `<a href="/?${n}">Item ${n}</a> `).join('');
const HOP_ROUNDS = 150;
const WORK_SECONDS = 6;
const CALLERS_PER_NODE = 4;

const stopPostgres = preparePostgres();
const ms = (value: number): string => `${value.toFixed(1)} ms`;
const load = (): string => `load ${loadavg()[0]?.toFixed(1)}`;

const SECTIONS = {
  hop: measureHop,
  'fan-out': () =>
    onCluster({ PAGESPACE_CONNECTIONS: 'all=none address=none' }, cluster =>
      measureFanOut(cluster, Number(values.subscribers)),
    ),
  recovery: measureRecovery,
  work: measureWork,
  engines: measureEngines,
} as const;

try {
  await using pages = await servePages({ '/': PAGE });
  for (const [name, measure] of Object.entries(SECTIONS)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    console.log(`\n${name} (${load()})`);
    const startedAt = performance.now();
    await measure(pages);
    console.log(`  (${((performance.now() - startedAt) / 1_000).toFixed(0)} s)`);
  }
} finally {
  stopPostgres();
}

async function onCluster(
  env: Readonly<Record<string, string>>,
  work: (cluster: NodeCluster) => Promise<void>,
): Promise<void> {
  await using cluster = await startNodes({ cuttable: false, env });
  await work(cluster);
}

async function timed(
  work: () => Promise<{ readonly status: number; readonly text: string }>,
): Promise<number> {
  const startedAt = performance.now();
  const { status, text } = await work();
  if (status !== 200) throw new Error(`An operation failed: ${text}`);
  return performance.now() - startedAt;
}

/** Alternates an operation of the session's own node with the same one through another node. */
async function measureHop(pages: ServedPages): Promise<void> {
  await using cluster = await startNodes({ cuttable: false });
  const id = await cluster.nodes[0].startSession();
  const [owner, other] = await cluster.ownerOf(id);
  await owner.post('/env/observe', { session_id: id, url: `${pages.url}/` });
  const operations: readonly (readonly [string, (node: ClusterNode) => Promise<number>])[] = [
    ['observe', node => timed(() => node.post('/env/observe', { session_id: id }))],
    ['read the session', node => timed(() => node.call('GET', `/session/${id}`))],
  ];
  for (const [name, run] of operations) {
    const local: number[] = [];
    const remote: number[] = [];
    for (let round = -20; round < HOP_ROUNDS; round++) {
      const [here, there] = [await run(owner), await run(other)];
      if (round < 0) continue;
      local.push(here);
      remote.push(there);
    }
    console.log(
      `  ${name}: own node ${ms(median(local))}, through another node ${ms(median(remote))}: ${ms(median(remote) - median(local))} more (p95 ${ms(percentile(local, 0.95))}, ${ms(percentile(remote, 0.95))}; ${HOP_ROUNDS} each)`,
    );
  }
}

/** Callers that work without a pause, each at any node. */
async function measureWork(pages: ServedPages): Promise<void> {
  for (const count of [1, 2, 3]) {
    await using cluster = await startNodes({ cuttable: false, count, env: { PAGESPACE_CAPACITY: '8' } });
    const callers = CALLERS_PER_NODE * count;
    const at = (n: number): ClusterNode => cluster.nodes[n % count] ?? cluster.nodes[0];
    const rate = async (work: (n: number) => Promise<void>): Promise<number> => {
      let done = 0;
      const startedAt = performance.now();
      const caller = async (n: number): Promise<void> => {
        while (performance.now() - startedAt < WORK_SECONDS * 1_000) {
          await work(n);
          done++;
        }
      };
      await Promise.all(Array.from({ length: callers }, (_, n) => caller(n)));
      return done / ((performance.now() - startedAt) / 1_000);
    };
    const sessions = await rate(async n => {
      const session_id = await at(n).startSession();
      await timed(() => at(n + 1).post('/session/close', { session_id }));
    });
    const ids = await Promise.all(Array.from({ length: callers }, (_, n) => at(n).startSession()));
    for (const session_id of ids) await at(0).post('/env/observe', { session_id, url: `${pages.url}/` });
    const operations = await rate(async n => {
      await timed(() => at(n + 1).post('/env/observe', { session_id: ids[n] ?? '' }));
    });
    console.log(
      `  ${count} ${count === 1 ? 'node' : 'nodes'}, ${callers} callers: ${sessions.toFixed(1)} sessions/s (start and close), ${operations.toFixed(0)} observes/s (${load()})`,
    );
  }
}
