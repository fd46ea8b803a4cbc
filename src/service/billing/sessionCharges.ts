/** The charges of one session: one per operation, and its idle time. `store/kyselyLedgerStore.ts` writes the rows. */

import { MS_PER_DAY, startOfUtcDay } from '../../domain/account/account.ts';
import {
  type Charge,
  type ChargeKind,
  NO_TIME,
  type Prices,
  type SessionMeter,
  type TimeCost,
  timePrice,
} from '../../domain/account/ledger.ts';
import type { Clock } from '../../domain/ports/clock.ts';

export interface SessionChargesOptions {
  readonly sessionId: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly spendCapMicros: number | null;
}

export interface RequestedOperation {
  /** UUID of the operation. The ledger contains at most one charge per id. */
  readonly id: string;
  readonly kind: Exclude<ChargeKind, 'idle'>;
  readonly keyId: string;
}

export interface FinishedOperation extends RequestedOperation {
  /** `done`: the operation and its time are charged. `failed`: only its time. `fault` (of the service): the price is 0. */
  readonly outcome: 'done' | 'failed' | 'fault';
}

/** The start of a day (UTC), and browser time of that day. */
type DayTime = readonly [day: number, time: TimeCost];

export interface UnchargedTime {
  readonly browserMs: number;
  /** The part of `browserMs` that belongs to the current day (UTC). */
  readonly todayMs: number;
  readonly priceMicros: number;
}

/** Measures browser time by the monotonic clock, at the prices in force while it passes. The caller writes the charges. */
export class SessionCharges {
  readonly options: SessionChargesOptions;
  readonly #clock: Clock;
  readonly #onEnd: (charges: SessionCharges) => void;
  #prices: Prices | null;
  /** Time of the monotonic clock until which the time is counted; null before `start` and after the end. */
  #countedUntil: number | null = null;
  #chargedMs = 0;
  #spentMicros = 0;
  /** Uncharged time of the running operation; null while no operation runs. */
  #operation: TimeCost | null = null;
  /** Uncharged time outside operations, by the start of its day (UTC). */
  readonly #idle = new Map<number, TimeCost>();
  #writes = 0;
  /** The time that each charge took from the uncharged time, to give it back if the charge cannot be written. */
  readonly #taken = new WeakMap<Charge, TimeCost>();

  /** `prices` is null for an account that does not pay: its charges contain the time, and the price 0. */
  constructor(
    options: SessionChargesOptions,
    prices: Prices | null,
    clock: Clock,
    onEnd: (charges: SessionCharges) => void,
  ) {
    this.options = options;
    this.#prices = prices;
    this.#clock = clock;
    this.#onEnd = onEnd;
  }

  start(): void {
    this.#countedUntil = this.#clock.monotonicNow();
  }

  /** Counts no time from now on: the session has ended. Idempotent. */
  stop(): void {
    this.#count();
    this.#countedUntil = null;
  }

