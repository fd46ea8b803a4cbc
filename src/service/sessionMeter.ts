/** What one session costs: its operations as they are done, the time between them at its end. */
import { browserPrice, type Charge, type ChargeKind, type Prices } from '../domain/ledger.ts';

/** Whose session it is, and what is charged for it. */
export interface MeterFacts {
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
export interface AskedOperation {
  /** UUID; the charge is written once for it. */
  readonly id: string;
  readonly kind: Exclude<ChargeKind, 'idle'>;
  readonly keyId: string;
}

/** One operation that ran. */
export interface MeteredOperation extends AskedOperation {
  readonly beganAt: number;
  readonly endedAt: number;
  /** `done` costs its time and its price, `failed` its time; a `fault` of ours costs nothing. */
  readonly outcome: 'done' | 'failed' | 'fault';
}

export class SessionMeter {
  readonly facts: MeterFacts;
  #beganAt: number | null = null;
  #chargedMs = 0;
  #spentMicros = 0;
  readonly #release: (meter: SessionMeter) => void;

  /** @param release told when the session has ended */
  constructor(facts: MeterFacts, release: (meter: SessionMeter) => void) {
    this.facts = facts;
    this.#release = release;
  }

  /** The session has its browser: time counts. */
  begin(at: number): void {
    this.#beganAt = at;
  }

  /** The wall clock was set; time that did not pass is not charged. */
  clockSet(byMs: number): void {
    if (this.#beganAt !== null) this.#beganAt += byMs;
  }

  /** Browser time up to now that is in no charge yet. Milliseconds. */
  unchargedMs(now: number): number {
    return this.#beganAt === null ? 0 : Math.max(0, now - this.#beganAt - this.#chargedMs);
  }

  /** What the session costs up to now, charged or not. Micro-units. */
  costMicros(now: number): number {
    return this.#spentMicros + this.pendingMicros(now);
  }

  /** What is not charged yet. Micro-units. */
  pendingMicros(now: number): number {
    const { prices } = this.facts;
    return prices === null ? 0 : browserPrice(this.unchargedMs(now), prices);
  }

  /** The charge for an operation; it counts from now on, unless it is taken back. */
  operation({ id, kind, keyId, beganAt, endedAt, outcome }: MeteredOperation): Charge {
    const { prices } = this.facts;
    const browserMs = Math.max(0, Math.min(endedAt - beganAt, this.unchargedMs(endedAt)));
    const time = prices === null || outcome === 'fault' ? 0 : browserPrice(browserMs, prices);
    const price = prices === null || outcome !== 'done' ? 0 : prices.operation[kind];
    return this.#counted({ operationId: id, keyId, kind, at: endedAt, browserMs, priceMicros: time + price });
  }

  /** The charge for all time that is in no other, at the session's end; null when there is none. */
  idle(endedAt: number): Charge | null {
    const { keyId, prices, sessionId } = this.facts;
    const browserMs = this.unchargedMs(endedAt);
    if (browserMs === 0) return null;
    const priceMicros = prices === null ? 0 : browserPrice(browserMs, prices);
    return this.#counted({
      operationId: sessionId,
      keyId,
      kind: 'idle',
      at: endedAt,
      browserMs,
      priceMicros,
    });
  }

  /** A charge that could not be written. */
  takeBack({ browserMs, priceMicros }: Charge): void {
    this.#chargedMs -= browserMs;
    this.#spentMicros -= priceMicros;
  }

  /** The session has ended. Idempotent. */
  end(): void {
    this.#release(this);
  }

  #counted(charge: Omit<Charge, 'accountId' | 'sessionId'>): Charge {
    const { accountId, sessionId } = this.facts;
    this.#chargedMs += charge.browserMs;
    this.#spentMicros += charge.priceMicros;
    return { ...charge, accountId, sessionId };
  }
}
