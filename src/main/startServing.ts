import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parsePersistedOperations } from '../api/graphql/plugins/persistedOperations.ts';
import { listenError } from '../api/http/httpServer.ts';
import { createServer } from '../api/server.ts';
import type { EgressRule } from '../browser/egress/egressRules.ts';
import type { FoundChromium } from '../browser/launch/findChromium.ts';
import { usesSandbox } from '../browser/launch/launchChromium.ts';
import { ChromiumHost } from '../browser/pool/chromiumHost.ts';
import { browserCgroupLimits } from '../browser/sandbox/cgroups.ts';
import { startOuterSandbox } from '../browser/sandbox/outerSandbox.ts';
import type { SandboxLayer } from '../browser/sandbox/sandboxedLaunch.ts';
import { type Config, isLoopbackHost, localUrl } from '../config/config.ts';
import { type PracticeShop, startPracticeShop } from '../demo/practiceShop.ts';
import { TIER_LIMITS } from '../domain/account/account.ts';
import type { AccountStore } from '../domain/ports/accountStore.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { ServiceReadings } from '../domain/ports/nodes.ts';
import type { Log } from '../log.ts';
import { createApiKeyAuthenticator, issueApiKey } from '../service/accounts/apiKeys.ts';
import { announce } from '../service/cluster/nodeMethods.ts';
import { retryWhileUnavailable } from '../service/cluster/routedReads.ts';
import { createService, type ServiceDeps } from '../service/createService.ts';
import { systemClock } from '../service/systemClock.ts';
import { AccountFileBytes } from '../store/files/accountFileBytes.ts';
import { type DataFolder, secretsKeysIn } from '../store/files/dataFolder.ts';
import { folderFileStore } from '../store/files/folderFileStore.ts';
import { folderRecordStore } from '../store/files/folderRecordStore.ts';
import {
  createServiceMetrics,
  instrumentBus,
  instrumentHost,
  instrumentMessenger,
  instrumentOperations,
  instrumentStore,
  measureOwnerOperations,
  type ServiceMetrics,
} from '../telemetry/serviceMetrics.ts';
import type { TracingOptions } from '../telemetry/startTracing.ts';
import { readVersion } from '../version.ts';
import { createWalletVerifier } from '../wallet/walletVerifier.ts';
import {
  type ClusterEngines,
  createFirstClusterKey,
  createFirstKey,
  type Engines,
  ensureLocalAccount,
} from './engines.ts';
import type { LoadedConfig } from './loadConfig.ts';

export interface RunningApp {
  readonly url: string;
  /** The address of the practice shop, which sessions may open; null if it is off. */
  readonly practiceShopUrl: string | null;
  /** The token of the one-time link to the dashboard; null where other machines can reach the service. */
  readonly dashboardToken: string | null;
  /** The first API key, if this start created it; null on later starts. */
  readonly firstKey: string | null;
  /** The file that keeps the first key for programs of this user; null where other machines can reach the service. */
  readonly keyFile: string | null;
  /** Refuses new sessions, waits for PAGESPACE_DRAIN_SECONDS, closes the rest; `/ready` answers 503. @param signal ends the wait */
  drain(signal: AbortSignal): Promise<void>;
  /** Stops the service: requests, sessions, browsers, streams, the store, in that order, within about `CLOSE_TIMEOUT_MS`. Idempotent. */
  close(): Promise<void>;
}

/** When the service stops, it cuts connections that are still open after this time. */
const CLOSE_TIMEOUT_MS = 10_000;

const CAPACITY_QUEUE_TIMEOUT_MS = 5_000;

function clusterParts(
  { nodeId, store, messenger: bareMessenger, authority }: ClusterEngines,
  metrics: ServiceMetrics,
  { capacity }: Pick<Config, 'capacity'>,
  onDrainRequested: () => void,
): Pick<ServiceDeps, 'authenticator' | 'onAccountChange' | 'onSessionsRemoved' | 'cluster'> {
  const messenger = instrumentMessenger(bareMessenger, metrics);
  return {
    authenticator: createApiKeyAuthenticator(store.accounts, systemClock, ({ id: keyId, hash }) =>
      announce(messenger, 'keyRevoked', { keyId, hash }),
    ),
    onAccountChange: accountId => announce(messenger, 'accountChanged', { accountId }),
    onSessionsRemoved: sessionIds => announce(messenger, 'sessionsRemoved', { sessionIds: [...sessionIds] }),
    cluster: {
      nodes: store.nodes,
      messenger,
      idempotencyKeys: store.idempotency,
      authority,
      nodeId,
      version: readVersion(),
      capacity,
      placementTimeoutMs: CAPACITY_QUEUE_TIMEOUT_MS,
      onDrainRequested,
      disconnectStore: () => store.disconnect(),
    },
  };
}

