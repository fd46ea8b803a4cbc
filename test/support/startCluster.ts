/** A cluster within one process: nodes without HTTP, on fake browsers, one store in memory and messages in memory. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEgressAllow } from '../../src/browser/egress/egressRules.ts';
import { memoryBus } from '../../src/bus/memoryBus.ts';
import { TIER_LIMITS, type TierTable, type Viewer } from '../../src/domain/account/account.ts';
import { PRICES } from '../../src/domain/account/ledger.ts';
import type { Clock } from '../../src/domain/ports/clock.ts';
import type { EventBus } from '../../src/domain/ports/eventBus.ts';
import type { IdempotencyStore } from '../../src/domain/ports/nodes.ts';
import type { SessionFileStore } from '../../src/domain/ports/sessionFileStore.ts';
import type { SessionStore } from '../../src/domain/ports/sessionStore.ts';
import { createApiKeyAuthenticator } from '../../src/service/accounts/apiKeys.ts';
import { NodeAuthority } from '../../src/service/cluster/nodeAuthority.ts';
import { announce } from '../../src/service/cluster/nodeMethods.ts';
import { createService, type Service } from '../../src/service/createService.ts';
import { systemClock } from '../../src/service/systemClock.ts';
import { AccountFileBytes } from '../../src/store/files/accountFileBytes.ts';
import { folderFileStore } from '../../src/store/files/folderFileStore.ts';
import { folderRecordStore } from '../../src/store/files/folderRecordStore.ts';
import { openSqliteRateLimiter } from '../../src/store/rateLimiter.ts';
import type { Store } from '../../src/store/store.ts';
import { createWalletVerifier } from '../../src/wallet/walletVerifier.ts';
import { FakeBrowserHost } from './fakeBrowserHost.ts';
import { memoryClusterStore } from './memoryClusterStore.ts';
import { type MemoryMessenger, MemoryNetwork } from './memoryMessenger.ts';
import { openMemoryStore } from './migratedStore.ts';
import { addAccount } from './startService.ts';

export interface StartClusterOptions {
  /** Maximum number of sessions of each node, by its index. Default: 10 for each of two nodes. */
  readonly capacities?: readonly number[];
  readonly tiers?: TierTable;
  readonly clock?: Clock;
  readonly placementTimeoutMs?: number;
  readonly operationTimeoutMs?: number;
}

/** A node of the cluster. */
export interface TestNode {
  readonly nodeId: string;
  readonly service: Service;
  readonly browsers: FakeBrowserHost;
  readonly messenger: MemoryMessenger;
  readonly authority: NodeAuthority;
  /** The keys of all nodes, as this one reaches them. */
  readonly idempotencyKeys: IdempotencyStore;
  readonly warnings: string[];
  /** Number of times that an announcement asked the node to drain. */
  drainRequests: number;
  /** Cuts the node off from the database, and from the other nodes. */
  isolate(): void;
}

export interface TestCluster extends AsyncDisposable {
  readonly nodes: readonly TestNode[];
  readonly store: Store;
  /** The stores of sessions through which the nodes write. */
  readonly stores: readonly SessionStore[];
  /** The files of each node. */
  readonly files: readonly SessionFileStore[];
  readonly bus: EventBus;
  /** Names of the nodes that cannot reach the database. */
  readonly cutOff: Set<string>;
  readonly viewer: Viewer;
  readonly key: string;
}

/** Starts a cluster of two or more nodes. */
export async function startCluster(options: StartClusterOptions = {}): Promise<TestCluster> {
  const { capacities = [10, 10], clock = systemClock, tiers = TIER_LIMITS } = options;
  const folder = await mkdtemp(join(tmpdir(), 'pagespace-cluster-'));
  const store = await openMemoryStore();
  const limiter = openSqliteRateLimiter(':memory:');
  const network = new MemoryNetwork();
  const bus = memoryBus();
  const database = memoryClusterStore(store, clock);
  const stores: SessionStore[] = [];
  const files: SessionFileStore[] = [];

  async function startNode(capacity: number, index: number): Promise<TestNode> {
    const nodeId = `node-${index + 1}`;
    const authority = new NodeAuthority(clock);
    const messenger = network.messenger();
    const warnings: string[] = [];
    const { sessions, accounts, ledger, wallets, profiles, vault, auditLog, shareLinks, ...engines } =
      database.nodeStore(nodeId, () => authority.current);
    const browsers = new FakeBrowserHost({
      capacity,
      maxWaiting: 0,
      waitTimeoutMs: 0,
      egressAllow: parseEgressAllow('127.0.0.0/8').rules,
      now: () => clock.now(),
    });
    const nodeFiles = folderFileStore(join(folder, nodeId), { sessionBytes: 1_000_000 });
    const nodeRecords = folderRecordStore(join(folder, `${nodeId}-records`), {
      sessionBytes: 1_000_000,
      accountBytes: new AccountFileBytes({ maxBytes: null, retentionDays: null }),
    });
    stores.push(sessions);
    files.push(nodeFiles);
    const { idempotencyKeys } = engines;
    const node = { nodeId, browsers, messenger, authority, idempotencyKeys, warnings, drainRequests: 0 };
    const service = await createService({
      operator: {
        version: '1.0.0',
        readings: () => Promise.reject(new Error('The nodes of these tests measure nothing.')),
        onDrainRequested() {},
      },
      store: sessions,
      accounts,
      ledger,
      wallets,
      profiles,
      vault,
      auditLog,
      shareLinks,
      secretsKeys: [Buffer.alloc(32, 7)],
      files: nodeFiles,
      records: nodeRecords,
      record: 'off',
      pageLog: true,
      recordRetentionDays: null,
      bus,
      browsers,
      clock,
      authenticator: createApiKeyAuthenticator(accounts, clock, ({ id: keyId, hash }) =>
        announce(messenger, 'keyRevoked', { keyId, hash }),
      ),
      limiter,
      tiers,
      walletVerifier: createWalletVerifier(null),
      walletChainId: 1,
      prices: PRICES,
      globalTimeoutMinutes: 30,
      maxLifetimeMinutes: null,
      retentionDays: null,
      operationTimeoutMs: options.operationTimeoutMs ?? 20_000,
      onAccountChange: accountId => announce(messenger, 'accountChanged', { accountId }),
      warn: (message, error) => warnings.push(error === undefined ? message : `${message}: ${String(error)}`),
      cluster: {
        ...engines,
        messenger,
        authority,
        nodeId,
        version: '1.0.0',
        capacity,
        placementTimeoutMs: options.placementTimeoutMs ?? 300,
        disconnectStore() {},
        onDrainRequested: () => {
          node.drainRequests += 1;
        },
      },
    });
    return Object.assign(node, {
      service,
      isolate() {
        database.cutOff.add(nodeId);
        messenger.disconnect();
      },
    });
  }

  const nodes: TestNode[] = [];
  for (const [index, capacity] of capacities.entries()) nodes.push(await startNode(capacity, index));
  const own = await addAccount(store, clock, 'test');
  return {
    nodes,
    store,
    stores,
    files,
    bus,
    cutOff: database.cutOff,
    viewer: own.viewer,
    key: own.key,
    async [Symbol.asyncDispose]() {
      await Promise.all(nodes.map(node => node.service.shutDown()));
      await store.close();
      limiter.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
