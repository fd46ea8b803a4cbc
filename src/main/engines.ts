/** The engines of the service: those of one machine, or PostgreSQL and NATS. */
import { memoryBus } from '../bus/memoryBus.ts';
import type { Config } from '../config/config.ts';
import type { RateLimiter } from '../domain/account/rateLimit.ts';
import type { EventBus } from '../domain/ports/eventBus.ts';
import type { NodeMessenger } from '../domain/ports/nodes.ts';
import type { NodeAuthority } from '../service/cluster/nodeAuthority.ts';
import { systemClock } from '../service/systemClock.ts';
import type { DataFolder } from '../store/files/dataFolder.ts';
import type { ClusterStore } from '../store/postgres/postgresStore.ts';
import { openSqliteRateLimiter } from '../store/rateLimiter.ts';
import { openSqliteStore } from '../store/sqlite/sqliteStore.ts';
import type { Store } from '../store/store.ts';

/** The store, the rate limiter and the event bus of the service. */
export interface Engines {
  readonly store: Store;
  readonly limiter: RateLimiter;
  readonly bus: EventBus;
  /** The engines that only a cluster has; null on one machine. */
  readonly cluster: ClusterEngines | null;
}

/** The engines that only a cluster has. */
export interface ClusterEngines {
  readonly nodeId: string;
  readonly store: ClusterStore;
  readonly messenger: NodeMessenger;
  readonly authority: NodeAuthority;
}

/** The settings that `openEngines` reads. */
type EngineConfig = Pick<Config, 'databaseUrl' | 'natsUrl' | 'natsCredentials' | 'natsCa' | 'nodeId'>;

/**
 * Opens the engines that the configuration names, and adds their ends to `resources`.
 * @throws StoreError, or Error with one line for NATS, within ten seconds
 */
export async function openEngines(
  config: EngineConfig,
  folder: DataFolder,
  resources: AsyncDisposableStack,
  warn: (message: string) => void,
): Promise<Engines> {
  const { databaseUrl, natsUrl, nodeId } = config;
  if (databaseUrl === null || natsUrl === null || nodeId === null) return openEmbedded(folder, resources);
  return openCluster({ ...config, databaseUrl, natsUrl, nodeId }, resources, warn);
}

async function openEmbedded(folder: DataFolder, resources: AsyncDisposableStack): Promise<Engines> {
  const store = await openSqliteStore(folder.databasePath);
  resources.defer(() => store.close());
  const limiter = openSqliteRateLimiter(folder.rateLimitsPath);
  resources.defer(() => limiter.close());
  return { store, limiter, bus: memoryBus(), cluster: null };
}

/**
 * Connects to PostgreSQL and NATS, and adds the ends of the connections to `resources`.
 * @throws StoreError, or Error with one line for NATS, within ten seconds
 */
async function openCluster(
  {
    databaseUrl,
    natsUrl,
    natsCredentials,
    natsCa,
    nodeId,
  }: EngineConfig & { readonly databaseUrl: string; readonly natsUrl: string; readonly nodeId: string },
  resources: AsyncDisposableStack,
  warn: (message: string) => void,
): Promise<Engines> {
  // Loaded only in a cluster: the clients of PostgreSQL and NATS take as long to load as the SQLite store.
  const [
    { natsBus },
    { connectNats },
    { natsMessenger },
    { ofDatabase },
    { NodeAuthority },
    { openPostgresStore },
  ] = await Promise.all([
    import('../bus/natsBus.ts'),
    import('../bus/natsConnection.ts'),
    import('../bus/natsMessenger.ts'),
    import('../bus/natsConnection.ts'),
    import('../service/cluster/nodeAuthority.ts'),
    import('../store/postgres/postgresStore.ts'),
  ]);
  const authority = new NodeAuthority(systemClock);
  const opening = [
    openPostgresStore(databaseUrl, { authority: () => authority.current }),
    connectNats({
      url: natsUrl,
      name: nodeId,
      ...(natsCredentials !== null && { credentialsFile: natsCredentials }),
      ...(natsCa !== null && { caFile: natsCa }),
      onWarning: warn,
    }),
  ] as const;
  // Both at once, so that the start fails within ten seconds. What was opened is closed again if the other one fails.
  const [opened, connected] = await Promise.allSettled(opening);
  if (opened.status === 'fulfilled') resources.defer(() => opened.value.close());
  if (connected.status === 'fulfilled') resources.defer(() => connected.value.close());
  const store = await opening[0];
  const connection = ofDatabase(await opening[1], store.databaseId, warn);
  const messenger = natsMessenger(connection);
  resources.defer(() => messenger.close());
  return {
    store,
    limiter: store.limiter,
    bus: natsBus({ connection, sessions: store.sessions, clock: systemClock }),
    cluster: { nodeId, store, messenger, authority },
  };
}
