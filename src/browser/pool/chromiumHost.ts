/** Opens sessions in Chromium: waits for a slot, selects a shared browser, and takes a warm context or creates one for each session. */
import { Semaphore } from '../../async/fairTurns.ts';
import { Failure, isFailure } from '../../domain/failure/failures.ts';
import type {
  BrowserHost,
  BrowserLease,
  LeaseListener,
  OpenContextOptions,
} from '../../domain/ports/browserHost.ts';
import { registerSelectorEngine } from '../act/element/elementContext.ts';
import { injectedScript } from '../cdp/isolatedWorld.ts';
import { type EgressProxy, startEgressProxy } from '../egress/startEgressProxy.ts';
import type { Lease } from '../lease/lease.ts';
import type { LeaseDeps } from '../lease/tabObserver.ts';
import { SessionLimitMonitor } from '../limits/browserResourceMonitor.ts';
import { BrowserPriorities, OperationTurns, ProcessorShare } from '../limits/processorShare.ts';
import { anonymousBytesOfGroups } from '../limits/processTable.ts';
import { BrowserInstance, BrowserPool, shuttingDown } from './browserPool.ts';
import { BrowserProcessRegistry } from './browserProcessRegistry.ts';
import { type ContextChoices, deviceOptions } from './contextOptions.ts';
import { DEFAULT_HEALTH_CHECK, type Pause } from './healthCheck.ts';
import {
  type ChromiumHostOptions,
  checkProxyAllowed,
  createLease,
  type PooledContext,
} from './pooledContext.ts';
import { createWarmContext } from './warmContext.ts';
import { WarmContextPool, type WarmTarget, warmTargets } from './warmContextPool.ts';

/** The node's session slots, for which accounts take turns. `acquire` throws Failure AT_CAPACITY, with the seconds to wait before a retry. */
export function createCapacityQueue({
  capacity,
  maxWaiting,
  waitTimeoutMs,
}: Pick<ChromiumHostOptions, 'capacity' | 'maxWaiting' | 'waitTimeoutMs'>): Semaphore {
  const refusal = (): Failure =>
    new Failure(
      'AT_CAPACITY',
      `All ${capacity} browser sessions of this service are in use. Try again soon.`,
      { retryAfterSeconds: Math.max(1, Math.ceil(waitTimeoutMs / 1_000)) },
    );
  return new Semaphore({ permits: capacity, maxWaiting, waitTimeoutMs, refusal });
}

const MAX_BROWSER_ATTEMPTS = 3;

export class ChromiumHost implements BrowserHost {
  readonly #options: ChromiumHostOptions;
  readonly #egress: EgressProxy;
  readonly #browsers: BrowserPool;
  readonly #warm: WarmContextPool;
  readonly #slots: Semaphore;
  readonly #limitMonitor: SessionLimitMonitor;
  readonly #turns: OperationTurns<Lease>;
  readonly #priorities: BrowserPriorities;
  readonly #processorShare: ProcessorShare;
  /** The accounts that have started sessions; the second one is the last that is added. */
  readonly #accountIds = new Set<string>();
  #closing: Promise<void> | null = null;

