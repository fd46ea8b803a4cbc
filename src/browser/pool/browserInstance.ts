/** One browser of the pool: who lives in it, how worn it is, and whether it still answers. */
import type { Browser, CDPSession } from 'playwright';
import { race } from '../../async/race.ts';
import type { SessionFileStore } from '../../domain/ports/sessionFileStore.ts';
import { type LaunchOptions, launchChromium } from '../launch/launchChromium.ts';
import type { Lease } from '../lease/lease.ts';
import { killProcess } from '../limits/killProcess.ts';
import { limitDownloadSize } from '../limits/limitDownloadSize.ts';
import type { BrowserProcess, MonitoredBrowser } from '../limits/monitoredBrowser.ts';
import { residentBytes } from '../limits/processTable.ts';
import type { BrowserProcessRegistry, RegisteredBrowser } from './browserProcessRegistry.ts';
import { onDisconnect } from './onDisconnect.ts';

/** How often a browser that has sessions is asked whether it is there, and how long it may take to say so. Milliseconds. */
export interface Heartbeat {
  readonly intervalMs: number;
  readonly timeoutMs: number;
}

/** A processor that is busy for seconds delays an answer; nothing but a frozen browser delays it for fifteen. */
export const DEFAULT_HEARTBEAT: Heartbeat = { intervalMs: 5_000, timeoutMs: 15_000 };

/** Long-lived Chromium processes grow: after this many contexts, */
const MAX_CONTEXTS = 500;
/** this long (two hours, in milliseconds), */
const MAX_AGE_MS = 7_200_000;
/** or past this size of its main process a browser takes nobody in any more. Fresh it has about 150 MB. */
const MAX_MAIN_PROCESS_BYTES = 1_000_000_000;
/** A browser that takes longer than this for a context, or to tell its process number, is frozen. Milliseconds. */
const RESPONSE_TIMEOUT_MS = 20_000;
/** A browser that does not end by itself within this time is killed. */
const CLOSE_TIMEOUT_MS = 5_000;

/** A page crashes this soon after its process was ended. Milliseconds. */
const CRASH_REPORT_TIMEOUT_MS = 2_000;

/** What a house is made of. */
export interface BrowserInstanceOptions extends Omit<LaunchOptions, 'flags'> {
  readonly registry: BrowserProcessRegistry;
  /** What a session's files may have together bounds each download while it runs. */
  readonly files: Pick<SessionFileStore, 'maxBytes'>;
  readonly heartbeat: Heartbeat;
  /** Called once, when the browser is gone, asked to or not. */
  readonly onClosed: (browser: BrowserInstance) => void;
}

export class BrowserInstance implements MonitoredBrowser {
  readonly browser: Browser;
  readonly leases = new Set<Lease>();
  /** Sessions and warm contexts in it now, those being made among them. */
  contexts = 0;
  /** The one account that may live in it; null while any may. */
  accountId: string | null = null;
  /** Nobody is taken in any more. */
  retired = false;
  /** Why its sessions are lost when it is gone. */
  lossReason = 'The browser ended unexpectedly.';
  readonly #options: BrowserInstanceOptions;
  readonly #registration: RegisteredBrowser;
  readonly #session: CDPSession;
  readonly #startedAt = performance.now();
  #lastKilled: { readonly reason: string; readonly until: number } | null = null;
  #contextsCreated = 0;
  #heartbeatTimer: NodeJS.Timeout | null = null;
  #closing: Promise<void> | null = null;

  private constructor(
    browser: Browser,
    session: CDPSession,
    entry: RegisteredBrowser,
    options: BrowserInstanceOptions,
  ) {
    this.browser = browser;
    this.#session = session;
    this.#registration = entry;
    this.#options = options;
    browser.on('disconnected', () => {
      this.#stopHeartbeat();
      entry.unregister();
      options.onClosed(this);
    });
  }

  /** Starts a browser and writes it down. @throws Error when Chromium does not start */
  static async start(options: BrowserInstanceOptions): Promise<BrowserInstance> {
    const entry = options.registry.register();
    let browser: Browser | null = null;
    try {
      browser = await launchChromium({ ...options, flags: [entry.flag] });
      const up = browser;
      const introduced = (async () => {
        const session = await up.newBrowserCDPSession();
        await limitDownloadSize(session, options.files.maxBytes);
        const { processInfo } = await session.send('SystemInfo.getProcessInfo');
        return { session, pid: processInfo.find(one => one.type === 'browser')?.id };
      })();
      const { session, pid } = await raceDisconnect(browser, introduced, () => entry.kill());
      if (pid !== undefined) entry.setPid(pid);
      return new BrowserInstance(browser, session, entry, options);
    } catch (error) {
      await browser?.close().catch(() => {});
      entry.unregister();
      throw error;
    }
  }

