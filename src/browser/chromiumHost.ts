/** The pool: browsers shared by sessions, a context for each session, contexts kept warm. */
import type { Browser } from 'playwright';
import { Failure, isFailure } from '../domain/failures.ts';
import type { BrowserHost, BrowserLease, LeaseListener, SessionFiles } from '../domain/ports.ts';
import { registerEngine } from './act/acting.ts';
import { checkAddress, urlBlocked } from './egress/checkAddress.ts';
import type { EgressRule } from './egress/egressRules.ts';
import { type EgressProxy, startEgressProxy } from './egress/startEgressProxy.ts';
import { unreachable } from './errors.ts';
import { inPageScript } from './inPageScript.ts';
import { launch, type SandboxSetting } from './launch.ts';
import { Lease } from './lease.ts';
import { Places } from './places.ts';
import { type WarmContext, warmContext } from './warmContext.ts';
import { webAddress } from './webAddress.ts';

export interface ChromiumHostOptions {
  readonly executablePath: string;
  readonly sandbox: SandboxSetting;
  /** Sessions at once. */
  readonly capacity: number;
  /** Callers that may wait for a place, and for how long. */
  readonly waitingLine: number;
  readonly waitingPatienceMs: number;
  readonly sessionsPerBrowser: number;
  /** Contexts held ready. */
  readonly warmContexts: number;
  readonly egressAllow: readonly EgressRule[];
  readonly files: SessionFiles;
  readonly navigationTimeoutMs: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Told of what no caller hears: a browser that died, a context that could not be made. */
  readonly warn: (message: string, error?: unknown) => void;
}

/** A browser is replaced after this many sessions: long-lived Chromium processes grow. */
const SESSIONS_IN_A_LIFE = 500;
/** Warm contexts are made this long after the last start, so that they do not take the processor from it. */
const REFILL_DELAY_MS = 100;

const shuttingDown = (): Failure =>
  new Failure('SHUTTING_DOWN', 'The service is shutting down. Try again in a moment.', {
    retryAfterSeconds: 5,
  });

interface Housed {
  readonly browser: Browser;
  /** Sessions and warm contexts in it now. */
  contexts: number;
  /** Contexts that it has ever had. */
  used: number;
  readonly leases: Set<Lease>;
}

export class ChromiumHost implements BrowserHost {
  readonly #options: ChromiumHostOptions;
  readonly #egress: EgressProxy;
  readonly #active = new Set<Housed>();
  readonly #warm: WarmContext[] = [];
  #starting: Promise<Housed> | null = null;
  readonly #places: Places;
  #closing: Promise<void> | null = null;
  #refillTimer: NodeJS.Timeout | null = null;
  #refilling = false;

