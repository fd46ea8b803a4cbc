/** The requests that a page sends by itself, again and again: polls. Known by the code that sends them, their paths and their times. */
import { hash } from 'node:crypto';
import {
  BATCH_GAP_MS,
  FAST_POLL,
  FAST_POLL_MS,
  MIN_UNCAUSED_POLLS,
  POLL_BREAK,
  POLL_TOLERANCE,
  SLOW_POLL,
} from '../settle/policy.ts';

/** Maximum number of endpoints remembered, and of places in the code of a page for one; beyond it the oldest are forgotten. */
const MAX_ENDPOINTS = 1_000;
const MAX_SERIES = 16;
/** Maximum length of a URL that is stored as it is; of a longer one, the hash is stored. Characters. */
const MAX_URL_LENGTH = 500;
/** Number of calls, the innermost first, that tell one sender from another. */
const MAX_CALLS = 8;

/** The cause of a request, as Chromium reports it. */
interface Initiator {
  readonly stack?: {
    readonly callFrames: readonly {
      readonly functionName: string;
      readonly url: string;
      readonly lineNumber: number;
      readonly columnNumber: number;
    }[];
  };
}

/** Returns a short text that is the same for requests of the same chain of calls; empty if no script sent the request. */
export function callSiteOf(initiator: Initiator | undefined): string {
  const calls = initiator?.stack?.callFrames.slice(0, MAX_CALLS) ?? [];
  if (calls.length === 0) return '';
  const parts = calls.map(call => `${call.functionName} ${call.url} ${call.lineNumber} ${call.columnNumber}`);
  return hash('sha1', parts.join('\n'));
}

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
    if (gapMs >= BATCH_GAP_MS) this.#learn(now, gapMs, operation);
    this.#lastStartedAt = now;
    return isOwn;
  }

  #beginOperation({ number, startedAt }: OperationSpan): void {
    const isPolled = this.#isPoll || (this.#count >= MIN_UNCAUSED_POLLS && this.#uncausedCount > 0);
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
    this.#isPoll ||= [FAST_POLL, SLOW_POLL].some(
      least => this.#operationCount >= least.count && ms >= least.ms,
    );
  }

  /** Before the period is known, every time is short enough. */
  get #maxBreakMs(): number {
    return this.#periodMs === null
      ? Number.POSITIVE_INFINITY
      : Math.max(POLL_BREAK.periods * this.#periodMs, POLL_BREAK.ms);
  }

  #comesInTime(gapMs: number): boolean {
    const periodMs = this.#periodMs ?? 0;
    if (this.#isSiteKnown && periodMs <= FAST_POLL_MS) return true;
    return Math.abs(gapMs - periodMs) <= Math.max(periodMs * POLL_TOLERANCE.part, POLL_TOLERANCE.ms);
  }
}

/** The observations of the requests with the same method, host and path. */
export interface Endpoint {
  /** Number of requests that the page sent while no operation ran. */
  ownCount: number;
  /** Number of long polls that the page sent again by itself. */
  continuationCount: number;
  lastStartedAt: number;
  lastEndedAt: number;
  /** Duration of the last request that ended, and the number of it. */
  lastDurationMs: number;
  /** The code that sent the last request: see `callSiteOf`. */
  lastSite: string;
  /** The requests, by the code that sends them. */
  readonly series: Map<string, RequestSeries>;
  /** Time between the last two requests that the page sent by itself; null before the second one. */
  periodMs: number | null;
}

/** Remembers when one page has sent requests to which endpoint, to tell polls from requests of a step. */
export class Endpoints {
  readonly #endpoints = new Map<string, Endpoint>();

  /** Forgets all of them. */
  clear(): void {
    this.#endpoints.clear();
  }

  values(): IteratorObject<Endpoint> {
    return this.#endpoints.values();
  }

  /** Returns the endpoint of a request. */
  of(method: string, url: string): Endpoint {
    const address = `${method} ${url.split(/[?#]/, 1)[0] ?? ''}`;
    // A substring would keep the long URL in memory.
    const key = url.length <= MAX_URL_LENGTH ? address : hash('sha1', address);
    const known = this.#endpoints.get(key);
    if (known !== undefined) return known;
    const endpoint: Endpoint = {
      ownCount: 0,
      continuationCount: 0,
      lastStartedAt: Number.NEGATIVE_INFINITY,
      lastEndedAt: Number.NEGATIVE_INFINITY,
      lastDurationMs: 0,
      lastSite: '',
      series: new Map(),
      periodMs: null,
    };
    if (this.#endpoints.size >= MAX_ENDPOINTS)
      this.#endpoints.delete(this.#endpoints.keys().next().value ?? '');
    this.#endpoints.set(key, endpoint);
    return endpoint;
  }
}

/** Returns the requests to an endpoint that the same code sends. @param site see `callSiteOf` */
export function seriesOf({ series }: Endpoint, site: string): RequestSeries {
  const known = series.get(site);
  if (known !== undefined) return known;
  const created = new RequestSeries(site !== '');
  if (series.size >= MAX_SERIES) series.delete(series.keys().next().value ?? '');
  series.set(site, created);
  return created;
}