  /** @param msAgo time since which they are in force, in milliseconds. Time that is charged already keeps its price. */
  changePrices(prices: Prices | null, msAgo: number): void {
    if (prices === this.#prices) return;
    this.#countUntil(this.#clock.monotonicNow() - msAgo);
    this.#prices = prices;
    this.#count();
  }

  /** Counts the time from now on as time of an operation, until `endOperation`. */
  beginOperation(): void {
    this.#count();
    this.#operation = NO_TIME;
  }

  /** Counts the time from now on as idle time, and the uncharged time of the operation too. Idempotent. */
  endOperation(): void {
    this.#count();
    const left = this.#operation;
    this.#operation = null;
    if (left !== null) this.#addIdle(left);
  }

  /** Returns the browser time until now that no charge includes yet. Does not count it: its price can still change. */
  uncharged(): UnchargedTime {
    const now = this.#clock.monotonicNow();
    const today = startOfUtcDay(this.#clock.now());
    let all = NO_TIME;
    let todayMs = 0;
    const running: DayTime = [today, this.#operation ?? NO_TIME];
    for (const [day, time] of [...this.#idle, running, ...this.#timeSince(now)]) {
      all = sum(all, time);
      if (day >= today) todayMs += time.browserMs;
    }
    return { browserMs: all.browserMs, todayMs, priceMicros: timePrice(all) };
  }

  /** Returns the total cost of the session until now, charged or not, in micro-units. */
  costMicros(): number {
    return this.#spentMicros + this.uncharged().priceMicros;
  }

  /** True while charges are written: until the write ends, `meter()` says nothing certain about what the ledger has. */
  get isBeingWritten(): boolean {
    return this.#writes > 0;
  }

  /** Begins a write of charges. Dispose it when the write has ended. */
  beginWrite(): Disposable {
    this.#writes += 1;
    return {
      [Symbol.dispose]: () => {
        this.#writes -= 1;
      },
    };
  }

  /** Returns the state to store with each change of the session: the next process charges from it after a kill. */
  meter(): SessionMeter {
    const { browserMs, priceMicros } = this.uncharged();
    return {
      keyId: this.options.keyId,
      browserMs: this.#chargedMs + browserMs,
      unchargedMs: browserMs,
      unchargedMicros: priceMicros,
    };
  }

  /** Creates the charge of the running operation, and counts it as charged. Call `revertCharge` if it cannot be written. */
  chargeOperation({ id, kind, keyId, outcome }: FinishedOperation): Charge {
    this.#count();
    const { browserMs, cost } = this.#operation ?? NO_TIME;
    if (this.#operation !== null) this.#operation = NO_TIME;
    const operationPrice = outcome === 'done' ? (this.#prices?.operation[kind] ?? 0) : 0;
    const taken = { browserMs, cost: outcome === 'fault' ? 0 : cost };
    return this.#charge({ operationId: id, keyId, kind, at: this.#clock.now() }, taken, operationPrice);
  }

  /** One charge for each day (UTC) of the time that no other includes; none counts afterwards. Call `revertCharge` for those not written. */
  chargeIdleTime(): readonly Charge[] {
    this.endOperation();
    this.stop();
    const { keyId, sessionId } = this.options;
    const days = [...this.#idle].filter(([, { browserMs }]) => browserMs > 0).sort(([a], [b]) => a - b);
    this.#idle.clear();
    return days.map(([day, time], index) => {
      const isLast = index === days.length - 1;
      const operationId = isLast ? sessionId : `${sessionId} ${new Date(day).toISOString().slice(0, 10)}`;
      const at = isLast ? this.#clock.now() : day + MS_PER_DAY - 1;
      return this.#charge({ operationId, keyId, kind: 'idle', at }, time, 0);
    });
  }

  /** Stops counting a charge that could not be written: its time is then uncharged again. */
  revertCharge(charge: Charge): void {
    const taken = this.#taken.get(charge);
    if (taken === undefined) return;
    this.#taken.delete(charge);
    this.#chargedMs -= charge.browserMs;
    this.#spentMicros -= charge.priceMicros;
    if (this.#operation !== null && charge.kind !== 'idle') this.#operation = sum(this.#operation, taken);
    else this.#addIdle(taken, startOfUtcDay(charge.at));
  }

  /** Calls `onEnd`, so that the session no longer counts against its account. Call it when the session has ended. */
  end(): void {
    this.#onEnd(this);
  }

  #charge(
    fields: Pick<Charge, 'operationId' | 'keyId' | 'kind' | 'at'>,
    taken: TimeCost,
    operationPrice: number,
  ): Charge {
    const { accountId, sessionId } = this.options;
    const charge: Charge = {
      ...fields,
      accountId,
      sessionId,
      browserMs: taken.browserMs,
      priceMicros: timePrice(taken) + operationPrice,
      minuteMicros: this.#prices?.browserMinute ?? null,
    };
    this.#taken.set(charge, taken);
    this.#chargedMs += charge.browserMs;
    this.#spentMicros += charge.priceMicros;
    return charge;
  }

  #count(): void {
    this.#countUntil(this.#clock.monotonicNow());
  }

  #countUntil(until: number): void {
    for (const [day, time] of this.#timeSince(until))
      if (this.#operation === null) this.#addIdle(time, day);
      else this.#operation = sum(this.#operation, time);
    if (this.#countedUntil !== null) this.#countedUntil = Math.max(this.#countedUntil, until);
  }

  /** Returns the time that is not counted yet, until a time of the monotonic clock, with the start of its day (UTC). */
  #timeSince(until: number): readonly DayTime[] {
    const browserMs = this.#countedUntil === null ? 0 : Math.max(0, until - this.#countedUntil);
    const minutePrice = this.#prices?.browserMinute ?? 0;
    const now = this.#clock.now();
    const today = startOfUtcDay(now);
    const todayMs = Math.min(browserMs, now - today);
    const toTimeCost = (ms: number): TimeCost => ({ browserMs: ms, cost: ms * minutePrice });
    return [
      [today - MS_PER_DAY, toTimeCost(browserMs - todayMs)],
      [today, toTimeCost(todayMs)],
    ];
  }

  #addIdle(time: TimeCost, day = startOfUtcDay(this.#clock.now())): void {
    this.#idle.set(day, sum(this.#idle.get(day) ?? NO_TIME, time));
  }
}

const sum = (a: TimeCost, b: TimeCost): TimeCost => ({
  browserMs: a.browserMs + b.browserMs,
  cost: a.cost + b.cost,
});
