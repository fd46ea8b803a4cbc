/** The requests that the same code of a page sends to the same path, and whether they are a poll. */

/** Shortest time between two requests that are no batch. Milliseconds. */
const MIN_GAP_MS = 5;
/** Number of requests without a break that make a poll if no operation can have caused one of them. */
const MIN_COUNT = 3;
/**
 * A new document that sends as many requests without a break, for this time, polls; what it reads page by page has fewer pages. So
 * does code that has sent some before the operation.
 */
const FAST = { count: 12, ms: 1_000 };
/** The same for requests that are answered slowly. */
const SLOW = { count: 6, ms: 3_000 };
/** A longer time without a request is a break: in periods, and in milliseconds. */
const MAX_BREAK = { periods: 3, ms: 150 };
/** Requests of a poll with a shorter period count as its own whenever they come: on a busy machine they come irregularly. Milliseconds. */
const MAX_FAST_PERIOD_MS = 600;
/** Deviation of a poll from its period: as a part of it, and in milliseconds. */
const TOLERANCE = { part: 0.25, ms: 30 };

/** One operation, and the time from its end to the start of the next one. */
export interface OperationSpan {
  readonly number: number;
  readonly startedAt: number;
  /** True until it ends. */
  readonly isRunning: boolean;
  /** True if it has loaded the document. */
  readonly isLoad: boolean;
}

/** The requests of one sender: those without a break between them are a run. */
export class RequestSeries {
  /** True if the sending code is known: another request of the same path then has a series of its own. */
  readonly #isSiteKnown: boolean;
  #operation = 0;
  #isPoll = false;
  /** Number of requests of the run, without batches; the time of the first one; how many no operation can have caused. */
  #count = 0;
  #firstStartedAt = Number.NEGATIVE_INFINITY;
  #uncausedCount = 0;
  /** Number of requests since the start of the operation, and the time of the first one. */
  #operationCount = 0;
  #operationStartedAt = Number.NEGATIVE_INFINITY;
  #lastStartedAt = Number.NEGATIVE_INFINITY;
  #periodMs: number | null = null;

  constructor(isSiteKnown: boolean) {
    this.#isSiteKnown = isSiteKnown;
  }

  /** Records a request. @returns true if it is one of a poll that ran before the operation, or that the new document has started */
  started(now: number, operation: OperationSpan): boolean {
    if (operation.number !== this.#operation) this.#beginOperation(operation);
    const gapMs = now - this.#lastStartedAt;
    const isOwn = this.#isPoll && this.#comesInTime(gapMs);
    if (gapMs >= MIN_GAP_MS) this.#learn(now, gapMs, operation);
    this.#lastStartedAt = now;
    return isOwn;
  }

  #beginOperation({ number, startedAt }: OperationSpan): void {
    const isPolled = this.#isPoll || (this.#count >= MIN_COUNT && this.#uncausedCount > 0);
    this.#isPoll = isPolled && startedAt - this.#lastStartedAt <= this.#maxBreakMs;
    this.#operation = number;
    this.#operationCount = 0;
    this.#uncausedCount = 0;
  }

  #learn(now: number, gapMs: number, { isRunning, isLoad, startedAt }: OperationSpan): void {
    if (gapMs > this.#maxBreakMs) {
      this.#count = 0;
      this.#periodMs = null;
    } else if (Number.isFinite(gapMs)) this.#periodMs = ((this.#periodMs ?? gapMs) * 3 + gapMs) / 4;
    if (this.#count++ === 0) this.#firstStartedAt = now;
    if (this.#operationCount++ === 0) this.#operationStartedAt = now;
    if (!isRunning) this.#uncausedCount++;
    if (!isLoad && this.#firstStartedAt >= startedAt) return;
    const ms = now - this.#operationStartedAt;
    this.#isPoll ||= [FAST, SLOW].some(least => this.#operationCount >= least.count && ms >= least.ms);
  }

  /** Before the period is known, every time is short enough. */
  get #maxBreakMs(): number {
    return this.#periodMs === null
      ? Number.POSITIVE_INFINITY
      : Math.max(MAX_BREAK.periods * this.#periodMs, MAX_BREAK.ms);
  }

  #comesInTime(gapMs: number): boolean {
    const periodMs = this.#periodMs ?? 0;
    if (this.#isSiteKnown && periodMs <= MAX_FAST_PERIOD_MS) return true;
    return Math.abs(gapMs - periodMs) <= Math.max(periodMs * TOLERANCE.part, TOLERANCE.ms);
  }
}
