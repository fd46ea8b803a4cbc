/** The pool: browsers shared by sessions, a context for each session, contexts kept warm. */
import { Failure, isFailure } from '../../domain/failures.ts';
import type { BrowserHost, BrowserLease, LeaseListener, Tenancy } from '../../domain/ports.ts';
import { registerEngine } from '../act/acting.ts';
import { type EgressProxy, startEgressProxy } from '../egress/startEgressProxy.ts';
import { inPageScript } from '../inPageScript.ts';
import type { Lease } from '../lease.ts';
import { BoundsWatch } from './boundsWatch.ts';
import { BrowserRecord } from './browserRecord.ts';
import type { ChromiumHostOptions } from './hostOptions.ts';
import { HEARTBEAT, House } from './house.ts';
import { Places } from './places.ts';
import { admitProxy, leaseOf, type Room } from './room.ts';
import { warmContext } from './warmContext.ts';
import { WarmRooms } from './warmRooms.ts';

/** So many browsers are tried for a session before its start is refused. */
const BROWSERS_TRIED = 3;

const shuttingDown = (): Failure =>
  new Failure('SHUTTING_DOWN', 'The service is shutting down. Try again in a moment.', {
    retryAfterSeconds: 5,
  });

export class ChromiumHost implements BrowserHost {
  readonly #options: ChromiumHostOptions;
  readonly #egress: EgressProxy;
  readonly #record: BrowserRecord;
  /** Browsers that take sessions in, and those that only wait for their last one to leave. */
  readonly #active = new Set<House>();
  readonly #retired = new Set<House>();
  /** Browsers being started, by the account they are for. */
  readonly #starting = new Map<string | null, Promise<House>>();
  readonly #warm: WarmRooms;
  readonly #places: Places;
  readonly #bounds: BoundsWatch;
  #closing: Promise<void> | null = null;

