import type { Browser, CDPSession } from 'playwright';
import { race } from '../../async/race.ts';
import { Failure } from '../../domain/failure/failures.ts';
import type { SessionFileStore } from '../../domain/ports/sessionFileStore.ts';
import { type LaunchOptions, launchChromium } from '../launch/launchChromium.ts';
import type { Lease } from '../lease/lease.ts';
import { type BrowserProcess, endSession, type MonitoredBrowser } from '../limits/monitoredBrowser.ts';
import { commandLine, processRow, residentBytes } from '../limits/processTable.ts';
import { findFreezeSuspect, killProcess } from '../limits/stopProcesses.ts';
import type { BrowserProcessRegistry, RegisteredBrowser } from './browserProcessRegistry.ts';
import { HealthCheck, type HealthCheckOptions, onDisconnect } from './healthCheck.ts';

type ProcessType = 'renderer' | 'gpu-process';

/**
 * Kills those of the processes that belong to a browser and have this type: ids may have been given to other processes since.
 * Where the system does not show arguments, it kills every process of the browser's group but the main one.
 * @param group the process group of a browser that runs; null when unknown
 */
export function killBrowserProcesses(pids: readonly number[], type: ProcessType, group: number | null): void {
  if (group === null) return;
  for (const pid of pids)
    if (pid !== group && processRow(pid)?.group === group && hasType(pid, type)) killProcess(pid);
}

function hasType(pid: number, type: ProcessType): boolean {
  const shown = commandLine(pid);
  return shown === '' || shown.includes(`--type=${type}`);
}

/**
 * Limits the size of each download of a browser. Chromium reports sizes twice a second, so a download can exceed the
 * limit by the bytes of half a second.
 * @param session the CDP session of the browser, not of a page: a download that a window starts while it opens belongs
 * to no page yet
 * @param maxBytes maximum size of one download
 */
async function limitDownloadSize(session: CDPSession, maxBytes: number): Promise<void> {
  session.on('Browser.downloadProgress', ({ guid, receivedBytes, state }) => {
    if (state === 'inProgress' && receivedBytes > maxBytes) cancelDownload(session, guid).catch(() => {});
  });
  // Without a context id, `deny` applies only to the default context, which the service does not use. The events report
  // the downloads of all contexts.
  await session.send('Browser.setDownloadBehavior', { behavior: 'deny', eventsEnabled: true });
}

/** Cancels a download in every context: the call must name its context, which Chromium does not report. */
async function cancelDownload(session: CDPSession, guid: string): Promise<void> {
  const { browserContextIds } = await session.send('Target.getBrowserContexts');
  const cancellations = browserContextIds.map(browserContextId =>
    session.send('Browser.cancelDownload', { guid, browserContextId }),
  );
  await Promise.allSettled(cancellations);
}

/** A browser is retired after this many contexts, because Chromium's processes grow with time. */
const MAX_CONTEXTS = 500;
/** Two hours. */
const MAX_AGE_MS = 7_200_000;
/** A browser is retired when its main process is larger than this. At the start it takes about 150 MB. */
const MAX_MAIN_PROCESS_BYTES = 1_000_000_000;
/** A browser that takes longer to create a context, to prewarm a page or to report its process id is killed. */
const RESPONSE_TIMEOUT_MS = 20_000;
/** A browser that takes longer to close is killed. */
const CLOSE_TIMEOUT_MS = 5_000;

/** Maximum time between the kill of a page's process and Playwright's report of the crash. */
const CRASH_REPORT_TIMEOUT_MS = 2_000;

/** Minimum time between two restarts of the GPU process. Several sessions can find at once that it is stalled. */
const GPU_RESTART_INTERVAL_MS = 5_000;

const BLOCKED_BROWSER = 'Its pages kept the browser so busy that it stopped responding.';

interface BrowserInstanceOptions extends Omit<LaunchOptions, 'flags'> {
  readonly registry: BrowserProcessRegistry;
  /** Its `maxBytes`, the limit of all files of a session, also limits each running download. */
  readonly files: Pick<SessionFileStore, 'maxBytes'>;
  readonly healthCheck: HealthCheckOptions;
  /** Called once when the browser has closed or crashed. */
  readonly onClosed: (browser: BrowserInstance) => void;
}

