/** The pool: browsers shared by sessions, a context for each session, contexts kept warm. */
import type { Semaphore } from '../../async/semaphore.ts';
import { Failure, isFailure } from '../../domain/failures.ts';
import type {
  BrowserHost,
  BrowserLease,
  LeaseListener,
  OpenContextOptions,
} from '../../domain/ports/browserHost.ts';
import { registerSelectorEngine } from '../act/elementContext.ts';
import { injectedScript } from '../cdp/injectedScript.ts';
import { type EgressProxy, startEgressProxy } from '../egress/startEgressProxy.ts';
import type { Lease } from '../lease/lease.ts';
import { SessionLimitMonitor } from '../limits/sessionLimitMonitor.ts';
import { BrowserInstance, DEFAULT_HEARTBEAT } from './browserInstance.ts';
import { BrowserProcessRegistry } from './browserProcessRegistry.ts';
import { createCapacityQueue } from './capacityQueue.ts';
import type { ChromiumHostOptions } from './chromiumHostOptions.ts';
import { checkProxyAllowed, createLease, type PooledContext } from './pooledContext.ts';
import { createWarmContext } from './warmContext.ts';
import { WarmContextPool } from './warmContextPool.ts';

/** So many browsers are tried for a session before its start is refused. */
const MAX_BROWSER_ATTEMPTS = 3;

const shuttingDown = (): Failure =>
  new Failure('SHUTTING_DOWN', 'The service is shutting down. Try again in a moment.', {
    retryAfterSeconds: 5,
  });

export class ChromiumHost implements BrowserHost {
  readonly #options: ChromiumHostOptions;
  readonly #egress: EgressProxy;
  readonly #registry: BrowserProcessRegistry;
  /** Browsers that take sessions in, and those that only wait for their last one to leave. */
  readonly #active = new Set<BrowserInstance>();
  readonly #retired = new Set<BrowserInstance>();
  /** Browsers being started, by the account they are for. */
  readonly #starting = new Map<string | null, Promise<BrowserInstance>>();
  readonly #warm: WarmContextPool;
  readonly #slots: Semaphore;
  readonly #limitMonitor: SessionLimitMonitor;
  #closing: Promise<void> | null = null;

