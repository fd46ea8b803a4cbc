import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EgressLookup } from '../../src/browser/egress/dialer.ts';
import { parseEgressAllow } from '../../src/browser/egress/egressRules.ts';
import type { ProtocolRateLimits } from '../../src/browser/limits/protocolRateLimiter.ts';
import { ChromiumHost } from '../../src/browser/pool/chromiumHost.ts';
import type { HealthCheckOptions } from '../../src/browser/pool/healthCheck.ts';
import type { ChromiumHostOptions } from '../../src/browser/pool/pooledContext.ts';
import type { OuterSandbox } from '../../src/browser/sandbox/outerSandbox.ts';
import { memoryBus } from '../../src/bus/memoryBus.ts';
import {
  type Account,
  TIER_LIMITS,
  type Tier,
  type TierTable,
  type Viewer,
} from '../../src/domain/account/account.ts';
import { PRICES, type Prices } from '../../src/domain/account/ledger.ts';
import type { BrowserHost } from '../../src/domain/ports/browserHost.ts';
import type { Clock } from '../../src/domain/ports/clock.ts';
import type { ServiceReadings } from '../../src/domain/ports/nodes.ts';
import type { SessionFileStore } from '../../src/domain/ports/sessionFileStore.ts';
import type { RecordMode } from '../../src/domain/session/session.ts';
import type { SessionLimits } from '../../src/domain/session/sessionLimits.ts';
import {
  type ApiKeyAuthenticator,
  createApiKeyAuthenticator,
  issueApiKey,
} from '../../src/service/accounts/apiKeys.ts';
import { createService, type Service } from '../../src/service/createService.ts';
import { systemClock } from '../../src/service/systemClock.ts';
import { AccountFileBytes } from '../../src/store/files/accountFileBytes.ts';
import { folderFileStore } from '../../src/store/files/folderFileStore.ts';
import { folderRecordStore } from '../../src/store/files/folderRecordStore.ts';
import { openSqliteRateLimiter } from '../../src/store/rateLimiter.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import type { Store } from '../../src/store/store.ts';
import { createServiceMetrics, type ServiceMetrics } from '../../src/telemetry/serviceMetrics.ts';
import { createWalletVerifier } from '../../src/wallet/walletVerifier.ts';
import { FakeBrowserHost } from './fakeBrowserHost.ts';
import { openMemoryStore } from './migratedStore.ts';
import { joinSharedChromiumHost } from './sharedChromiumHost.ts';
import { testChromium } from './testChromium.ts';

export const NO_SESSION_LIMITS: SessionLimits = {
  pages: null,
  requests: null,
  trafficBytes: null,
  memoryBytes: null,
  processorMs: null,
};

export interface StartServiceOptions {
  /** `fake` for tests that need no page scripts: it starts no process. Default: `chromium`. */
  readonly browser?: 'chromium' | 'fake';
  readonly clock?: Clock;
  /** Like PAGESPACE_EGRESS_ALLOW. Default: loopback. */
  readonly egressAllow?: string;
  /** Resolves the host names of pages. Default: the system's resolver. */
  readonly lookup?: EgressLookup;
  readonly capacity?: number;
  readonly maxWaiting?: number;
  readonly waitTimeoutMs?: number;
  readonly maxFileBytes?: number;
  /** Default: no limit. */
  readonly maxAccountFileBytes?: number;
  readonly maxRecordBytes?: number;
  /** Folder of the records. Default: a new one. */
  readonly recordsPath?: string;
  readonly record?: RecordMode;
  /** Default: true. */
  readonly pageLog?: boolean;
  readonly recordRetentionDays?: number | null;
  readonly limits?: SessionLimits;
  readonly limitCheckIntervalMs?: number;
  readonly protocolRateLimits?: ProtocolRateLimits;
  readonly processors?: number;
  readonly warmContexts?: number;
  readonly sessionsPerBrowser?: number;
  readonly isolateAccounts?: boolean;
  readonly hasSeveralAccounts?: boolean;
  /** Walls around each browser. Default: none. */
  readonly outerSandbox?: OuterSandbox | null;
  /** Folder of the browser process registry. Default: a new one. */
  readonly registryPath?: string;
  readonly healthCheck?: HealthCheckOptions;
  /** Default: that of the program. A busy machine may need much of it. */
  readonly navigationTimeoutMs?: number;
  /** Processor time of an endless script. Default: a second. */
  readonly scriptTimeoutMs?: number;
  /** Default: that of the program. */
  readonly operationTimeoutMs?: number;
  readonly globalTimeoutMinutes?: number;
  readonly maxLifetimeMinutes?: number;
  readonly retentionDays?: number;
  readonly tiers?: TierTable;
  readonly prices?: Prices;
  /** File of the store. Default: in memory. */
  readonly path?: string;
  /** False for a test that writes sessions or charges past the service. Default: the ledger is audited at the end. */
  readonly auditsLedger?: boolean;
  /** An open store; the service closes it. */
  readonly store?: Store;
}