export class BrowserInstance implements MonitoredBrowser {
  readonly browser: Browser;
  readonly leases = new Set<Lease>();
  contexts = 0;
  /** The only account whose sessions the browser accepts; null while it accepts any. */
  accountId: string | null = null;
  /** True if the browser accepts no new contexts: the pool closes it when its last context has closed. */
  isRetired = false;
  /** The error text for its sessions when the browser closes or crashes unexpectedly. */
  lossReason = 'The browser ended unexpectedly.';
  readonly #registration: RegisteredBrowser;
  readonly #session: CDPSession;
  readonly #healthCheck: HealthCheck;
  readonly #startedAt = performance.now();
  #lastKilled: { readonly reason: string; readonly until: number } | null = null;
  #contextsCreated = 0;
  #gpuRestartedAt = Number.NEGATIVE_INFINITY;
  #closing: Promise<void> | null = null;

  private constructor(
    browser: Browser,
    session: CDPSession,
    registration: RegisteredBrowser,
    options: BrowserInstanceOptions,
  ) {
    this.browser = browser;
    this.#session = session;
    this.#registration = registration;
    this.#healthCheck = new HealthCheck({
      options: options.healthCheck,
      // When the browser is gone, Playwright emits `disconnected`.
      ping: () => session.send('Browser.getVersion'),
      endSuspect: () => this.#endSuspect(),
      kill: () => this.#killFrozen(),
    });
    browser.on('disconnected', () => {
      this.#healthCheck.stop();
      registration.unregister();
      options.onClosed(this);
    });
  }

  static async start(options: BrowserInstanceOptions): Promise<BrowserInstance> {
    const registration = options.registry.register();
    let browser: Browser | null = null;
    try {
      browser = await launchChromium({ ...options, flags: [registration.flag] });
      const prepared = prepare(browser, options.files.maxBytes);
      const { session, pid } = await raceDisconnect(browser, prepared, () => registration.kill());
      if (pid !== undefined) registration.setPid(pid);
      return new BrowserInstance(browser, session, registration, options);
    } catch (error) {
      await browser?.close().catch(() => {});
      registration.unregister();
      throw error;
    }
  }

  get pid(): number | null {
    return this.#registration.pid;
  }

  /** The process group of the browser and its sandbox; null before it is known. */
  get processGroup(): number | null {
    return this.#registration.group;
  }

  get isClosed(): boolean {
    return this.#closing !== null || !this.browser.isConnected();
  }

  /** True if the pool should retire the browser: it is too old, has created too many contexts or has grown too large. */
  get shouldRetire(): boolean {
    return (
      this.#contextsCreated >= MAX_CONTEXTS ||
      performance.now() - this.#startedAt >= MAX_AGE_MS ||
      (this.#registration.pid !== null &&
        (residentBytes(this.#registration.pid) ?? 0) > MAX_MAIN_PROCESS_BYTES)
    );
  }

  /** Returns true if the browser can take another context. */
  hasCapacity(maxContexts: number): boolean {
    return (
      !this.isRetired && !this.isClosed && this.contexts < maxContexts && this.#contextsCreated < MAX_CONTEXTS
    );
  }

  /** Settles as `work` does, or rejects when the browser disconnects. Kills the browser when `work` takes longer than 20 seconds. */
  whileConnected<T>(work: Promise<T>): Promise<T> {
    return raceDisconnect(this.browser, work, () => this.#killFrozen());
  }

  /** Resolves when the browser answers, or when it has disconnected. Never rejects. */
  async answers(): Promise<void> {
    await this.whileConnected(this.#session.send('Browser.getVersion')).catch(() => {});
  }

  async processes(): Promise<readonly BrowserProcess[]> {
    const { processInfo } = await this.#session.send('SystemInfo.getProcessInfo');
    return processInfo.map(({ id, type, cpuTime }) => ({
      pid: id,
      isRenderer: type === 'renderer',
      isGpu: type === 'GPU',
      cpuSeconds: cpuTime,
    }));
  }

  /** Kills the process that draws the pages, unless that has just been done: Chromium starts another one. */
  async restartGpu(): Promise<void> {
    const now = performance.now();
    if (now - this.#gpuRestartedAt < GPU_RESTART_INTERVAL_MS) return;
    this.#gpuRestartedAt = now;
    const processes = await this.processes();
    this.killGpu(processes.filter(({ isGpu }) => isGpu).map(({ pid }) => pid));
  }

  killRenderers(pids: readonly number[]): void {
    killBrowserProcesses(pids, 'renderer', this.#registration.group);
  }

  killGpu(pids: readonly number[]): void {
    killBrowserProcesses(pids, 'gpu-process', this.#registration.group);
  }

  async openInternalPage(url: `chrome://${string}`, browserContextId: string): Promise<string> {
    const params = { url, browserContextId, background: true };
    return (await this.#session.send('Target.createTarget', params)).targetId;
  }

  /** Kills a renderer whose session is unknown, and stores the reason: `killReason` returns it for the next crashed page. */
  killRenderer(pid: number, reason: string): void {
    this.#lastKilled = { reason, until: performance.now() + CRASH_REPORT_TIMEOUT_MS };
    this.killRenderers([pid]);
  }

  /** The reason of the last `killRenderer`, while Playwright may still report the crash that it caused; null otherwise. */
  get killReason(): string | null {
    const last = this.#lastKilled;
    return last !== null && performance.now() < last.until ? last.reason : null;
  }

  /** Counts a context that is about to be created. The pool's `removeContext` undoes it. */
  reserveContext(): void {
    this.contexts++;
    this.#contextsCreated++;
  }

  addLease(lease: Lease): void {
    this.leases.add(lease);
    // It runs only while the browser has sessions, so that an idle browser uses no processor time.
    this.#healthCheck.start();
  }

  removeLease(lease: Lease): void {
    this.leases.delete(lease);
    if (this.leases.size === 0) this.#healthCheck.stop();
  }

  /** Closes the browser, and kills it when it does not close in time. Idempotent, never throws. */
  close(): Promise<void> {
    this.#closing ??= this.#closeOrKill();
    return this.#closing;
  }

  async #closeOrKill(): Promise<void> {
    this.#healthCheck.stop();
    const timer = setTimeout(() => this.#registration.kill(), CLOSE_TIMEOUT_MS);
    await this.browser.close().catch(() => {});
    clearTimeout(timer);
    this.#registration.unregister();
  }

  /** Ends the session whose pages work most, because they probably block the browser. Returns false if no page works. */
  async #endSuspect(): Promise<boolean> {
    const { group } = this.#registration;
    const suspect = group === null ? null : await findFreezeSuspect(group, this.leases);
    if (suspect === null) return false;
    const { session, pids } = suspect;
    // Without its session, the browser tells whose page has crashed as soon as it responds.
    if (session === null) for (const one of pids) this.killRenderer(one, BLOCKED_BROWSER);
    else endSession(this, session, BLOCKED_BROWSER, pids);
    return true;
  }

  #killFrozen(): void {
    this.lossReason = 'The browser stopped responding and was killed.';
    this.#registration.kill();
  }
}

async function prepare(
  browser: Browser,
  maxDownloadBytes: number,
): Promise<{ readonly session: CDPSession; readonly pid: number | undefined }> {
  const session = await browser.newBrowserCDPSession();
  await limitDownloadSize(session, maxDownloadBytes);
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  return { session, pid: processInfo.find(({ type }) => type === 'browser')?.id };
}

/** @param kill called when `work` takes longer than RESPONSE_TIMEOUT_MS */
async function raceDisconnect<T>(browser: Browser, work: Promise<T>, kill: () => void): Promise<T> {
  const timer = setTimeout(kill, RESPONSE_TIMEOUT_MS);
  const disconnected = (): never => {
    throw new Error('The browser disconnected during the call.');
  };
  try {
    return await race(work, onDisconnect(browser, disconnected));
  } finally {
    clearTimeout(timer);
  }
}

export interface BrowserPoolOptions {
  /** Starts a browser. @param onClosed must be called once, when the browser has closed or crashed */
  readonly start: (onClosed: (browser: BrowserInstance) => void) => Promise<BrowserInstance>;
  readonly sessionsPerBrowser: number;
  /** True when a browser serves the sessions of one account only. */
  readonly isolateAccounts: boolean;
  /** Called when a browser accepts no more sessions: it is retired, has closed or has crashed. */
  readonly onUnavailable: (browser: BrowserInstance) => void;
  readonly onLost: (browser: BrowserInstance) => void;
  /** Called when a retired browser starts to close because its last context has closed. */
  readonly onClosing: () => void;
}

export const shuttingDown = (): Failure =>
  new Failure('SHUTTING_DOWN', 'The service is shutting down. Try again in a moment.', {
    retryAfterSeconds: 5,
  });

/** Each browser is starting, active (accepts new contexts) or retired (closes with its last context). */
export class BrowserPool {
  readonly #options: BrowserPoolOptions;
  /** Browsers that are starting, by the account that they are for; null for any account. */
  readonly #starting = new Map<string | null, Promise<BrowserInstance>>();
  readonly #active = new Set<BrowserInstance>();
  readonly #retired = new Set<BrowserInstance>();
  #isClosing = false;

  constructor(options: BrowserPoolOptions) {
    this.#options = options;
  }

  running(): BrowserInstance[] {
    return [...this.#active, ...this.#retired];
  }

  /** Waits for a browser that already starts for this account (null: for any). @throws Error when Chromium does not start */
  start(accountId: string | null): Promise<BrowserInstance> {
    const starting = this.#starting.get(accountId);
    if (starting !== undefined) return starting;
    const started = this.#options
      .start(browser => this.#closed(browser))
      .then(async browser => {
        if (this.#isClosing) await browser.close();
        else if (!browser.isClosed) this.#active.add(browser);
        return browser;
      })
      .finally(() => this.#starting.delete(accountId));
    this.#starting.set(accountId, started);
    return started;
  }

  /** Reserves a context, in a new browser if none has room; `removeContext` undoes it. @throws Failure SHUTTING_DOWN; Error if Chromium does not start */
  async pickBrowser(accountId: string | null): Promise<BrowserInstance> {
    for (;;) {
      if (this.#isClosing) throw shuttingDown();
      const browser = this.#findBrowser(accountId);
      if (browser !== null) {
        // No await between the check and the reservation: many callers arrive at the same time.
        this.claim(browser, accountId);
        browser.reserveContext();
        return browser;
      }
      await this.start(accountId);
    }
  }

  /** Returns true if a context for the account can be created now, in a browser that serves the account already. */
  hasOwnCapacity(accountId: string): boolean {
    return this.#findBrowser(accountId)?.accountId === accountId;
  }

  accountIds(): ReadonlySet<string> {
    return new Set([...this.#active].flatMap(({ accountId }) => (accountId === null ? [] : [accountId])));
  }

  /** Returns a browser that can take a context for the account: one of its own, else one that has served no account. */
  #findBrowser(accountId: string | null): BrowserInstance | null {
    const usable = [...this.#active].filter(
      browser => browser.hasCapacity(this.#options.sessionsPerBrowser) && this.canHost(browser, accountId),
    );
    return usable.find(browser => browser.accountId === accountId) ?? usable[0] ?? null;
  }

  /** True when the browser may serve the account. @param accountId null for a context that any account may use */
  canHost(browser: BrowserInstance, accountId: string | null): boolean {
    return !this.#options.isolateAccounts || browser.accountId === null || browser.accountId === accountId;
  }

  /** Binds the browser to the account when accounts are isolated and the browser has no account yet. */
  claim(browser: BrowserInstance, accountId: string | null): void {
    if (this.#options.isolateAccounts) browser.accountId ??= accountId;
  }

  removeContext(browser: BrowserInstance): void {
    browser.contexts--;
    this.#closeIfEmpty(browser);
  }

  /** Stops the use of a browser for new contexts; it closes with its last context, or now if it has none. */
  retire(browser: BrowserInstance): void {
    if (browser.isRetired) return;
    browser.isRetired = true;
    if (this.#active.delete(browser)) this.#retired.add(browser);
    this.#options.onUnavailable(browser);
    this.#closeIfEmpty(browser);
  }

  #closeIfEmpty(browser: BrowserInstance): void {
    if (!browser.isRetired || browser.contexts > 0 || !this.#retired.delete(browser)) return;
    void browser.close();
    this.#options.onClosing();
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await Promise.allSettled(this.#starting.values());
    const running = this.running();
    await Promise.all(running.flatMap(browser => [...browser.leases].map(lease => lease.close())));
    await Promise.all(running.map(browser => browser.close()));
  }

  #closed(browser: BrowserInstance): void {
    const wasRunning = this.#active.delete(browser) || this.#retired.delete(browser);
    this.#options.onUnavailable(browser);
    if (wasRunning && !this.#isClosing) this.#options.onLost(browser);
  }
}