/** A day: the key of a visit must not outlive it by much, and nobody notices its end within one. */
const VISIT_MS = 24 * 3_600_000;

interface DashboardLink {
  /** 256 random bits in Base64url. Print it only in the terminal of this machine. */
  readonly token: string;
  /** Returns a new key, with every scope, that expires after a day; null if the token is another one or was exchanged. */
  exchange(token: string): Promise<string | null>;
}

const hash = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Creates the one-time link of this start of the service. Its token is only in the memory of this process, so no later start accepts it. */
export function createDashboardLink(accounts: AccountStore, clock: Clock): DashboardLink {
  const token = randomBytes(32).toString('base64url');
  const expected = hash(token);
  let isUsed = false;
  return {
    token,
    async exchange(given) {
      if (isUsed || !timingSafeEqual(hash(given), expected)) return null;
      isUsed = true;
      const account = await ensureLocalAccount(accounts, clock);
      const { text } = await issueApiKey(
        accounts,
        {
          accountId: account.id,
          name: 'dashboard on this machine',
          scopes: ['read', 'operate', 'admin'],
          expiresAt: clock.now() + VISIT_MS,
        },
        clock.now(),
      );
      return text;
    },
  };
}

/**
 * Checks whether browsers run without Chromium's sandbox although the configuration does not turn it off.
 * @param outerLayers the layers of the outer sandbox; with `user`, browsers do not run as root
 * @returns the warning to log; null when the sandbox is on, or is off by configuration
 * @throws Error when other machines could reach a service without a sandbox, and the configuration does not allow that
 */
export function sandboxWarning(
  config: Pick<Config, 'chromiumSandbox' | 'host'>,
  outerLayers: ReadonlySet<SandboxLayer> = new Set(),
): string | null {
  if (config.chromiumSandbox === 'off' || outerLayers.has('user') || usesSandbox(config.chromiumSandbox))
    return null;
  const why =
    "Chromium's sandbox is off, because it does not work for root. A page that escapes from the browser has the rights of this process.";
  if (isLoopbackHost(config.host)) return `${why} Run pagespace as another user to turn it on.`;
  throw new Error(
    `${why} With HOST=${config.host} other machines can reach this service. Run it as another user, or set PAGESPACE_CHROMIUM_SANDBOX=off to accept that.`,
  );
}

export interface OpenedParts {
  readonly config: LoadedConfig['config'];
  readonly egressRules: LoadedConfig['egressRules'];
  readonly folder: DataFolder;
  readonly engines: Engines;
  readonly chromium: FoundChromium;
  readonly log: Log;
  readonly warn: (message: string, err?: unknown) => void;
  readonly onDrainRequested: () => void;
}