  /** Whether it ended, or is about to. */
  get isClosed(): boolean {
    return this.#closing !== null || !this.browser.isConnected();
  }

  /** Whether its time is over: by age, use or size. */
  get shouldRetire(): boolean {
    return (
      this.#contextsCreated >= MAX_CONTEXTS ||
      performance.now() - this.#startedAt >= MAX_AGE_MS ||
      (this.#registration.pid !== null &&
        (residentBytes(this.#registration.pid) ?? 0) > MAX_MAIN_PROCESS_BYTES)
    );
  }

  /** Whether there is room for one more context. */
  hasCapacity(maxContexts: number): boolean {
    return (
      !this.retired && !this.isClosed && this.contexts < maxContexts && this.#contextsCreated < MAX_CONTEXTS
    );
  }

  /**
   * Settles as `work` does, or fails when the browser goes meanwhile: Playwright leaves some calls without an answer then.
   * A browser that lets it wait too long is ended.
   */
  whileConnected<T>(work: Promise<T>): Promise<T> {
    return raceDisconnect(this.browser, work, () => this.#killFrozen());
  }

  async processes(): Promise<readonly BrowserProcess[]> {
    const { processInfo } = await this.#session.send('SystemInfo.getProcessInfo');
    return processInfo.map(({ id, type, cpuTime }) => ({
      pid: id,
      isRenderer: type === 'renderer',
      cpuSeconds: cpuTime,
    }));
  }

  /** Opens a page of Chromium's own in a context, by Chromium's id of it: no filter stands before this. */
  async openInternalPage(url: `chrome://${string}`, browserContextId: string): Promise<string> {
    const params = { url, browserContextId, background: true };
    return (await this.#session.send('Target.createTarget', params)).targetId;
  }

  /** Ends the process of a page whose session is not known: `endedFor` tells the reason when its page crashes. */
  killRenderer(pid: number, reason: string): void {
    this.#lastKilled = { reason, until: performance.now() + CRASH_REPORT_TIMEOUT_MS };
    killProcess(pid);
  }

  /** Why a page that crashes now was ended by the service; null if it was not. */
  get killReason(): string | null {
    const last = this.#lastKilled;
    return last !== null && performance.now() < last.until ? last.reason : null;
  }

  /** Counts a context in; `contexts--` counts it out. */
  reserveContext(): void {
    this.contexts++;
    this.#contextsCreated++;
  }

  addLease(lease: Lease): void {
    this.leases.add(lease);
    if (this.#heartbeatTimer === null) this.#scheduleHeartbeat();
  }

  removeLease(lease: Lease): void {
    this.leases.delete(lease);
    if (this.leases.size === 0) this.#stopHeartbeat();
  }

  /** Ends the browser: by asking, then by force. Idempotent, never throws. */
  close(): Promise<void> {
    this.#closing ??= this.#closeOrKill();
    return this.#closing;
  }

  async #closeOrKill(): Promise<void> {
    this.#stopHeartbeat();
    const late = setTimeout(() => this.#registration.kill(), CLOSE_TIMEOUT_MS);
    await this.browser.close().catch(() => {});
    clearTimeout(late);
    this.#registration.unregister();
  }

  /** Only a browser with sessions is listened to: an idle one costs nothing. */
  #scheduleHeartbeat(): void {
    const { intervalMs, timeoutMs } = this.#options.heartbeat;
    this.#heartbeatTimer = setTimeout(() => {
      const late = setTimeout(() => this.#killFrozen(), timeoutMs);
      this.#heartbeatTimer = late;
      const answered = () => {
        clearTimeout(late);
        if (this.#heartbeatTimer === late) this.#scheduleHeartbeat();
      };
      // An error is an answer too; one that says that the browser is gone is told by Playwright.
      this.#session.send('Browser.getVersion').then(answered, answered);
    }, intervalMs);
    this.#heartbeatTimer.unref();
  }

  #killFrozen(): void {
    this.lossReason = 'The browser stopped answering and was ended.';
    this.#registration.kill();
  }

  #stopHeartbeat(): void {
    if (this.#heartbeatTimer !== null) clearTimeout(this.#heartbeatTimer);
    this.#heartbeatTimer = null;
  }
}

/** Settles as `work` does, or rejects when the browser disconnects; calls `kill` for a browser that does not answer in time. */
async function raceDisconnect<T>(browser: Browser, work: Promise<T>, kill: () => void): Promise<T> {
  const timer = setTimeout(kill, RESPONSE_TIMEOUT_MS);
  const disconnected = (): never => {
    throw new Error('The browser ended while it was asked.');
  };
  try {
    return await race(work, onDisconnect(browser, disconnected));
  } finally {
    clearTimeout(timer);
  }
}