  private constructor(options: ChromiumHostOptions, egress: EgressProxy) {
    this.#options = options;
    this.#egress = egress;
    this.#places = new Places({
      capacity: options.capacity,
      line: options.waitingLine,
      patienceMs: options.waitingPatienceMs,
    });
  }

  /** Starts the egress proxy, the first browser and the warm contexts. @throws Error when Chromium does not start */
  static async start(options: ChromiumHostOptions): Promise<ChromiumHost> {
    inPageScript('perceive');
    inPageScript('scrape');
    await registerEngine();
    const egress = await startEgressProxy({ allow: options.egressAllow });
    const host = new ChromiumHost(options, egress);
    try {
      await host.#roomyBrowser();
      if (options.warmContexts > 0) host.#warm.push(await host.#makeContext());
      host.#scheduleRefill();
      return host;
    } catch (error) {
      await host.close();
      throw error;
    }
  }

  get held(): number {
    return this.#places.taken;
  }

  get ready(): boolean {
    return this.#closing === null && this.#places.free > 0;
  }

  async open(
    sessionId: string,
    _accountId: string,
    listener: LeaseListener,
    signal: AbortSignal,
  ): Promise<BrowserLease> {
    if (this.#isClosing) throw shuttingDown();
    const leave = await this.#places.take(signal);
    try {
      const warm = this.#takeWarm() ?? (await this.#makeContext());
      if (signal.aborted || this.#isClosing) {
        await this.#release(warm, null);
        signal.throwIfAborted();
        throw shuttingDown();
      }
      return this.#lease(sessionId, warm, listener, leave);
    } catch (error) {
      leave();
      if (isFailure(error) || signal.aborted) throw error;
      throw new Error(`No browser could be made ready for session ${sessionId}`, { cause: error });
    } finally {
      this.#scheduleRefill();
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#shutDown();
    return this.#closing;
  }

  get #isClosing(): boolean {
    return this.#closing !== null;
  }

  #lease(sessionId: string, warm: WarmContext, listener: LeaseListener, leave: () => void): Lease {
    const { egressAllow, now, navigationTimeoutMs, files } = this.#options;
    warm.onBlocked = (url, reason) => listener.happened({ type: 'blocked', at: now(), url, reason });
    const housed = this.#houseOf(warm.browser);
    const lease: Lease = new Lease({
      sessionId,
      files,
      context: warm.context,
      tab: warm.tab,
      listener,
      now,
      navigationTimeoutMs,
      admit: url => checkAddress(webAddress(url), egressAllow).href,
      refused: url => {
        const outcome = warm.door.outcome(url);
        if (outcome === null) return null;
        return outcome.type === 'blocked'
          ? urlBlocked(url, outcome.reason)
          : unreachable(url, outcome.reason);
      },
      release: async () => {
        warm.onBlocked = null;
        await this.#release(warm, lease);
        leave();
      },
    });
    housed?.leases.add(lease);
    if (housed === undefined) queueMicrotask(() => lease.lost('The browser ended unexpectedly.'));
    return lease;
  }

  #takeWarm(): WarmContext | null {
    for (;;) {
      const warm = this.#warm.shift();
      if (warm === undefined) return null;
      if (warm.browser.isConnected() && !warm.tab.crashed) return warm;
      void this.#release(warm, null);
    }
  }

  async #makeContext(): Promise<WarmContext> {
    const housed = await this.#roomyBrowser();
    housed.contexts++;
    housed.used++;
    try {
      return await warmContext(housed.browser, this.#egress);
    } catch (error) {
      housed.contexts--;
      throw error;
    }
  }

  async #roomyBrowser(): Promise<Housed> {
    const { sessionsPerBrowser } = this.#options;
    for (const housed of this.#active)
      if (housed.contexts < sessionsPerBrowser && housed.used < SESSIONS_IN_A_LIFE) return housed;
    this.#starting ??= this.#startBrowser().finally(() => {
      this.#starting = null;
    });
    const housed = await this.#starting;
    return housed.contexts < sessionsPerBrowser ? housed : this.#roomyBrowser();
  }

  async #startBrowser(): Promise<Housed> {
    const browser = await launch({ ...this.#options, egress: this.#egress });
    const housed: Housed = { browser, contexts: 0, used: 0, leases: new Set() };
    this.#active.add(housed);
    browser.on('disconnected', () => this.#disconnected(housed));
    if (this.#isClosing) await browser.close();
    return housed;
  }

  #disconnected(housed: Housed): void {
    const expected = !this.#active.delete(housed) || this.#isClosing;
    for (const warm of this.#warm.filter(one => one.browser === housed.browser))
      this.#warm.splice(this.#warm.indexOf(warm), 1);
    if (expected) return;
    this.#options.warn(`A browser ended unexpectedly, and ${housed.leases.size} sessions with it`);
    for (const lease of [...housed.leases]) lease.lost('The browser ended unexpectedly.');
    this.#scheduleRefill();
  }

  #houseOf(browser: Browser): Housed | undefined {
    for (const housed of this.#active) if (housed.browser === browser) return housed;
    return undefined;
  }

  async #release(warm: WarmContext, lease: Lease | null): Promise<void> {
    await warm.close();
    const housed = this.#houseOf(warm.browser);
    if (housed === undefined) return;
    housed.contexts--;
    if (lease !== null) housed.leases.delete(lease);
    if (housed.used < SESSIONS_IN_A_LIFE || housed.contexts > 0) return;
    this.#active.delete(housed);
    await housed.browser.close().catch(() => {});
  }

  #scheduleRefill(): void {
    if (this.#isClosing) return;
    if (this.#refillTimer !== null) clearTimeout(this.#refillTimer);
    this.#refillTimer = setTimeout(() => void this.#refill(), REFILL_DELAY_MS);
    this.#refillTimer.unref();
  }

  async #refill(): Promise<void> {
    if (this.#refilling || this.#isClosing) return;
    this.#refilling = true;
    try {
      const wanted = Math.min(this.#options.warmContexts, this.#places.free);
      while (this.#warm.length < wanted && !this.#isClosing) {
        const warm = await this.#makeContext();
        if (this.#isClosing) await warm.close();
        else this.#warm.push(warm);
      }
    } catch (error) {
      if (!this.#isClosing) this.#options.warn('A browser context could not be made ready', error);
    } finally {
      this.#refilling = false;
    }
  }

  async #shutDown(): Promise<void> {
    if (this.#refillTimer !== null) clearTimeout(this.#refillTimer);
    this.#places.refuseAll(shuttingDown());
    const starting = this.#starting;
    if (starting !== null) await starting.catch(() => {});
    for (const housed of this.#active) await Promise.all([...housed.leases].map(lease => lease.close()));
    await Promise.all([...this.#active].map(housed => housed.browser.close().catch(() => {})));
    this.#active.clear();
    await this.#egress.close();
  }
}
