/** Wires the rooms together: one running service. */
import { readFile } from 'node:fs/promises';
import { readPersisted } from '../api/graphql/persistedOperations.ts';
import { createServer } from '../api/server.ts';
import { findChromium } from '../browser/launch/findChromium.ts';
import { ChromiumHost } from '../browser/pool/chromiumHost.ts';
import { memoryBus } from '../bus/memory.ts';
import { localUrl } from '../config.ts';
import { TIER_LIMITS } from '../domain/tiers.ts';
import { requestLimiter } from '../limiter/requestLimiter.ts';
import type { Log } from '../log.ts';
import { signIn } from '../service/keys.ts';
import { createService } from '../service/service.ts';
import { systemClock } from '../service/systemClock.ts';
import { dataFolder } from '../store/dataFolder.ts';
import { sessionFolders } from '../store/sessionFolders.ts';
import { openSqlite } from '../store/sqlite.ts';
import { openWindowCounters } from '../store/windowCounters.ts';
import { viemReader } from '../wallet/viemReader.ts';
import { firstKey } from './localAccount.ts';
import type { Settings } from './readSettings.ts';
import { readVersion } from './version.ts';

/** A service that answers. */
export interface RunningNode {
  /** Where it listens, as a program on this machine writes it. */
  readonly url: string;
  /** The first key in the open, when this start made it. */
  readonly firstKey: string | null;
  /** Ends requests, sessions, browsers, streams and the store, in that order. Idempotent; within about `CLOSE_DEADLINE_MS`. */
  close(): Promise<void>;
}

/** After this long connections are cut. */
export const CLOSE_DEADLINE_MS = 10_000;
/** A start beyond the capacity waits this long for a place before it is told AT_CAPACITY. */
const WAITING_PATIENCE_MS = 5_000;

/**
 * @throws DataFolderError, StoreError, or Error when there is no browser, it does not start, or the port is taken;
 * what was begun is taken back
 */
export async function startNode({ config, egressAllow }: Settings, log: Log): Promise<RunningNode> {
  const warn = (message: string, err?: unknown): void => log.warn(err === undefined ? {} : { err }, message);
  await using begun = new AsyncDisposableStack();

  const folder = dataFolder(config.dataDir);
  begun.defer(folder.lock());
  const store = await openSqlite(folder.databasePath);
  begun.defer(() => store.close());
  const counters = openWindowCounters(folder.limitsPath);
  begun.defer(() => counters.close());

  const chromium = findChromium(config.chromiumPath);
  if (chromium === null)
    throw new Error(
      'No Chromium was found. Install one (npx playwright install --with-deps chromium-headless-shell) or set CHROMIUM_PATH.',
    );
  const files = sessionFolders(folder.sessionsPath, config.sessionFileBytes);
  const browsers = await ChromiumHost.start({
    executablePath: chromium.path,
    sandbox: config.chromiumSandbox,
    capacity: config.capacity,
    waitingLine: config.capacity,
    waitingPatienceMs: WAITING_PATIENCE_MS,
    sessionsPerBrowser: config.sessionsPerBrowser,
    isolateAccounts: config.isolateAccounts,
    recordPath: folder.browsersPath,
    bounds: config.sessionBounds,
    warmContexts: config.warmContexts,
    egressAllow,
    files,
    navigationTimeoutMs: config.navigationTimeoutSeconds * 1_000,
    now: () => systemClock.now(),
    warn,
  });
  begun.defer(() => browsers.close());

  const service = await createService({
    store: store.sessions,
    accounts: store.accounts,
    files,
    bus: memoryBus(),
    browsers,
    clock: systemClock,
    signIn: signIn(store.accounts, systemClock),
    wallets: store.wallets,
    walletReader: viemReader(config.walletRpcUrl),
    walletChainId: config.walletChainId,
    ledger: store.ledger,
    prices: config.prices,
    limiter: requestLimiter(counters),
    tiers: { ...TIER_LIMITS, free: config.freeLimits, pay_as_you_go: config.paidLimits },
    globalTimeoutMinutes: config.globalTimeoutMinutes,
    maxLifetimeMinutes: config.maxLifetimeMinutes,
    retentionDays: config.eventRetentionDays,
    operationTimeoutMs: config.operationTimeoutSeconds * 1_000,
    warn,
  });
  begun.defer(() => service.shutDown());

  const server = createServer({
    service,
    log,
    version: readVersion(),
    graphiql: config.graphiql,
    introspection: config.introspection,
    maxBodyBytes: config.maxBodyBytes,
    connections: config.connectionLimits,
    persisted: { kept: await keptOperations(config.persistedOperationsFile), only: config.onlyPersisted },
    trustedProxies: config.trustedProxies,
    // A free port is known only once it is taken.
    ...(new URL(config.publicUrl).port !== '0' && { publicUrl: config.publicUrl }),
  });
  const { port } = await server.listen(config.host, config.port).catch((cause: unknown) => {
    throw new Error(cannotListen(config.host, config.port, cause), { cause });
  });
  begun.defer(async () => {
    await server.close(CLOSE_DEADLINE_MS, () => service.shutDown());
  });

  const url = localUrl(config.host, port);

  // Last, so that a key is never made by a start that then fails and shows it to nobody.
  const key = await firstKey(store.accounts, systemClock);
  log.info({ url, chromium: chromium.path, capacity: config.capacity, dataDir: folder.path }, 'listening');
  const running = begun.move();
  return { url, firstKey: key, close: () => running.disposeAsync() };
}

async function keptOperations(path: string | null): Promise<Readonly<Record<string, string>>> {
  if (path === null) return {};
  try {
    return readPersisted(await readFile(path, 'utf8'));
  } catch (cause) {
    throw new Error(`PAGESPACE_PERSISTED_OPERATIONS, ${path}: ${(cause as Error).message}`, { cause });
  }
}

function cannotListen(host: string, port: number, cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : null;
  if (code === 'EADDRINUSE') return `Port ${port} of ${host} is taken. Set PORT to another.`;
  const said = cause instanceof Error ? cause.message : String(cause);
  return `The service cannot listen on ${host}, port ${port}: ${said}`;
}
