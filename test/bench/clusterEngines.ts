/** Measures the cost of sessions and operations for the engines: rows, bytes, transactions and messages. */
import { setTimeout as wait } from 'node:timers/promises';
import type { ServedPages } from '../support/servePages.ts';
import { type NodeCluster, startNodes } from '../support/startNodes.ts';

const IDLE_SECONDS = 5;
const SESSIONS = 150;

interface Counters {
  readonly commits: number;
  readonly walBytes: number;
  readonly messages: number;
  readonly messageBytes: number;
}

/** Prints what an idle cluster costs each second, what an operation costs, and the size of a row of each table. */
export async function measureEngines(pages: ServedPages): Promise<void> {
  await using cluster = await startNodes({ cuttable: false, natsMonitor: true });
  const read = () => readCounters(cluster);
  const print = (what: string, { commits, walBytes, messages, messageBytes }: Counters): void =>
    console.log(
      `  ${what}: ${commits.toFixed(1)} transactions, ${walBytes.toFixed(0)} bytes of WAL, ${messages.toFixed(1)} messages, ${messageBytes.toFixed(0)} bytes of messages`,
    );
  const before = await read();
  await wait(IDLE_SECONDS * 1_000);
  const idle = difference(await read(), before, IDLE_SECONDS);
  print(`${cluster.nodes.length} idle nodes, each second`, idle);

  const measure = async (what: string, count: number, work: () => Promise<void>): Promise<void> => {
    const startedAt = performance.now();
    const start = await read();
    await work();
    const seconds = (performance.now() - startedAt) / 1_000;
    const all = difference(await read(), start, 1);
    print(what, {
      commits: (all.commits - idle.commits * seconds) / count,
      walBytes: (all.walBytes - idle.walBytes * seconds) / count,
      messages: (all.messages - idle.messages * seconds) / count,
      messageBytes: (all.messageBytes - idle.messageBytes * seconds) / count,
    });
  };
  const session_id = await cluster.nodes[0].startSession();
  const [owner, other] = await cluster.ownerOf(session_id);
  const observe = (node: typeof owner, more: object = {}) =>
    node.post('/env/observe', { session_id, url: `${pages.url}/`, ...more });
  await observe(owner);
  const repeat = async (count: number, work: (n: number) => Promise<unknown>): Promise<void> => {
    for (let n = 0; n < count; n++) await work(n);
  };
  await measure('observe at the own node', 100, () => repeat(100, () => observe(owner)));
  await measure('observe through another node', 100, () => repeat(100, () => observe(other)));
  await measure('observe with an idempotency key', 100, () =>
    repeat(100, n => observe(other, { idempotency_key: `key ${n}` })),
  );
  await other.post('/session/close', { session_id });
  await measure('start and close', SESSIONS, () =>
    repeat(SESSIONS, async n => {
      const id = await (cluster.nodes[n % 3] ?? owner).startSession();
      await other.post('/session/close', { session_id: id });
    }),
  );
  await cluster.database.query('analyze');
  const { rows } = await cluster.database.query(
    `select relname as name, n_live_tup::float as rows, pg_table_size(relid)::float as heap, pg_indexes_size(relid)::float as indexes
     from pg_stat_user_tables where n_live_tup > 20 order by relname`,
  );
  for (const { name, rows: count, heap, indexes } of rows)
    console.log(
      `  table ${name}: ${count} rows, ${((heap + indexes) / count).toFixed(0)} bytes each (${(indexes / count).toFixed(0)} of them in indexes)`,
    );
}

async function readCounters({ database, nats }: NodeCluster): Promise<Counters> {
  // PostgreSQL reports the transactions of a connection when it has been idle for a second.
  await wait(1_200);
  const { rows } = await database.query(
    `select (select xact_commit::float from pg_stat_database where datname = current_database()) as commits,
            (pg_current_wal_insert_lsn() - '0/0')::float as wal`,
  );
  const { in_msgs, out_msgs, in_bytes, out_bytes } = (await (
    await fetch(`${nats.monitorUrl}/varz`)
  ).json()) as Record<string, number>;
  return {
    commits: rows[0].commits,
    walBytes: rows[0].wal,
    messages: (in_msgs ?? 0) + (out_msgs ?? 0),
    messageBytes: (in_bytes ?? 0) + (out_bytes ?? 0),
  };
}

const difference = (after: Counters, before: Counters, divisor: number): Counters => ({
  commits: (after.commits - before.commits) / divisor,
  walBytes: (after.walBytes - before.walBytes) / divisor,
  messages: (after.messages - before.messages) / divisor,
  messageBytes: (after.messageBytes - before.messageBytes) / divisor,
});