/** Starts the browsers and listens; `resources` gets the ends of what is started. @throws Error when the browser does not start or the port is in use */
export async function startServing(
  { config, egressRules, folder, engines, chromium, log, warn, onDrainRequested }: OpenedParts,
  resources: AsyncDisposableStack,
): Promise<RunningApp> {
  const { store } = engines;
  const { sandbox: outerSandbox, summary } = await startOuterSandbox({
    setting: config.outerSandbox,
    executablePath: chromium.path,
    cgroupLimits: browserCgroupLimits(config.sessionLimits, config.sessionsPerBrowser),
  });
  const sandboxProblem = sandboxWarning(config, outerSandbox?.layers);
  if (sandboxProblem !== null) log.warn(sandboxProblem);
  const transportProblem = transportWarning(config);
  if (transportProblem !== null) log.warn(transportProblem);
  if (engines.cluster !== null && config.secretsKeys === null)
    log.warn(
      'PAGESPACE_SECRETS_KEY is not set: this node makes a key of its own, and no other node opens the profiles and vault entries that it encrypts. Set the same key on each node.',
    );
  const shop = await openPracticeShop(config.practiceShop, warn);
  if (shop !== null) resources.use(shop);
  const metrics = createServiceMetrics(config.nodeId);
  if (config.otlpEndpoint !== null) {
    // Loading the exporter takes a tenth of a start.
    const { startTracing } = await import('../telemetry/startTracing.ts');
    resources.defer(startTracing(tracingOptions(config.otlpEndpoint, config)));
  }
  const accountBytes = new AccountFileBytes({
    maxBytes: config.accountFileBytes,
    retentionDays: config.eventRetentionDays,
  });
  const files = folderFileStore(folder.sessionsPath, { sessionBytes: config.sessionFileBytes, accountBytes });
  const records = folderRecordStore(folder.recordsPath, { sessionBytes: config.recordBytes, accountBytes });
  const accountIdsOf = (ids: readonly string[]) =>
    retryWhileUnavailable(() => store.sessions.accountIds(ids), systemClock);
  await files.countStored(accountIdsOf);
  await records.countStored(accountIdsOf);
  const accounts = await retryWhileUnavailable(() => store.accounts.allAccounts(), systemClock);
  const browsers = await ChromiumHost.start({
    executablePath: chromium.path,
    sandbox: config.chromiumSandbox,
    outerSandbox,
    capacity: config.capacity,
    // In a cluster, callers wait for a place of any node, not of this one.
    maxWaiting: engines.cluster === null ? config.capacity : 0,
    waitTimeoutMs: CAPACITY_QUEUE_TIMEOUT_MS,
    sessionsPerBrowser: config.sessionsPerBrowser,
    isolateAccounts: config.isolateAccounts,
    hasSeveralAccounts: accounts.length > 1,
    registryPath: folder.browsersPath,
    limits: config.sessionLimits,
    goesFirst: engines.cluster !== null,
    warmContexts: config.warmContexts,
    egressAllow: shop === null ? egressRules : [...egressRules, allowOnly(shop)],
    files,
    navigationTimeoutMs: config.navigationTimeoutSeconds * 1_000,
    scriptTimeoutMs: config.scriptSeconds * 1_000,
    now: () => systemClock.now(),
    warn,
  });
  resources.defer(() => browsers.close());

  const readings = async (): Promise<ServiceReadings> => ({
    places: config.capacity,
    sessions: browsers.sessionCount,
    waitingStarts: browsers.waitingCount + localService.waitingStarts,
    browsers: browsers.browserCount,
    processBytes: process.memoryUsage.rss(),
    browserBytes: browsers.browserBytes,
    ...(await metrics.operationReadings()),
    sandbox: {
      layers: [...(usesSandbox(config.chromiumSandbox) ? ['chromium'] : []), ...(outerSandbox?.layers ?? [])],
      summary,
      warning: sandboxProblem,
    },
  });
  const localService = await createService({
    operator: { version: readVersion(), readings, onDrainRequested },
    store: instrumentStore(store.sessions, metrics),
    accounts: store.accounts,
    files,
    records,
    record: config.record,
    pageLog: config.pageLog,
    bus: instrumentBus(engines.bus, metrics),
    browsers: instrumentHost(browsers, metrics),
    clock: systemClock,
    ...(engines.cluster === null
      ? { authenticator: createApiKeyAuthenticator(store.accounts, systemClock) }
      : clusterParts(engines.cluster, metrics, config, onDrainRequested)),
    wallets: store.wallets,
    profiles: store.profiles,
    vault: store.vault,
    auditLog: store.auditLog,
    shareLinks: store.shareLinks,
    secretsKeys: config.secretsKeys ?? secretsKeysIn(folder.path),
    walletVerifier: createWalletVerifier(config.walletRpcUrl),
    walletChainId: config.walletChainId,
    ledger: store.ledger,
    prices: config.prices,
    limiter: engines.limiter,
    tiers: { ...TIER_LIMITS, free: config.freeLimits, pay_as_you_go: config.paidLimits },
    globalTimeoutMinutes: config.globalTimeoutMinutes,
    maxLifetimeMinutes: config.maxLifetimeMinutes,
    retentionDays: config.eventRetentionDays,
    recordRetentionDays: config.recordRetentionDays,
    operationTimeoutMs: config.operationTimeoutSeconds * 1_000,
    measureOperations: operations => measureOwnerOperations(operations, metrics),
    warn,
  });
  metrics.addGauges({
    sessions: () => browsers.sessionCount,
    places: () => config.capacity,
    waiting: () => browsers.waitingCount + localService.waitingStarts,
    browsers: () => browsers.browserCount,
  });
  const service = instrumentOperations(localService, metrics);
  resources.defer(() => service.shutDown());

  // Only for people who use their own machine, like the file of the key.
  const link = config.isLocal ? createDashboardLink(store.accounts, systemClock) : null;
  const server = createServer({
    service,
    log,
    ...(link !== null && { signInByLink: link.exchange }),
    version: readVersion(),
    metrics: metrics.registry,
    ...(config.metricsToken !== null && { metricsToken: config.metricsToken }),
    graphiql: config.graphiql,
    ...(shop !== null && { practiceShopUrl: shop.url }),
    introspection: config.introspection,
    maxBodyBytes: config.maxBodyBytes,
    connections: config.connectionLimits,
    persisted: {
      operations: await readPersistedFile(config.persistedOperationsFile),
      persistedOnly: config.onlyPersisted,
    },
    ...(config.oauthIssuer !== null && { oauth: oauthOptions(config.oauthIssuer, config) }),
    allowedOrigins: config.allowedOrigins,
    trustedProxies: config.trustedProxies,
    // With PORT=0 the port is known only after listening.
    ...(new URL(config.publicUrl).port !== '0' && { publicUrl: config.publicUrl }),
  });
  const { port } = await server.listen(config.host, config.port).catch((cause: unknown) => {
    throw listenError(config.host, config.port, cause);
  });
  resources.defer(async () => {
    // Other nodes take the new sessions while this one ends its requests.
    if (engines.cluster !== null) service.beginDrain();
    await server.close(CLOSE_TIMEOUT_MS, () => service.shutDown());
  });

  const url = localUrl(config.host, port);

  // Last: a start that fails must not create a key that is never shown.
  const { cluster } = engines;
  const key =
    cluster === null
      ? await createFirstKey(store.accounts, systemClock)
      : await retryWhileUnavailable(() => createFirstClusterKey(cluster, systemClock), systemClock);
  // Only for people who use their own machine: a key on a server stays where its operator puts it.
  if (config.isLocal) folder.saveAccess(url, key);
  log.info({ url, chromium: chromium.path, capacity: config.capacity, dataDir: folder.path }, 'listening');
  log.info(summary);
  const running = resources.move();
  return {
    url,
    practiceShopUrl: shop?.url ?? null,
    dashboardToken: link?.token ?? null,
    firstKey: key,
    keyFile: config.isLocal ? join(folder.path, 'key') : null,
    drain: signal => service.drain(config.drainSeconds * 1_000, signal),
    close: () => running.disposeAsync(),
  };
}

