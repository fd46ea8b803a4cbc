import { setTimeout as delay } from 'node:timers/promises';
import { memoryBus } from '../bus/memoryBus.ts';
import type { Config } from '../config/config.ts';
import type { Account, KeyScope } from '../domain/account/account.ts';
import type { RateLimiter } from '../domain/account/rateLimit.ts';
import type { AccountStore } from '../domain/ports/accountStore.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { EventBus } from '../domain/ports/eventBus.ts';
import type { NodeEpoch, NodeMessenger } from '../domain/ports/nodes.ts';
import { issueApiKey } from '../service/accounts/apiKeys.ts';
import type { NodeAuthority } from '../service/cluster/nodeAuthority.ts';
import { systemClock } from '../service/systemClock.ts';
import type { DataFolder } from '../store/files/dataFolder.ts';
import type { ClusterStore } from '../store/postgres/postgresStore.ts';
import { openSqliteRateLimiter } from '../store/rateLimiter.ts';
import { openSqliteStore } from '../store/sqlite/sqliteStore.ts';
import type { Store } from '../store/store.ts';

export interface Engines {
  readonly store: Store;
  readonly limiter: RateLimiter;
  readonly bus: EventBus;
  /** The engines that only a cluster has; null on one machine. */
  readonly cluster: ClusterEngines | null;
}

export interface ClusterEngines {
  readonly nodeId: string;
  readonly store: ClusterStore;
  readonly messenger: NodeMessenger;
  readonly authority: NodeAuthority;
}

type EngineConfig = Pick<Config, 'databaseUrl' | 'natsUrl' | 'natsCredentials' | 'natsCa' | 'nodeId'>;

/** Adds the ends of the engines to `resources`. @throws StoreError, or Error with one line for NATS, within ten seconds */
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

/** @throws StoreError, or Error with one line for NATS, within ten seconds */
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

const LOCAL_ACCOUNT_NAME = 'local';
/** Fixed ids: of nodes that start together on an empty database, only one creates each (UUID version 8, RFC 9562). */
const LOCAL_ACCOUNT_ID = '6c6f6361-6c00-8000-8000-000000000001';
const FIRST_KEY_ID = '6c6f6361-6c00-8000-8000-000000000002';
const ALL_SCOPES: readonly KeyScope[] = ['read', 'operate', 'admin'];

/** Returns the local account, which belongs to the operator and has no limits; creates it if it is missing. */
export async function ensureLocalAccount(accounts: AccountStore, clock: Clock): Promise<Account> {
  const known = await accounts.findAccountByName(LOCAL_ACCOUNT_NAME);
  if (known !== null) return known;
  const account: Account = {
    id: LOCAL_ACCOUNT_ID,
    name: LOCAL_ACCOUNT_NAME,
    tier: 'local',
    createdAt: clock.now(),
  };
  try {
    await accounts.createAccount(account);
    return account;
  } catch (error) {
    const created = await accounts.findAccountByName(LOCAL_ACCOUNT_NAME);
    if (created !== null) return created;
    throw error;
  }
}

/** Creates the first API key of the local account and returns its text; null when the account has a key already, also one that another node creates now. */
export async function createFirstKey(accounts: AccountStore, clock: Clock): Promise<string | null> {
  const account = await ensureLocalAccount(accounts, clock);
  if ((await accounts.keys(account.id)).length > 0) return null;
  const options = { accountId: account.id, name: 'first key', scopes: ALL_SCOPES, expiresAt: null };
  try {
    return (await issueApiKey(accounts, { ...options, id: FIRST_KEY_ID }, clock.now())).text;
  } catch (error) {
    if ((await accounts.keys(account.id)).length > 0) return null;
    throw error;
  }
}

const FIRST_KEY_CLAIM = { accountId: LOCAL_ACCOUNT_NAME, key: 'first key', inputHash: 'first key' };

/** Maximum wait for a valid lease, in milliseconds: on a busy machine, the start of the browser can take longer than a lease is valid. */
const LEASE_WAIT_MS = 10_000;
const LEASE_CHECK_INTERVAL_MS = 50;

/** Returns the epoch of this node as soon as its lease is valid. @throws Failure DEPENDENCY_UNAVAILABLE */
async function validLease(authority: ClusterEngines['authority']): Promise<NodeEpoch> {
  const giveUpAt = performance.now() + LEASE_WAIT_MS;
  while (authority.current === null && performance.now() < giveUpAt) await delay(LEASE_CHECK_INTERVAL_MS);
  return authority.assert();
}

/** Like `createFirstKey`, for nodes of a cluster that start at the same time: one of them creates the key. */
export async function createFirstClusterKey(
  { store, authority }: ClusterEngines,
  clock: Clock,
): Promise<string | null> {
  const owner = await validLease(authority);
  const claim = await store.idempotency.claim(FIRST_KEY_CLAIM, owner);
  if (claim.type !== 'claimed') return null;
  try {
    return await createFirstKey(store.accounts, clock);
  } finally {
    await store.idempotency.release(FIRST_KEY_CLAIM, owner);
  }
}