  private constructor(options: ChromiumHostOptions, egress: EgressProxy, record: BrowserProcessRegistry) {
    this.#options = options;
    this.#registry = record;
    this.#egress = egress;
    const houses = () => [...this.#active, ...this.#retired];
    this.#limitMonitor = new SessionLimitMonitor(options.limits, houses, options.limitCheckIntervalMs);
    this.#slots = createCapacityQueue({
      capacity: options.capacity,
      maxWaiting: options.maxWaiting,
      waitTimeoutMs: options.waitTimeoutMs,
    });
    this.#warm = new WarmContextPool({
      create: () => this.#createContext(null),
      release: room => this.#release(room, null),
      targetCount: () => Math.min(options.warmContexts, this.#slots.available),
      warn: options.warn,
    });
  }

  /**
   * Ends the browsers that a killed process left, starts the egress proxy, the first browser and the warm contexts.
   * @throws Error when Chromium does not start
   */
  static async start(options: ChromiumHostOptions): Promise<ChromiumHost> {
    injectedScript('perceive');
    injectedScript('scrape');
    await registerSelectorEngine();
    const registry = new BrowserProcessRegistry(options.registryPath);
    const orphans = await registry.killOrphans();
    if (orphans > 0) options.warn(`Ended ${orphans} browsers that a former process of this service left`);
    const egress = await startEgressProxy({ allow: options.egressAllow });
    const host = new ChromiumHost(options, egress, registry);
    try {
      await host.#startBrowser(null);
      if (options.warmContexts > 0) await host.#warm.add();
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

  get hasCapacity(): boolean {
    return this.#closing === null && this.#slots.available > 0;
  }

  async open(
    tenancy: OpenContextOptions,
    listener: LeaseListener,
    signal: AbortSignal,
  ): Promise<BrowserLease> {
    if (this.#isClosing) throw shuttingDown();
    if (tenancy.proxy !== null) await checkProxyAllowed(this.#egress, tenancy.proxy);
    const releaseSlot = await this.#slots.acquire(signal);
    try {
      const pooled = await this.#acquireContext(tenancy.accountId, signal);
      if (signal.aborted || this.#isClosing) {
        await this.#release(pooled, null);
        signal.throwIfAborted();
        throw shuttingDown();
      }
      return this.#createLease(tenancy, pooled, listener, releaseSlot);
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

  #createLease(
    tenancy: OpenContextOptions,
    pooled: PooledContext,
    listener: LeaseListener,
    releaseSlot: () => void,
  ): Lease {
    return createLease(pooled, tenancy, listener, this.#options, async lease => {
      await this.#release(pooled, lease);
      releaseSlot();
    });
  }

  /**
   * A warm context or a new one. A browser that dies under it takes its own sessions only: another is tried.
   * @throws Failure BROWSER_CRASHED when none of them lasted; SHUTTING_DOWN
   */
  async #acquireContext(accountId: string, signal: AbortSignal): Promise<PooledContext> {
    const warm = this.#takeWarm(accountId);
    if (warm !== null) return warm;
    const account = this.#options.isolateAccounts ? accountId : null;
    for (let attempt = 1; ; attempt++)
      try {
        return await this.#createContext(account);
      } catch (cause) {
        if (isFailure(cause) || signal.aborted) throw cause;
        if (attempt < MAX_BROWSER_ATTEMPTS) continue;
        this.#options.warn(
          `No session could be made: ${MAX_BROWSER_ATTEMPTS} browsers failed under it`,
          cause,
        );
        throw new Failure(
          'BROWSER_CRASHED',
          `${MAX_BROWSER_ATTEMPTS} browsers in turn failed before a session was ready in one of them. Try again in a moment.`,
          { cause, retryAfterSeconds: 5 },
        );
      }
  }

  #takeWarm(accountId: string): PooledContext | null {
    const pooled = this.#warm.take(house => this.#canHost(house, accountId));
    if (pooled !== null) this.#claim(pooled.browser, accountId);
    return pooled;
  }

  /** @param accountId null for a context that any account may have */
  #canHost(browser: BrowserInstance, accountId: string | null): boolean {
    return !this.#options.isolateAccounts || browser.accountId === null || browser.accountId === accountId;
  }

  #claim(browser: BrowserInstance, accountId: string | null): void {
    if (this.#options.isolateAccounts) browser.accountId ??= accountId;
  }

  async #createContext(accountId: string | null): Promise<PooledContext> {
    const house = await this.#pickBrowser(accountId);
    try {
      const making = createWarmContext(house.browser, this.#egress);
      // One that comes too late is nobody's.
      making.then(late => house.isClosed && void late.close()).catch(() => {});
      return { browser: house, warm: await house.whileConnected(making) };
    } catch (error) {
      house.contexts--;
      this.#closeIfEmpty(house);
      throw error;
    }
  }

  /** A browser with room, the context already counted in. */
  async #pickBrowser(accountId: string | null): Promise<BrowserInstance> {
    for (;;) {
      if (this.#isClosing) throw shuttingDown();
      for (const house of this.#active) {
        if (!house.hasCapacity(this.#options.sessionsPerBrowser) || !this.#canHost(house, accountId))
          continue;
        // In one go with the look: many come at once.
        this.#claim(house, accountId);
        house.reserveContext();
        return house;
      }
      await this.#startBrowser(accountId);
    }
  }

  #startBrowser(accountId: string | null): Promise<BrowserInstance> {
    const starting = this.#starting.get(accountId);
    if (starting !== undefined) return starting;
    const { heartbeat = DEFAULT_HEARTBEAT, ...options } = this.#options;
    const gone = (house: BrowserInstance): void => this.#browserClosed(house);
    const work = BrowserInstance.start({
      ...options,
      heartbeat,
      onClosed: gone,
      egress: this.#egress,
      registry: this.#registry,
    })
      .then(async house => {
        if (this.#isClosing) await house.close();
        else this.#active.add(house);
        return house;
      })
      .finally(() => this.#starting.delete(accountId));
    this.#starting.set(accountId, work);
    return work;
  }

  #browserClosed(browser: BrowserInstance): void {
    const known = this.#active.delete(browser) || this.#retired.delete(browser);
    this.#warm.discard(browser);
    if (!known || this.#isClosing) return;
    if (browser.leases.size > 0 || !browser.retired)
      this.#options.warn(`${browser.lossReason} ${browser.leases.size} sessions were in it.`);
    for (const lease of [...browser.leases]) lease.browserLost(browser.lossReason);
    this.#warm.refillSoon();
  }

  async #release(pooled: PooledContext, lease: Lease | null): Promise<void> {
    const { browser, warm } = pooled;
    const closed = await warm.close();
    browser.contexts--;
    if (lease !== null) browser.removeLease(lease);
    // A context that would not close is still there: its browser is not to be trusted with others.
    const isLeft = browser.accountId !== null && browser.leases.size === 0;
    if (!closed || isLeft || browser.shouldRetire) this.#retire(browser);
    this.#closeIfEmpty(browser);
  }

  #retire(browser: BrowserInstance): void {
    if (browser.retired) return;
    browser.retired = true;
    if (this.#active.delete(browser)) this.#retired.add(browser);
    this.#warm.discard(browser);
  }

  #closeIfEmpty(browser: BrowserInstance): void {
    if (!browser.retired || browser.contexts > 0) return;
    this.#retired.delete(browser);
    void browser.close();
    this.#warm.refillSoon();
  }

  async #shutDown(): Promise<void> {
    this.#limitMonitor.stop();
    this.#warm.stop();
    this.#slots.rejectAll(shuttingDown());
    await Promise.allSettled(this.#starting.values());
    const houses = [...this.#active, ...this.#retired];
    await Promise.all(houses.flatMap(house => [...house.leases].map(lease => lease.close())));
    await Promise.all(houses.map(house => house.close()));
    await this.#egress.close();
  }
}