/** The whole service without HTTP, on real Chromium and SQLite. */
export interface StartedService extends AsyncDisposable {
  readonly service: Service;
  readonly browsers: BrowserHost;
  readonly store: Store;
  /** Authenticates and revokes keys. */
  readonly authenticator: ApiKeyAuthenticator;
  readonly files: SessionFileStore;
  readonly metrics: ServiceMetrics;
  readonly clock: Clock;
  readonly account: Account;
  readonly viewer: Viewer;
  /** The text of a key of `account`. */
  readonly key: string;
  /** Issues another key with all scopes and returns its text. */
  issueKey(account: Account): Promise<string>;
  /** Warnings that the service logged. */
  readonly warnings: string[];
}

/** Creates another account with a key. */
export async function addAccount(
  store: Store,
  clock: Clock,
  name: string,
  tier: Tier = 'local',
): Promise<{ account: Account; viewer: Viewer; key: string }> {
  const account: Account = { id: randomUUID(), name, tier, createdAt: clock.now() };
  await store.accounts.createAccount(account);
  const newKey = {
    accountId: account.id,
    name: 'test',
    scopes: ['read', 'operate', 'admin'],
    expiresAt: null,
  } as const;
  const { key, text } = await issueApiKey(store.accounts, newKey, clock.now());
  return { account, key: text, viewer: { account, keyId: key.id, scopes: key.scopes } };
}

interface BrowserDeps {
  readonly folder: string;
  readonly files: SessionFileStore;
  readonly clock: Clock;
  readonly warn: (message: string, error?: unknown) => void;
}

async function startBrowsers(
  options: StartServiceOptions,
  { folder, files, clock, warn }: BrowserDeps,
): Promise<BrowserHost> {
  const now = () => clock.now();
  const egressAllow = parseEgressAllow(options.egressAllow ?? '127.0.0.0/8,localhost').rules;
  const capacity = {
    capacity: options.capacity ?? 20,
    maxWaiting: options.maxWaiting ?? 0,
    waitTimeoutMs: options.waitTimeoutMs ?? 5_000,
  };
  if (options.browser === 'fake') return new FakeBrowserHost({ ...capacity, egressAllow, now });
  const hostOptions: ChromiumHostOptions = {
    executablePath: testChromium(),
    sandbox: 'auto',
    outerSandbox: options.outerSandbox ?? null,
    ...capacity,
    sessionsPerBrowser: options.sessionsPerBrowser ?? 16,
    isolateAccounts: options.isolateAccounts ?? false,
    hasSeveralAccounts: options.hasSeveralAccounts ?? false,
    registryPath: options.registryPath ?? join(folder, 'browsers'),
    // A browser that draws or loads on a very busy machine may answer later than the fifteen seconds of the program.
    healthCheck: options.healthCheck ?? { intervalMs: 5_000, timeoutMs: 60_000 },
    limits: options.limits ?? NO_SESSION_LIMITS,
    ...(options.limitCheckIntervalMs !== undefined && { limitCheckIntervalMs: options.limitCheckIntervalMs }),
    ...(options.protocolRateLimits !== undefined && { protocolRateLimits: options.protocolRateLimits }),
    ...(options.processors !== undefined && { processors: options.processors }),
    // The browsers of all tests share the processors with the nodes of the cluster tests.
    goesFirst: true,
    warmContexts: options.warmContexts ?? 0,
    egressAllow,
    ...(options.lookup !== undefined && { lookup: options.lookup }),
    files,
    navigationTimeoutMs: options.navigationTimeoutMs ?? 30_000,
    scriptTimeoutMs: options.scriptTimeoutMs ?? 1_000,
    now,
    warn,
  };
  return HOST_OPTIONS.some(name => options[name] !== undefined)
    ? ChromiumHost.start(hostOptions)
    : joinSharedChromiumHost(hostOptions);
}

