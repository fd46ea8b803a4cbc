/** A cluster of real processes with real Chromium, a database of the private PostgreSQL and a nats-server of its own. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Pool } from 'pg';
import type { SessionStatus } from '../../src/domain/session/session.ts';
import { type ClusterStore, openPostgresStore } from '../../src/store/postgres/postgresStore.ts';
import { ClusterNode } from './clusterNode.ts';
import { cutConnection } from './cutConnection.ts';
import { postgresMissing } from './findPostgres.ts';
import { keepCommits } from './postgresProcesses.ts';
import { natsIsMissing, startNats, type TestNats } from './startNats.ts';
import { createTestDatabase } from './startPostgres.ts';

/** The reason why tests with a cluster are skipped, for the names of the tests; null if they run. */
export const enginesMissing: string | null = postgresMissing ?? natsIsMissing;

export interface StartNodesOptions {
  /** Number of nodes. Default: 3 */
  readonly count?: number;
  /** Environment variables of every node. */
  readonly env?: Readonly<Record<string, string>>;
  /** False: the nodes connect to the engines directly, so that nothing is measured beside them. Default: true */
  readonly cuttable?: boolean;
  /** True: commits survive a crash of PostgreSQL, which the settings for quick tests do not promise. */
  readonly keepCommits?: boolean;
  /** True: nats-server answers at `monitorUrl` how many messages it has passed on. */
  readonly natsMonitor?: boolean;
}

/** A running cluster. */
export interface NodeCluster extends AsyncDisposable {
  readonly nodes: readonly [ClusterNode, ClusterNode, ClusterNode, ...ClusterNode[]];
  /** The database of the nodes, opened by the test. */
  readonly store: ClusterStore;
  readonly database: Pool;
  readonly databaseUrl: string;
  readonly nats: TestNats;
  /** A key of the account `local`, with all scopes. */
  readonly key: string;
  /** Returns the node that runs a session, and the others. */
  ownerOf(sessionId: string): Promise<readonly [ClusterNode, ClusterNode, ...ClusterNode[]]>;
  /** The status of a session in the store; null for none. */
  status(sessionId: string): Promise<SessionStatus | null>;
  /** Describes each fault, while no operation runs: a session that is not active on exactly its node, a row of the ledger that does not agree. */
  faults(): Promise<string[]>;
}

/** Time for a cluster to start or to stop on a busy machine, in milliseconds; on a quiet one each takes about five seconds. */
export const CLUSTER_HOOK_TIMEOUT_MS = 180_000;

/** Time in which processes end that were killed, in milliseconds. */
const END_TIMEOUT_MS = 10_000;

/**
 * Starts the engines and the nodes. At its end, it stops the nodes.
 * @throws Error at the end, if a node has ended by itself, a browser or an active session is left or the ledger does not agree
 */
export async function startNodes(options: StartNodesOptions = {}): Promise<NodeCluster> {
  const { count = 3, env = {}, cuttable = true, natsMonitor = false } = options;
  await using resources = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'pagespace-nodes-'));
  resources.defer(() => rm(folder, { recursive: true, force: true }));
  const [{ url: databaseUrl, port }, nats] = await Promise.all([
    createTestDatabase(),
    startNats({ monitor: natsMonitor }),
  ]);
  resources.use(nats);
  const store = await openPostgresStore(databaseUrl);
  resources.defer(() => store.close());
  const database = new Pool({ connectionString: databaseUrl, max: 2 });
  // An outage of PostgreSQL ends idle connections. The next query opens another one.
  database.on('error', () => undefined);
  resources.defer(() => database.end());
  if (options.keepCommits === true) await keepCommits(database);

  const nodes: ClusterNode[] = [];
  for (let n = 1; n <= count; n++) {
    const connections = { database: await cutConnection(port), bus: await cutConnection(nats.port) };
    for (const connection of Object.values(connections)) resources.use(connection);
    const url = new URL(databaseUrl);
    if (cuttable) url.port = String(connections.database.port);
    const id = `n${n}`;
    nodes.push(
      new ClusterNode({
        id,
        dataDir: join(folder, id),
        ...connections,
        env: {
          DATABASE_URL: url.href,
          NATS_URL: cuttable ? `nats://127.0.0.1:${connections.bus.port}` : nats.url,
          ...env,
        },
      }),
    );
  }
  resources.defer(async () => {
    for (const node of nodes) {
      node.database.restore();
      node.bus.restore();
    }
    const ownEnds = nodes.flatMap(({ ownEnd }) => ownEnd?.message ?? []);
    const ends = await Promise.all(nodes.map(node => node.stop()));
    const left = await remains(nodes, database);
    const { findings } = await store.auditLedger();
    const faults = [
      ...ownEnds,
      ...left,
      ...findings.map(each => `the ledger does not agree: ${JSON.stringify(each)}`),
    ];
    if (faults.length > 0)
      throw new Error(`${faults.join('\n')}\n${ends.map(({ err }) => err.slice(-2_000)).join('\n')}`);
  });
  const starts = await Promise.allSettled(nodes.map(node => node.start()));
  let key = '';
  for (const each of starts) {
    if (each.status === 'rejected') throw each.reason;
    key = each.value ?? key;
  }
  for (const node of nodes) node.key = key;

  const running = resources.move();
  return {
    nodes: nodes as [ClusterNode, ClusterNode, ClusterNode],
    store,
    database,
    databaseUrl,
    nats,
    key,
    async ownerOf(sessionId) {
      const [epoch] = await store.sessions.owners([sessionId]);
      const owner = nodes.find(({ id }) => id === epoch?.nodeId);
      if (owner === undefined) throw new Error(`No node runs session ${sessionId}.`);
      return [owner, ...nodes.filter(node => node !== owner)] as [ClusterNode, ClusterNode];
    },
    async status(sessionId) {
      const { rows } = await database.query('select status from sessions where id = $1', [sessionId]);
      return rows[0]?.status ?? null;
    },
    faults: () => faultsOf(nodes, store),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function faultsOf(nodes: readonly ClusterNode[], store: ClusterStore): Promise<string[]> {
  const faults: string[] = [];
  const active = await store.sessions.activeSessions();
  const owners = await store.sessions.owners(active.map(({ id }) => id));
  for (const node of nodes) {
    const stored = owners.filter(owner => owner?.nodeId === node.id).length;
    const { active_sessions: running } = (await node.call('GET', '/health')).body;
    if (stored !== running) faults.push(`${node.id} runs ${running} sessions, and ${stored} are stored`);
  }
  const { findings } = await store.auditLedger();
  return [...faults, ...findings.map(finding => `the ledger does not agree: ${JSON.stringify(finding)}`)];
}

/** Returns what is left after all nodes have stopped. */
async function remains(nodes: readonly ClusterNode[], database: Pool): Promise<string[]> {
  const giveUpAt = performance.now() + END_TIMEOUT_MS;
  const left = (): string[] =>
    nodes.flatMap(node => node.browserGroups().map(group => `${node.id}: browser ${group} is left`));
  while (left().length > 0 && performance.now() < giveUpAt) await wait(50);
  const { rows } = await database.query(`select id from sessions where status = 'active'`);
  return [...left(), ...rows.map(({ id }) => `session ${id} is left active`)];
}
