/**
 * Computes the charges of one session: one per operation, and one for its idle time when it ends. It only computes:
 * `store/kyselyLedgerStore.ts` writes the rows.
 */
import { browserTimePrice, type Charge, type ChargeKind, type Prices } from '../../domain/ledger.ts';

/** The session to charge, its account and its prices. */
export interface SessionChargesOptions {
  readonly sessionId: string;
  readonly accountId: string;
  /** Id of the key that started the session. */
  readonly keyId: string;
  /** The prices; null for an account that does not pay: its charges contain the time, and the price 0. */
  readonly prices: Prices | null;
  /** Maximum cost of the session, in micro-units; null for no maximum. */
  readonly spendCapMicros: number | null;
}

/** Identifies an operation for its charge. */
export interface RequestedOperation {
  /** UUID of the operation. The ledger contains at most one charge per id. */
  readonly id: string;
  readonly kind: Exclude<ChargeKind, 'idle'>;
  /** Id of the key that the caller used. */
  readonly keyId: string;
}

/** An operation that has ended, with its times (milliseconds since the epoch) and its outcome. */
export interface FinishedOperation extends RequestedOperation {
  readonly startedAt: number;
  readonly endedAt: number;
  /** `done`: the operation and its time are charged. `failed`: only its time. `fault` (of the service): the price is 0. */
  readonly outcome: 'done' | 'failed' | 'fault';
}

/** Measures the browser time of one session, and computes its charges. The caller writes them to the store. */
export class SessionCharges {
  readonly options: SessionChargesOptions;
  #startedAt: number | null = null;
  #chargedMs = 0;
  #spentMicros = 0;
  readonly #onEnd: (charges: SessionCharges) => void;

  /** @param onEnd called by each `end` */
  constructor(options: SessionChargesOptions, onEnd: (charges: SessionCharges) => void) {
    this.options = options;
    this.#onEnd = onEnd;
  }

  /**
   * Starts to count the browser time. Call it when the session has its browser.
   * @param at milliseconds since the epoch
   */
  start(at: number): void {
    this.#startedAt = at;
  }

  /** Shifts the start of the browser time by a jump of the wall clock, so that the jump is not charged. */
  adjustForClockJump(byMs: number): void {
    if (this.#startedAt !== null) this.#startedAt += byMs;
  }

  /** Returns the browser time until `now` that no charge includes yet, in milliseconds. */
  unchargedMs(now: number): number {
    return this.#startedAt === null ? 0 : Math.max(0, now - this.#startedAt - this.#chargedMs);
  }

  /** Returns the total cost of the session until `now`, charged or not, in micro-units. */
  costMicros(now: number): number {
    return this.#spentMicros + this.pendingMicros(now);
  }

  /** Returns the cost of the browser time until `now` that no charge includes yet, in micro-units. */
  pendingMicros(now: number): number {
    const { prices } = this.options;
    return prices === null ? 0 : browserTimePrice(this.unchargedMs(now), prices);
  }

  /** Creates the charge of an operation, and counts it as charged. Call `revertCharge` if it cannot be written. */
  chargeOperation({ id, kind, keyId, startedAt, endedAt, outcome }: FinishedOperation): Charge {
    const { prices } = this.options;
    const browserMs = Math.max(0, Math.min(endedAt - startedAt, this.unchargedMs(endedAt)));
    const timePrice = prices === null || outcome === 'fault' ? 0 : browserTimePrice(browserMs, prices);
    const operationPrice = prices === null || outcome !== 'done' ? 0 : prices.operation[kind];
    return this.#addCharge({
      operationId: id,
      keyId,
      kind,
      at: endedAt,
      browserMs,
      priceMicros: timePrice + operationPrice,
    });
  }

  /**
   * Creates the charge of all browser time that no other charge includes, when the session ends. Call `revertCharge` if it
   * cannot be written.
   * @returns null if there is no such time
   */
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

  /** Stops counting a charge that could not be written: its time is then uncharged again. */
  revertCharge({ browserMs, priceMicros }: Charge): void {
    this.#chargedMs -= browserMs;
    this.#spentMicros -= priceMicros;
  }

  /** Calls `onEnd`, so that the session no longer counts against its account. Call it when the session has ended. */
  end(): void {
    this.#onEnd(this);
  }

  #addCharge(charge: Omit<Charge, 'accountId' | 'sessionId'>): Charge {
    const { accountId, sessionId } = this.options;
    this.#chargedMs += charge.browserMs;
    this.#spentMicros += charge.priceMicros;
    return { ...charge, accountId, sessionId };
  }
}
