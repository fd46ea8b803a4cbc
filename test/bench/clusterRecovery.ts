/** Times of recovery of a cluster, from the failure to the moment at which a caller sees the effect. */
import { setTimeout as wait } from 'node:timers/promises';
import { crashPostgres, suspendPostgres } from '../support/postgresProcesses.ts';
import type { ServedPages } from '../support/servePages.ts';
import { type NodeCluster, startNodes } from '../support/startNodes.ts';
import { overSocket } from '../support/subscribe.ts';

const POLL_MS = 10;
const ROUNDS = 3;
/** Fewer, because a round takes as long as the silence. */
const SILENT_ROUNDS = 2;
/** Longer than a lease, and than the time after which a connection to NATS is given up. */
const SILENT_MS = 7_000;
const MAX_RECOVERY_MS = 60_000;

/** Kills, suspends and cuts; prints the times. */
export async function measureRecovery(pages: ServedPages): Promise<void> {
  await using cluster = await startNodes({ cuttable: false, keepCommits: true });
  const print = (what: string, times: readonly number[]): void =>
    console.log(`  ${what}: ${times.map(time => `${(time / 1_000).toFixed(2)} s`).join(', ')}`);
  const repeat = async (what: string, measure: () => Promise<number>, rounds = ROUNDS): Promise<void> => {
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) times.push(await measure());
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
  /**
   * Milliseconds until an operation through another node works: of the same session, or of a new one if that has ended, as it does when
   * the database is away for longer than a lease.
   */
  const untilItWorks = async (fail: () => Promise<void>): Promise<number> => {
    let session_id = await cluster.nodes[0].startSession();
    const [, other] = await cluster.ownerOf(session_id);
    const observe = () => other.post('/env/observe', { session_id, url: `${pages.url}/` });
    await observe();
    await fail();
    const startedAt = performance.now();
    await until(async () => {
      const { status } = await observe();
      if (status === 410 || status === 404)
        session_id = (await other.post('/session/start', {})).body?.session_id ?? session_id;
      return status === 200;
    });
    const time = performance.now() - startedAt;
    await other.post('/session/close', { session_id });
    await until(async () => (await readyNodes(cluster)) === cluster.nodes.length);
    return time;
  };
  const works = 'until an operation through another node works';
  await repeat(`PostgreSQL crashed (it restarts itself), ${works}`, () =>
    untilItWorks(() => crashPostgres(cluster.database)),
  );
  await repeat(`nats-server killed and started again, ${works}`, () =>
    untilItWorks(() => cluster.nats.restart()),
  );
  await repeat(
    `PostgreSQL silent for ${SILENT_MS / 1_000} s, ${works} after it`,
    () =>
      untilItWorks(async () => {
        const goOn = await suspendPostgres(cluster.database);
        await wait(SILENT_MS);
        goOn();
      }),
    SILENT_ROUNDS,
  );
  await repeat(
    `nats-server silent for ${SILENT_MS / 1_000} s, ${works} after it`,
    () =>
      untilItWorks(async () => {
        cluster.nats.suspend();
        await wait(SILENT_MS);
        cluster.nats.continue();
      }),
    SILENT_ROUNDS,
  );
}

async function readyNodes(cluster: NodeCluster): Promise<number> {
  const texts = await Promise.all(cluster.nodes.map(node => node.ready()));
  return texts.filter(text => text === '200 ready').length;
}

async function watchedSession(cluster: NodeCluster) {
  const id = await cluster.nodes[0].startSession();
  const [owner, other] = await cluster.ownerOf(id);
  const query = 'subscription ($id: ID!) { sessionStatusChanged(sessionId: $id) { status } }';
  const results = overSocket({ url: other.url, key: cluster.key }, query, { id });
  await results.next();
  return { owner, ended: results.next() };
}

/** @throws Error if it takes longer than a minute */
async function until(isDone: () => Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + MAX_RECOVERY_MS;
  while (!(await isDone())) {
    if (performance.now() > giveUpAt) throw new Error('The cluster did not recover within a minute.');
    await wait(POLL_MS);
  }
}
