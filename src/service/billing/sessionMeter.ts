/** What one session costs: its operations as they are done, the time between them at its end. */
import { browserTimePrice, type Charge, type ChargeKind, type Prices } from '../../domain/ledger.ts';

/** Whose session it is, and what is charged for it. */
export interface SessionMeterOptions {
  readonly sessionId: string;
  readonly accountId: string;
  /** The key that started it. */
  readonly keyId: string;
  /** Null where nothing is charged: the time is written down all the same. */
  readonly prices: Prices | null;
  /** What may be charged for the session in all, in micro-units; null for any amount. */
  readonly spendCapMicros: number | null;
}

/** An operation as it was asked for, before it is known how it goes. */
export interface RequestedOperation {
  /** UUID; the charge is written once for it. */
  readonly id: string;
  readonly kind: Exclude<ChargeKind, 'idle'>;
  readonly keyId: string;
}

/** One operation that ran. */
export interface FinishedOperation extends RequestedOperation {
  readonly startedAt: number;
  readonly endedAt: number;
  /** `done` costs its time and its price, `failed` its time; a `fault` of ours costs nothing. */
  readonly outcome: 'done' | 'failed' | 'fault';
}

export class SessionMeter {
  readonly options: SessionMeterOptions;
  #startedAt: number | null = null;
  #chargedMs = 0;
  #spentMicros = 0;
  readonly #release: (meter: SessionMeter) => void;

  /** @param release told when the session has ended */
  constructor(options: SessionMeterOptions, release: (meter: SessionMeter) => void) {
    this.options = options;
    this.#release = release;
  }

  /** The session has its browser: time counts. */
  start(at: number): void {
    this.#startedAt = at;
  }

  /** The wall clock was set; time that did not pass is not charged. */
  adjustForClockJump(byMs: number): void {
    if (this.#startedAt !== null) this.#startedAt += byMs;
  }

  /** Browser time up to now that is in no charge yet. Milliseconds. */
  unchargedMs(now: number): number {
    return this.#startedAt === null ? 0 : Math.max(0, now - this.#startedAt - this.#chargedMs);
  }

  /** What the session costs up to now, charged or not. Micro-units. */
  costMicros(now: number): number {
    return this.#spentMicros + this.pendingMicros(now);
  }

  /** What is not charged yet. Micro-units. */
  pendingMicros(now: number): number {
    const { prices } = this.options;
    return prices === null ? 0 : browserTimePrice(this.unchargedMs(now), prices);
  }

  /** The charge for an operation; it counts from now on, unless it is taken back. */
  chargeOperation({ id, kind, keyId, startedAt, endedAt, outcome }: FinishedOperation): Charge {
    const { prices } = this.options;
    const browserMs = Math.max(0, Math.min(endedAt - startedAt, this.unchargedMs(endedAt)));
    const time = prices === null || outcome === 'fault' ? 0 : browserTimePrice(browserMs, prices);
    const price = prices === null || outcome !== 'done' ? 0 : prices.operation[kind];
    return this.#addCharge({
      operationId: id,
      keyId,
      kind,
      at: endedAt,
      browserMs,
      priceMicros: time + price,
    });
  }

  /** The charge for all time that is in no other, at the session's end; null when there is none. */
  chargeIdleTime(endedAt: number): Charge | null {
    const { keyId, prices, sessionId } = this.options;
    const browserMs = this.unchargedMs(endedAt);
    if (browserMs === 0) return null;
    const priceMicros = prices === null ? 0 : browserTimePrice(browserMs, prices);
    return this.#addCharge({
      operationId: sessionId,
      keyId,
      kind: 'idle',
      at: endedAt,
      browserMs,
      priceMicros,
    });
  }

  /** A charge that could not be written. */
  revertCharge({ browserMs, priceMicros }: Charge): void {
    this.#chargedMs -= browserMs;
    this.#spentMicros -= priceMicros;
  }

  /** The session has ended. Idempotent. */
  end(): void {
    this.#release(this);
  }

  #addCharge(charge: Omit<Charge, 'accountId' | 'sessionId'>): Charge {
    const { accountId, sessionId } = this.options;
    this.#chargedMs += charge.browserMs;
    this.#spentMicros += charge.priceMicros;
    return { ...charge, accountId, sessionId };
  }
}