  private constructor(options: ChromiumHostOptions, egress: EgressProxy, record: BrowserRecord) {
    this.#options = options;
    this.#record = record;
    this.#egress = egress;
    const houses = () => [...this.#active, ...this.#retired];
    this.#bounds = new BoundsWatch(options.bounds, houses, options.boundsEveryMs);
    this.#places = new Places({
      capacity: options.capacity,
      line: options.waitingLine,
      patienceMs: options.waitingPatienceMs,
    });
    this.#warm = new WarmRooms({
      make: () => this.#makeRoom(null),
      release: room => this.#release(room, null),
      wanted: () => Math.min(options.warmContexts, this.#places.free),
      warn: options.warn,
    });
  }

  /**
   * Ends the browsers that a killed process left, starts the egress proxy, the first browser and the warm contexts.
   * @throws Error when Chromium does not start
   */
  static async start(options: ChromiumHostOptions): Promise<ChromiumHost> {
    inPageScript('perceive');
    inPageScript('scrape');
    await registerEngine();
    const record = new BrowserRecord(options.recordPath);
    const left = await record.endLeftovers();
    if (left > 0) options.warn(`Ended ${left} browsers that a former process of this service left`);
    const egress = await startEgressProxy({ allow: options.egressAllow });
    const host = new ChromiumHost(options, egress, record);
    try {
      await host.#startHouse(null);
      if (options.warmContexts > 0) await host.#warm.add();
      host.#warm.refillSoon();
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

  async open(tenancy: Tenancy, listener: LeaseListener, signal: AbortSignal): Promise<BrowserLease> {
    if (this.#isClosing) throw shuttingDown();
    if (tenancy.proxy !== null) await admitProxy(this.#egress, tenancy.proxy);
    const leave = await this.#places.take(signal);
    try {
      const room = await this.#roomFor(tenancy.accountId, signal);
      if (signal.aborted || this.#isClosing) {
        await this.#release(room, null);
        signal.throwIfAborted();
        throw shuttingDown();
      }
      return this.#lease(tenancy, room, listener, leave);
    } catch (error) {
      leave();
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

  #lease(tenancy: Tenancy, room: Room, listener: LeaseListener, leave: () => void): Lease {
    return leaseOf(room, tenancy, listener, this.#options, async lease => {
      await this.#release(room, lease);
      leave();
    });
  }

  /**
   * A warm context or a new one. A browser that dies under it takes its own sessions only: another is tried.
   * @throws Failure BROWSER_CRASHED when none of them lasted; SHUTTING_DOWN
   */
  async #roomFor(accountId: string, signal: AbortSignal): Promise<Room> {
    const warm = this.#takeWarm(accountId);
    if (warm !== null) return warm;
    const account = this.#options.isolateAccounts ? accountId : null;
    for (let attempt = 1; ; attempt++)
      try {
        return await this.#makeRoom(account);
      } catch (cause) {
        if (isFailure(cause) || signal.aborted) throw cause;
        if (attempt < BROWSERS_TRIED) continue;
        this.#options.warn(`No session could be made: ${BROWSERS_TRIED} browsers failed under it`, cause);
        throw new Failure(
          'BROWSER_CRASHED',
          `${BROWSERS_TRIED} browsers in turn failed before a session was ready in one of them. Try again in a moment.`,
          { cause, retryAfterSeconds: 5 },
        );
      }
  }

  #takeWarm(accountId: string): Room | null {
    const room = this.#warm.take(house => this.#maySettle(house, accountId));
    if (room !== null) this.#claim(room.house, accountId);
    return room;
  }

  /** @param accountId null for a context that any account may have */
  #maySettle(house: House, accountId: string | null): boolean {
    return !this.#options.isolateAccounts || house.owner === null || house.owner === accountId;
  }

  #claim(house: House, accountId: string | null): void {
    if (this.#options.isolateAccounts) house.owner ??= accountId;
  }

  async #makeRoom(accountId: string | null): Promise<Room> {
    const house = await this.#roomyHouse(accountId);
    try {
      const making = warmContext(house.browser, this.#egress);
      // One that comes too late is nobody's.
      making.then(late => house.isGone && void late.close()).catch(() => {});
      return { house, warm: await house.whileUp(making) };
    } catch (error) {
      house.contexts--;
      this.#endIfEmpty(house);
      throw error;
    }
  }

  /** A browser with room, the context already counted in. */
  async #roomyHouse(accountId: string | null): Promise<House> {
    for (;;) {
      if (this.#isClosing) throw shuttingDown();
      for (const house of this.#active) {
        if (!house.hasRoom(this.#options.sessionsPerBrowser) || !this.#maySettle(house, accountId)) continue;
        // In one go with the look: many come at once.
        this.#claim(house, accountId);
        house.reserve();
        return house;
      }
      await this.#startHouse(accountId);
    }
  }

  #startHouse(accountId: string | null): Promise<House> {
    const starting = this.#starting.get(accountId);
    if (starting !== undefined) return starting;
    const { heartbeat = HEARTBEAT, ...options } = this.#options;
    const gone = (house: House): void => this.#gone(house);
    const work = House.start({ ...options, heartbeat, gone, egress: this.#egress, record: this.#record })
      .then(async house => {
        if (this.#isClosing) await house.end();
        else this.#active.add(house);
        return house;
      })
      .finally(() => this.#starting.delete(accountId));
    this.#starting.set(accountId, work);
    return work;
  }

  #gone(house: House): void {
    const known = this.#active.delete(house) || this.#retired.delete(house);
    this.#warm.drop(house);
    if (!known || this.#isClosing) return;
    if (house.leases.size > 0 || !house.retired)
      this.#options.warn(`${house.lossReason} ${house.leases.size} sessions were in it.`);
    for (const lease of [...house.leases]) lease.lost(house.lossReason);
    this.#warm.refillSoon();
  }

  async #release(room: Room, lease: Lease | null): Promise<void> {
    const { house, warm } = room;
    const closed = await warm.close();
    house.contexts--;
    if (lease !== null) house.moveOut(lease);
    // A context that would not close is still there: its browser is not to be trusted with others.
    const isLeft = house.owner !== null && house.leases.size === 0;
    if (!closed || isLeft || house.isWorn) this.#retire(house);
    this.#endIfEmpty(house);
  }

  #retire(house: House): void {
    if (house.retired) return;
    house.retired = true;
    if (this.#active.delete(house)) this.#retired.add(house);
    this.#warm.drop(house);
  }

  #endIfEmpty(house: House): void {
    if (!house.retired || house.contexts > 0) return;
    this.#retired.delete(house);
    void house.end();
    this.#warm.refillSoon();
  }

  async #shutDown(): Promise<void> {
    this.#bounds.stop();
    this.#warm.stop();
    this.#places.refuseAll(shuttingDown());
    await Promise.allSettled(this.#starting.values());
    const houses = [...this.#active, ...this.#retired];
    await Promise.all(houses.flatMap(house => [...house.leases].map(lease => lease.close())));
    await Promise.all(houses.map(house => house.end()));
    await this.#egress.close();
  }
}