/** The options of browsers and of their host: a service with one of them starts its own, others share the host of the worker. */
const HOST_OPTIONS = [
  'egressAllow',
  'lookup',
  'maxFileBytes',
  'limits',
  'limitCheckIntervalMs',
  'protocolRateLimits',
  'processors',
  'warmContexts',
  'sessionsPerBrowser',
  'isolateAccounts',
  'hasSeveralAccounts',
  'outerSandbox',
  'registryPath',
  'healthCheck',
  'navigationTimeoutMs',
  'scriptTimeoutMs',
] as const satisfies readonly (keyof StartServiceOptions)[];

export async function startService(options: StartServiceOptions = {}): Promise<StartedService> {
  const clock = options.clock ?? systemClock;
  const warnings: string[] = [];
  const warn = (message: string, error?: unknown) => {
    warnings.push(error === undefined ? message : `${message}: ${String(error)}`);
  };
  const folder = await mkdtemp(join(tmpdir(), 'pagespace-'));
  const limiter = openSqliteRateLimiter(':memory:');
  const { path } = options;
  const store = options.store ?? (await (path === undefined ? openMemoryStore() : openSqliteStore(path)));
  const accountBytes = new AccountFileBytes({
    maxBytes: options.maxAccountFileBytes ?? null,
    retentionDays: options.retentionDays ?? null,
  });
  const files = folderFileStore(join(folder, 'sessions'), {
    sessionBytes: options.maxFileBytes ?? 10_000_000,
    accountBytes,
  });
  const records = folderRecordStore(options.recordsPath ?? join(folder, 'records'), {
    sessionBytes: options.maxRecordBytes ?? 100_000_000,
    accountBytes,
  });
  const browsers = await startBrowsers(options, { folder, files, clock, warn });
  const authenticator = createApiKeyAuthenticator(store.accounts, clock);
  const metrics = createServiceMetrics(null);
  const readings = async (): Promise<ServiceReadings> => ({
    places: options.capacity ?? 20,
    sessions: browsers.sessionCount,
    waitingStarts: 0,
    browsers: browsers instanceof ChromiumHost ? browsers.browserCount : 0,
    processBytes: process.memoryUsage.rss(),
    browserBytes: browsers instanceof ChromiumHost ? browsers.browserBytes : null,
    ...(await metrics.operationReadings()),
    sandbox: {
      layers: [...(options.outerSandbox?.layers ?? [])],
      summary: 'A service of a test.',
      warning: null,
    },
  });
  const service = await createService({
    operator: { version: '0.0.0-test', readings, onDrainRequested: () => warnings.push('drain requested') },
    store: store.sessions,
    accounts: store.accounts,
    files,
    records,
    record: options.record ?? 'off',
    pageLog: options.pageLog ?? true,
    recordRetentionDays: options.recordRetentionDays ?? null,
    bus: memoryBus(),
    browsers,
    clock,
    authenticator,
    limiter,
    tiers: options.tiers ?? TIER_LIMITS,
    wallets: store.wallets,
    profiles: store.profiles,
    vault: store.vault,
    auditLog: store.auditLog,
    shareLinks: store.shareLinks,
    secretsKeys: [Buffer.alloc(32, 7)],
    walletVerifier: createWalletVerifier(null),
    walletChainId: 1,
    ledger: store.ledger,
    prices: options.prices ?? PRICES,
    globalTimeoutMinutes: options.globalTimeoutMinutes ?? 30,
    maxLifetimeMinutes: options.maxLifetimeMinutes ?? null,
    retentionDays: options.retentionDays ?? null,
    operationTimeoutMs: options.operationTimeoutMs ?? 60_000,
    warn,
  });
  const own = await addAccount(store, clock, 'test');
  return {
    service,
    browsers,
    store,
    authenticator,
    files,
    metrics,
    clock,
    ...own,
    warnings,
    async issueKey({ id }) {
      const scopes = ['read', 'operate', 'admin'] as const;
      const newKey = { accountId: id, name: 'another', scopes, expiresAt: null };
      return (await issueApiKey(store.accounts, newKey, clock.now())).text;
    },
    async [Symbol.asyncDispose]() {
      await service.shutDown();
      const { findings } = options.auditsLedger === false ? { findings: [] } : await store.auditLedger();
      await store.close();
      limiter.close();
      await rm(folder, { recursive: true, force: true });
      if (findings.length > 0) throw new Error(`The ledger does not agree: ${JSON.stringify(findings)}`);
    },
  };
}
