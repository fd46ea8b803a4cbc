/** The open requests of a page that may change what it shows, and which of them the page sends by itself (polls, streams). */

import { cutText } from '../../domain/space/pageText.ts';
import {
  BODY_MS,
  IMMEDIATE_CONTINUATION_MS,
  LONG_POLL_CONTINUATION_MS,
  MAX_OPEN_REQUESTS,
  MIN_LONG_POLL_MS,
  MIN_POLLS,
  NEWS_POLL_MS,
  OPERATION_TAIL_MS,
  SILENT_BODY_MS,
} from '../settle/policy.ts';
import { type Endpoint, Endpoints, type RequestSeries, seriesOf } from './polls.ts';

/** Maximum length of an address that is kept. Characters. */
const MAX_ADDRESS_LENGTH = 500;

/** One open request. */
interface OpenRequest {
  readonly number: number;
  readonly startedAt: number;
  readonly endpoint: Endpoint;
  /** The address, without its fragment; empty if it is long. */
  readonly address: string;
  /** Method and short URL, for callers. */
  readonly label: string;
  /** Time of the response's headers; null while there are none. */
  respondedAt: number | null;
  /** True if the page sends it by itself: a poll. */
  readonly isOwn: boolean;
  /** True if a script of the top document reads the response, or leaves it unread. */
  readonly isFetched: boolean;
  /** True if nothing in the page uses the response, or reads its body. */
  isUnread: boolean;
}

/** Selects the open requests to count. */
export interface AwaitedRequests {
  /** Only requests after this one. */
  readonly after: number;
  /** Maximum wait for a response, from the start of the request. Milliseconds. */
  readonly maxAgeMs: number;
  /** Maximum wait for the rest of a response; default: that of a response that is no stream. Milliseconds. */
  readonly maxBodyMs?: number;
}

export class OpenRequests {
  readonly #open = new Map<string, OpenRequest>();
  readonly #endpoints = new Endpoints();
  /** Ids of the open event streams and web sockets. */
  readonly #streams = new Set<string>();
  #lastNumber = 0;
  #endedNumbers = 0;
  /** True from the start of an operation to its end. A new tab belongs to the operation that opened it. */
  #isOperating = true;
  #operationNumber = 0;
  /** True if the last operation has loaded the document. */
  #isLoad = true;
  #operationStartedAt = Number.NEGATIVE_INFINITY;
  #operationEndedAt = Number.NEGATIVE_INFINITY;
  #numberBeforeOperation = 0;

  /** Number of the latest request. Later requests have higher numbers. */
  get lastNumber(): number {
    return this.#lastNumber;
  }

  /** Number of requests that have ended. */
  get endedCount(): number {
    return this.#endedNumbers;
  }

  /** Number of requests without a complete response. */
  get openCount(): number {
    return this.#open.size;
  }

  /**
   * True if a server may send the result of the operation by another way than its response: over an event stream or a web socket, with
   * the response to a request that was open before the operation (a long poll, a stream that a script reads), or with the next poll.
   */
  get awaitsNews(): boolean {
    const since = performance.now() - NEWS_POLL_MS;
    const isPolled = ({ ownCount, periodMs, lastStartedAt }: Endpoint): boolean =>
      ownCount >= MIN_POLLS && (periodMs ?? Infinity) <= NEWS_POLL_MS && lastStartedAt > since;
    return (
      this.#streams.size > 0 ||
      this.#open.values().some(({ number }) => number <= this.#numberBeforeOperation) ||
      this.#endpoints.values().some(isPolled)
    );
  }

  /** Says that an operation runs in the page: requests that start now may be its effects. */
  operationStarted(): void {
    this.#isOperating = true;
    this.#isLoad = false;
    this.#operationNumber++;
    this.#operationStartedAt = performance.now();
    this.#numberBeforeOperation = this.#lastNumber;
  }