  private constructor(options: ChromiumHostOptions, egress: EgressProxy, registry: BrowserProcessRegistry) {
    const { healthCheck = DEFAULT_HEALTH_CHECK } = options;
    this.#options = options;
    this.#egress = egress;
    this.#slots = createCapacityQueue(options);
    this.#warm = new WarmContextPool({
      create: (accountId, pause) => this.#createContext(accountId, pause),
      release: pooled => this.#release(pooled, null),
      targets: () => this.#warmTargets(),
      hasSessions: () => this.#slots.acquired > 0,
      warn: options.warn,
    });
    this.#browsers = new BrowserPool({
      start: async onClosed => {
        const sharing = (browser: BrowserInstance): void => {
          onClosed(browser);
          this.#priorities.share(this.#browsers.running());
        };
        const started = await BrowserInstance.start({
          ...options,
          healthCheck,
          onClosed: sharing,
          egress,
          registry,
        });
        this.#priorities.share([...this.#browsers.running(), started]);
        return started;
      },
      sessionsPerBrowser: options.sessionsPerBrowser,
      isolateAccounts: options.isolateAccounts,
      onUnavailable: browser => this.#warm.discard(browser),
      onLost: browser => this.#browserLost(browser),
      onClosing: () => this.#warm.refillSoon(),
    });
    this.#limitMonitor = new SessionLimitMonitor(
      options.limits,
      () => this.#browsers.running(),
      options.limitCheckIntervalMs,
    );
    this.#turns = new OperationTurns(options.processors);
    this.#priorities = new BrowserPriorities(options.goesFirst ?? false);
    this.#processorShare = new ProcessorShare(
      () => this.#browsers.running().filter(({ isClosed }) => !isClosed),
      options.processors,
    );
  }

  /** Kills browsers of a killed service, then starts the proxy, a browser and the warm contexts. @throws Error when Chromium does not start */
  static async start(options: ChromiumHostOptions): Promise<ChromiumHost> {
    // Fail at the start, not at the first session, when the scripts are not built.
    injectedScript('agent');
    injectedScript('scrape');
    injectedScript('prewarm');
    await registerSelectorEngine();
    const registry = new BrowserProcessRegistry(options.registryPath);
    const orphans = await registry.killOrphans();
    if (orphans > 0) options.warn(`Killed ${orphans} browsers that an earlier process of this service left`);
    const egress = await startEgressProxy({
      allow: options.egressAllow,
      ...(options.lookup !== undefined && { lookup: options.lookup }),
    });
    const host = new ChromiumHost(options, egress, registry);
    try {
      await host.#browsers.start(null);
      if (options.warmContexts > 0) await host.#warm.add(null);
      host.#warm.refillSoon();
      return host;
    } catch (error) {
      await host.close();
      throw error;
    }
  }

  get sessionCount(): number {
    return this.#slots.acquired;
  }

  get waitingCount(): number {
    return this.#slots.waiting;
  }

  get browserCount(): number {
    return this.#browsers.running().length;
  }

  /** Memory that the end of the browsers would free, in bytes; null where the system does not tell. Reads the table of processes. */
  get browserBytes(): number | null {
    return anonymousBytesOfGroups(
      new Set(this.#browsers.running().flatMap(({ processGroup }) => processGroup ?? [])),
    );
  }

  get hasCapacity(): boolean {
    return this.#closing === null && this.#slots.available > 0;
  }

  async open(
    options: OpenContextOptions,
    listener: LeaseListener,
    signal: AbortSignal,
  ): Promise<BrowserLease> {
    if (this.#isClosing) throw shuttingDown();
    if (options.options?.device !== undefined) deviceOptions(options.options.device);
    if (options.proxy !== null) await checkProxyAllowed(this.#egress, options.proxy);
    const releaseSlot = await this.#slots.acquire(signal, options.accountId);
    this.#noteAccount(options.accountId);
    try {
      const pooled = await this.#acquireContext(options, signal);
      if (signal.aborted || this.#isClosing) {
        await this.#release(pooled, null);
        signal.throwIfAborted();
        throw shuttingDown();
      }
      const whileOperating: LeaseDeps['whileOperating'] = work =>
        this.#turns.run(lease, () =>
          this.#processorShare.whileOperating(lease, () => this.#warm.whileOperating(work)),
        );
      const lease: Lease = createLease(
        pooled,
        options,
        listener,
        { ...this.#options, whileOperating },
        async () => {
          this.#processorShare.release(lease);
          await this.#release(pooled, lease);
          releaseSlot();
        },
      );
      return lease;
    } catch (error) {
      releaseSlot();
      throw error;
    } finally {
      this.#warm.refillSoon();
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#shutDown();
    return this.#closing;
  }

  get #isClosing(): boolean {
    return this.#closing !== null;
  }

  /**
   * Takes a warm context, or creates one, as a session with options always needs. When a browser crashes meanwhile, tries the next one.
   * @throws Failure VALIDATION_ERROR if the browser does not take the options; BROWSER_CRASHED after the last attempt; SHUTTING_DOWN
   */
  async #acquireContext(
    { accountId, options = null, network = null }: OpenContextOptions,
    signal: AbortSignal,
  ): Promise<PooledContext> {
    const methods = network?.methods ?? null;
    const warm = options === null && methods === null ? this.#takeWarm(accountId) : null;
    if (warm !== null) return warm;
    const account = this.#options.isolateAccounts ? accountId : null;
    for (let attempt = 1; ; attempt++)
      try {
        return await this.#createContext(account, undefined, { ...options, methods });
      } catch (cause) {
        if (isFailure(cause)) throw cause;
        signal.throwIfAborted();
        if (attempt < MAX_BROWSER_ATTEMPTS) continue;
        this.#options.warn(
          `A session could not start: ${MAX_BROWSER_ATTEMPTS} browsers failed in turn`,
          cause,
        );
        throw new Failure(
          'BROWSER_CRASHED',
          `${MAX_BROWSER_ATTEMPTS} browsers in turn failed before the session was ready. Try again in a moment.`,
          { cause, retryAfterSeconds: 5 },
        );
      }
  }

  #takeWarm(accountId: string): PooledContext | null {
    const pooled = this.#warm.take(accountId, browser => this.#browsers.canHost(browser, accountId));
    if (pooled !== null) this.#browsers.claim(pooled.browser, accountId);
    return pooled;
  }

  get #hasSeveralAccounts(): boolean {
    return this.#options.hasSeveralAccounts || this.#accountIds.size > 1;
  }

  #noteAccount(accountId: string): void {
    if (this.#hasSeveralAccounts) return;
    this.#accountIds.add(accountId);
    if (!this.#hasSeveralAccounts) return;
    // While there was one account, its browser stayed open without sessions.
    for (const browser of this.#browsers.running()) this.#retireIfLeft(browser);
  }

  #warmTargets(): readonly WarmTarget[] {
    const accountIds = [...this.#browsers.accountIds()].filter(id => this.#browsers.hasOwnCapacity(id));
    return warmTargets({
      isolateAccounts: this.#options.isolateAccounts,
      hasSeveralAccounts: this.#hasSeveralAccounts,
      accountIds,
      count: Math.min(this.#options.warmContexts, this.#slots.available),
    });
  }

  /** A browser never serves a second account. */
  #retireIfLeft(browser: BrowserInstance): void {
    if (!this.#hasSeveralAccounts || browser.accountId === null || browser.leases.size > 0) return;
    this.#browsers.retire(browser);
  }

  async #createContext(
    accountId: string | null,
    pause?: Pause,
    options: ContextChoices = {},
  ): Promise<PooledContext> {
    const browser = await this.#browsers.pickBrowser(accountId);
    try {
      const creating = createWarmContext(browser.browser, this.#egress, pause, options);
      // If the browser has closed meanwhile, no session can use the context any more.
      creating.then(late => browser.isClosed && void late.close()).catch(() => {});
      return { browser, warm: await browser.whileConnected(creating) };
    } catch (error) {
      this.#browsers.removeContext(browser);
      throw error;
    }
  }

  /** Closes a context, and retires a browser that no other session should use. @param lease null for a context without a session */
  async #release({ browser, warm }: PooledContext, lease: Lease | null): Promise<void> {
    const closed = await warm.close();
    if (lease !== null) browser.removeLease(lease);
    // A context that did not close is still in the browser: do not use the browser for other sessions.
    if (!closed || browser.shouldRetire) this.#browsers.retire(browser);
    this.#retireIfLeft(browser);
    this.#browsers.removeContext(browser);
  }

  #browserLost(browser: BrowserInstance): void {
    if (browser.leases.size > 0 || !browser.isRetired)
      this.#options.warn(`${browser.lossReason} It had ${browser.leases.size} sessions.`);
    for (const lease of [...browser.leases]) lease.browserLost(browser.lossReason);
    this.#warm.refillSoon();
  }

  async #shutDown(): Promise<void> {
    this.#limitMonitor.stop();
    this.#processorShare.end();
    this.#priorities.end();
    this.#warm.stop();
    this.#slots.rejectAll(shuttingDown());
    await this.#browsers.close();
    await this.#egress.close();
  }
}
