/** Times of recovery of a cluster, from the failure to the moment at which a caller sees the effect. */
import { setTimeout as wait } from 'node:timers/promises';
import type { ServedPages } from '../support/servePages.ts';
import { type NodeCluster, startNodes } from '../support/startNodes.ts';
import { overSocket } from '../support/subscribe.ts';

const POLL_MS = 10;
const ROUNDS = 3;

/** Kills, suspends and cuts; prints the times. */
export async function measureRecovery(pages: ServedPages): Promise<void> {
  await using cluster = await startNodes({ cuttable: false });
  const print = (what: string, times: readonly number[]): void =>
    console.log(`  ${what}: ${times.map(time => `${(time / 1_000).toFixed(2)} s`).join(', ')}`);
  const repeat = async (what: string, measure: () => Promise<number>): Promise<void> => {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) times.push(await measure());
    print(what, times);
  };

  await repeat('kill -9 of the owner, until a subscriber at another node knows it', async () => {
    const { owner, ended } = await watchedSession(cluster);
    const startedAt = performance.now();
    await owner.kill();
    await ended;
    const time = performance.now() - startedAt;
    await owner.start();
    return time;
  });
  await repeat('SIGSTOP of the owner, until a subscriber at another node knows it', async () => {
    const { owner, ended } = await watchedSession(cluster);
    const startedAt = performance.now();
    owner.suspend();
    await ended;
    const time = performance.now() - startedAt;
    owner.resume();
    await until(async () => (await owner.ready()) === '200 ready');
    return time;
  });
  /** Milliseconds until an operation through another node works. */
  const untilItWorks = async (fail: () => Promise<void>): Promise<number> => {
    const session_id = await cluster.nodes[0].startSession();
    const [, other] = await cluster.ownerOf(session_id);
    const observe = () => other.post('/env/observe', { session_id, url: `${pages.url}/` });
    await observe();
    await fail();
    const startedAt = performance.now();
    await until(async () => (await observe()).status === 200);
    const time = performance.now() - startedAt;
    await other.post('/session/close', { session_id });
    return time;
  };
  await repeat('nats-server killed and started again, until an operation through another node works', () =>
    untilItWorks(() => cluster.nats.restart()),
  );
  await repeat('PostgreSQL crashed (it restarts itself), until an operation through another node works', () =>
    untilItWorks(async () => {
      const { rows } = await cluster.database.query(
        'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      );
      // PostgreSQL ends all connections and recovers when one of its processes is killed.
      process.kill(rows[0].pid, 'SIGKILL');
    }),
  );
}

async function watchedSession(cluster: NodeCluster) {
  const id = await cluster.nodes[0].startSession();
  const [owner, other] = await cluster.ownerOf(id);
  const query = 'subscription ($id: ID!) { sessionStatusChanged(sessionId: $id) { status } }';
  const results = overSocket({ url: other.url, key: cluster.key }, query, { id });
  await results.next();
  return { owner, ended: results.next() };
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  while (!(await isDone())) await wait(POLL_MS);
}