  /** Says that no operation runs any more: the page sends later requests by itself. */
  operationEnded(): void {
    if (!this.#isOperating) return;
    this.#isOperating = false;
    this.#operationEndedAt = performance.now();
  }

  /** Forgets what is known of endpoints: a new document polls others. */
  documentStarted(): void {
    if (this.#isOperating) this.#isLoad = true;
    this.#endpoints.clear();
    this.#streams.clear();
  }

  /** Records that a response is an event stream, whose request counts as ended, or that a web socket was opened. */
  streamStarted(id: string): void {
    if (this.#streams.size < MAX_OPEN_REQUESTS) this.#streams.add(id);
  }

  /**
   * Records the start of a request. A redirect is no new request.
   * @param isFetched true for a `fetch` of the top document
   * @param site the code that sends it: see `callSiteOf`
   */
  started(id: string, method: string, url: string, isFetched = false, site = ''): void {
    if (this.#open.has(id)) return;
    const now = performance.now();
    const endpoint = this.#endpoints.of(method, url);
    const series = seriesOf(endpoint, site);
    const isOwn = this.#isOwn(endpoint, series, site, now);
    if (this.#open.size >= MAX_OPEN_REQUESTS) this.#open.delete(this.#open.keys().next().value ?? '');
    this.#open.set(id, {
      number: ++this.#lastNumber,
      startedAt: now,
      endpoint,
      address: url.length <= MAX_ADDRESS_LENGTH ? url : '',
      label: `${method} ${shortUrl(url)}`,
      respondedAt: null,
      isOwn,
      isFetched,
      isUnread: false,
    });
    endpoint.lastStartedAt = now;
    endpoint.lastSite = site;
  }

  /** Records that the headers of a response have arrived. */
  responded(id: string): void {
    const request = this.#open.get(id);
    if (request !== undefined) request.respondedAt = performance.now();
  }

  /** True while a request is open to which no response has begun. */
  awaitsResponse(id: string): boolean {
    return this.#open.get(id)?.respondedAt === null;
  }

  /** Records the end of a request. @returns true if it was open */
  ended(id: string): boolean {
    this.#streams.delete(id);
    const request = this.#open.get(id);
    if (request === undefined) return false;
    this.#open.delete(id);
    if (!request.isOwn) this.#endedNumbers++;
    const now = performance.now();
    const { endpoint } = request;
    endpoint.lastEndedAt = now;
    endpoint.lastDurationMs = now - request.startedAt;
    return true;
  }

  /** Counts the open requests to wait for: without polls, streams and those that have been open for too long. */
  count(awaited: AwaitedRequests): number {
    let count = 0;
    for (const request of this.#open.values()) if (isAwaited(request, awaited, performance.now())) count++;
    return count;
  }

  /** True if nothing but the rest of fetched responses is awaited, for longer than small bodies take. */
  hasSilentBody(after: number): boolean {
    return this.#silentBodies(after).length > 0;
  }

  /** Records that the page does not read the responses of `hasSilentBody`. */
  ignoreSilentBodies(after: number): void {
    for (const request of this.#silentBodies(after)) request.isUnread = true;
  }

  /** True if requests are open that scripts of the top document have sent. */
  hasFetched(after: number): boolean {
    return this.#open.values().some(({ number, isFetched, isOwn }) => number > after && isFetched && !isOwn);
  }

  /** Records which requests have responses that nothing in the page uses. @param addresses of all such requests */
  ignoreUnused(after: number, addresses: ReadonlySet<string>): void {
    for (const request of this.#open.values())
      if (request.number > after && request.isFetched && addresses.has(request.address))
        request.isUnread = true;
  }

  #silentBodies(after: number): readonly OpenRequest[] {
    const now = performance.now();
    return [...this.#open.values()].filter(
      ({ number, respondedAt, isFetched, isOwn, isUnread }) =>
        number > after &&
        isFetched &&
        !isOwn &&
        !isUnread &&
        respondedAt !== null &&
        now - respondedAt >= SILENT_BODY_MS,
    );
  }

  /**
   * Returns method and short URL of each open request that started since the start of the last operation and is neither a
   * poll nor a stream, oldest first.
   */
  labels(): readonly string[] {
    const first = { after: this.#numberBeforeOperation, maxAgeMs: Infinity, maxBodyMs: Infinity };
    return [...this.#open.values()]
      .filter(request => isAwaited(request, first, performance.now()))
      .map(({ label }) => label);
  }

  /** Decides whether the page sends a request by itself, and learns from it. */
  #isOwn(endpoint: Endpoint, series: RequestSeries, site: string, now: number): boolean {
    const sinceStart = now - endpoint.lastStartedAt;
    const isPolled = series.started(now, {
      number: this.#operationNumber,
      startedAt: this.#operationStartedAt,
      isRunning: this.#isOperating,
      isLoad: this.#isLoad,
    });
    const isLong = endpoint.lastDurationMs >= MIN_LONG_POLL_MS;
    const continues = isLong && now - endpoint.lastEndedAt < LONG_POLL_CONTINUATION_MS;
    if (!this.#isOperating && now - this.#operationEndedAt > OPERATION_TAIL_MS) {
      endpoint.ownCount++;
      if (continues) endpoint.continuationCount++;
      else if (Number.isFinite(sinceStart)) endpoint.periodMs = sinceStart;
      return true;
    }
    if (continues && endpoint.continuationCount >= MIN_POLLS) return true;
    // A long poll that was open before the operation has its news now, and waits for the next. Other code asks something of its own.
    const wasOpen =
      endpoint.lastStartedAt < this.#operationStartedAt && endpoint.lastEndedAt >= this.#operationStartedAt;
    const isNext = wasOpen && (isLong || site === endpoint.lastSite);
    return isPolled || (isNext && now - endpoint.lastEndedAt < IMMEDIATE_CONTINUATION_MS);
  }
}

function isAwaited(
  { number, startedAt, respondedAt, isOwn, isUnread }: OpenRequest,
  { after, maxAgeMs, maxBodyMs = BODY_MS }: AwaitedRequests,
  now: number,
): boolean {
  if (number <= after || isOwn || isUnread || now - startedAt > maxAgeMs) return false;
  return respondedAt === null || now - respondedAt <= maxBodyMs;
}

/** Maximum length of a URL in a label. Characters. */
const MAX_LABEL_LENGTH = 100;

/** Returns the host and path of a URL: query and fragment may contain secrets. */
export function shortUrl(url: string): string {
  const parsed = URL.parse(url);
  const text = parsed === null ? (url.split(/[?#:]/, 1)[0] ?? '') : `${parsed.host}${parsed.pathname}`;
  return text.length <= MAX_LABEL_LENGTH ? text : `${cutText(text, MAX_LABEL_LENGTH - 1)}…`;
}