/** @throws Error when a port that the operator chose cannot be used */
async function openPracticeShop(
  setting: LoadedConfig['config']['practiceShop'],
  warn: OpenedParts['warn'],
): Promise<PracticeShop | null> {
  if (setting === null) return null;
  try {
    return await startPracticeShop(setting.port);
  } catch (cause) {
    const problem = `The practice shop cannot listen on port ${setting.port} of 127.0.0.1`;
    if (setting.isRequired)
      throw new Error(`${problem}. Set PAGESPACE_PRACTICE_SHOP to another port.`, { cause });
    warn(
      `${problem}: the service runs without it. PAGESPACE_PRACTICE_SHOP names another port, or turns it off.`,
    );
    return null;
  }
}

/** Allows the address and port of the shop as a URL writes them: no other name that resolves there. */
const allowOnly = ({ host }: PracticeShop): EgressRule => {
  const { hostname, port } = new URL(`http://${host}`);
  return { type: 'host', host: hostname, port: Number(port) };
};

/** Returns the warning when keys would travel to the service in clear text from other machines; null otherwise. */
const transportWarning = ({ host, publicUrl, trustedProxies }: LoadedConfig['config']): string | null =>
  isLoopbackHost(host) || publicUrl.startsWith('https:') || trustedProxies > 0
    ? null
    : `HOST=${host}: other machines can reach this service without TLS, and read the keys and pages that pass. Put a proxy with TLS in front, and set PAGESPACE_PUBLIC_URL and PAGESPACE_TRUSTED_PROXIES (docs/operating.md).`;

const tracingOptions = (
  endpoint: string,
  { otelServiceName, traceRatio, nodeId }: LoadedConfig['config'],
): TracingOptions => ({
  url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
  serviceName: otelServiceName,
  version: readVersion(),
  nodeId,
  ratio: traceRatio,
});

const oauthOptions = (issuer: string, { oauthJwksUrl, oauthAudience }: LoadedConfig['config']) => ({
  issuer,
  jwksUrl: oauthJwksUrl ?? `${issuer.replace(/\/$/, '')}/.well-known/jwks.json`,
  audience: oauthAudience,
});

async function readPersistedFile(path: string | null): Promise<Readonly<Record<string, string>>> {
  if (path === null) return {};
  try {
    return parsePersistedOperations(await readFile(path, 'utf8'));
  } catch (cause) {
    throw new Error(`PAGESPACE_PERSISTED_OPERATIONS, ${path}: ${(cause as Error).message}`, { cause });
  }
}
