/** The requests of a page: the parts of their responses, those that are open and may change what it shows, and those that it sends by itself (polls, streams). */

import { hash } from 'node:crypto';
import { cutText } from '../../domain/space/pageText.ts';
import {
  BODY_MS,
  CONTINUATION_MS,
  MAX_OPEN_REQUESTS,
  MIN_LONG_POLL_MS,
  MIN_POLLS,
  NEWS_POLL_MS,
  OPERATION_TAIL_MS,
  POLL_BREAK,
} from '../settle/policy.ts';

/** Returns the Content-Type header of a response, which may contain the charset; without a header, the type that Chromium detected. */
export function contentTypeOf({
  headers,
  mimeType,
}: {
  readonly headers: Readonly<Record<string, string>>;
  readonly mimeType: string;
}): string {
  return headerOf(headers, 'content-type') || mimeType;
}

export function headerOf(
  headers: Readonly<Record<string, string>>,
  lowerCaseName: string,
): string | undefined {
  const name = Object.keys(headers).find(key => key.toLowerCase() === lowerCaseName);
  return name === undefined ? undefined : headers[name];
}

/** True for the status of a successful response that has a body; false for null, the status of no response. */
export const hasBody = (status: number | null): boolean =>
  status !== null && status >= 200 && status < 300 && status !== 204 && status !== 205;

/** Maximum number of senders remembered; beyond it the oldest are forgotten. */
const MAX_SENDERS = 1_000;
/** Number of calls, the innermost first, that tell one sender from another. */
const MAX_CALLS = 8;
const MAX_ADDRESS_LENGTH = 500;

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

/** The requests that the same code sends to one method, host and path. */
interface Sender {
  readonly address: string;
  /** The run of requests without a break: their number, how many no operation can have caused since the last one, and the mean time between them. */
  count: number;
  uncaused: number;
  gapMs: number;
  /** The operation of the last request. */
  operation: number;
  lastStartedAt: number;
  /** True for one that sends again and again by itself. */
  isPoll: boolean;
}

interface OpenRequest {
  readonly number: number;
  readonly startedAt: number;
  readonly sender: Sender;
  readonly address: string;
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

export interface AwaitedRequests {
  readonly after: number;
  /** Maximum wait for a response, from the start of the request. Milliseconds. */
  readonly maxAgeMs: number;
  /** Maximum wait for the rest of a response; default: that of a response that is no stream. Milliseconds. */
  readonly maxBodyMs?: number;
}

export class OpenRequests {
  readonly #open = new Map<string, OpenRequest>();
  readonly #senders = new Map<string, Sender>();
  readonly #longPolls = new Map<string, { readonly endedAt: number }>();
  readonly #streams = new Set<string>();
  #lastNumber = 0;
  #endedNumbers = 0;
  /** True from the start of an operation to its end. A new tab belongs to the operation that opened it. */
  #isOperating = true;
  #operationNumber = 0;
  #operationEndedAt = Number.NEGATIVE_INFINITY;
  #numberBeforeOperation = 0;

  /** Number of the latest request. Later requests have higher numbers. */
  get lastNumber(): number {
    return this.#lastNumber;
  }

  get endedCount(): number {
    return this.#endedNumbers;
  }

  get openCount(): number {
    return this.#open.size;
  }

  /**
   * True if a server may send the result of the operation by another way than its response: over an event stream or a web socket, with
   * the response to a request that was open before the operation (a long poll, a stream that a script reads), or with the next poll.
   */
  get awaitsNews(): boolean {
    const since = performance.now() - NEWS_POLL_MS;
    return (
      this.#streams.size > 0 ||
      this.#open.values().some(({ number }) => number <= this.#numberBeforeOperation) ||
      this.#senders
        .values()
        .some(sender => isPoll(sender) && sender.gapMs <= NEWS_POLL_MS && sender.lastStartedAt > since)
    );
  }

  /** Says that an operation runs in the page: requests that start now may be its effects. */
  operationStarted(): void {
    this.#isOperating = true;
    this.#operationNumber++;
    this.#numberBeforeOperation = this.#lastNumber;
  }

  /** Says that no operation runs any more: the page sends later requests by itself. */
  operationEnded(): void {
    if (!this.#isOperating) return;
    this.#isOperating = false;
    this.#operationEndedAt = performance.now();
  }

  /** Forgets what is known of polls: a new document has others. */
  documentStarted(): void {
    this.#senders.clear();
    this.#longPolls.clear();
    this.#streams.clear();
  }

  /** Records that a response is an event stream, whose request counts as ended, or that a web socket was opened. */
  streamStarted(id: string): void {
    if (this.#streams.size < MAX_OPEN_REQUESTS) this.#streams.add(id);
  }

  /** Records the start of a request, unless it is a redirect. `isFetched`: a `fetch` of the top document; `site`: see `callSiteOf`. */
  started(id: string, method: string, url: string, isFetched = false, site = ''): void {
    if (this.#open.has(id)) return;
    const now = performance.now();
    const sender = this.#senderOf(method, url, site);
    const isOwn = this.#isOwn(sender, now);
    if (this.#open.size >= MAX_OPEN_REQUESTS) this.#open.delete(this.#open.keys().next().value ?? '');
    this.#open.set(id, {
      number: ++this.#lastNumber,
      startedAt: now,
      sender,
      address: url.length <= MAX_ADDRESS_LENGTH ? url : '',
      label: `${method} ${shortUrl(url)}`,
      respondedAt: null,
      isOwn,
      isFetched,
      isUnread: false,
    });
  }

  responded(id: string): void {
    const request = this.#open.get(id);
    if (request !== undefined) request.respondedAt = performance.now();
  }

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
    const endedAt = performance.now();
    const isLong = endedAt - request.startedAt >= MIN_LONG_POLL_MS;
    if (isLong && (request.isOwn || request.number <= this.#numberBeforeOperation))
      this.#longPolls.set(request.sender.address, { endedAt });
    return true;
  }

  /** Counts the open requests to wait for: without polls, streams and those that have been open for too long. */
  count(awaited: AwaitedRequests): number {
    let count = 0;
    for (const request of this.#open.values()) if (isAwaited(request, awaited, performance.now())) count++;
    return count;
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

  /** Returns method and short URL of each open request since the start of the last operation, no poll and no stream, oldest first. */
  labels(): readonly string[] {
    const first = { after: this.#numberBeforeOperation, maxAgeMs: Infinity, maxBodyMs: Infinity };
    return [...this.#open.values()]
      .filter(request => isAwaited(request, first, performance.now()))
      .map(({ label }) => label);
  }

  #senderOf(method: string, url: string, site: string): Sender {
    const address = hash('sha1', `${method} ${url.split(/[?#]/, 1)[0] ?? ''}`);
    const key = `${address} ${site}`;
    const known = this.#senders.get(key);
    if (known !== undefined) return known;
    const sender: Sender = {
      address,
      count: 0,
      uncaused: 0,
      gapMs: Infinity,
      operation: 0,
      lastStartedAt: -Infinity,
      isPoll: false,
    };
    if (this.#senders.size >= MAX_SENDERS) this.#senders.delete(this.#senders.keys().next().value ?? '');
    this.#senders.set(key, sender);
    return sender;
  }

  #isOwn(sender: Sender, now: number): boolean {
    const isPolled = this.#isOfPoll(sender, now);
    if (!this.#isOperating && now - this.#operationEndedAt > OPERATION_TAIL_MS) return true;
    const { endedAt = -Infinity } = this.#longPolls.get(sender.address) ?? {};
    return isPolled || now - endedAt < CONTINUATION_MS;
  }

  /** Returns true for a request of a sender that has polled before the operation, or since a new document has started. */
  #isOfPoll(sender: Sender, now: number): boolean {
    const gapMs = now - sender.lastStartedAt;
    if (gapMs > Math.max(POLL_BREAK.periods * sender.gapMs, POLL_BREAK.ms))
      Object.assign(sender, { count: 0, uncaused: 0, gapMs: Infinity, isPoll: false });
    if (sender.operation !== this.#operationNumber) {
      sender.isPoll = isPoll(sender);
      Object.assign(sender, { operation: this.#operationNumber, uncaused: 0 });
    }
    sender.count++;
    if (!this.#isOperating) sender.uncaused++;
    if (Number.isFinite(gapMs))
      sender.gapMs = Number.isFinite(sender.gapMs) ? (sender.gapMs * 3 + gapMs) / 4 : gapMs;
    sender.lastStartedAt = now;
    return sender.isPoll;
  }
}

const isPoll = ({ count, uncaused, isPoll }: Sender): boolean =>
  isPoll || (count >= MIN_POLLS && uncaused > 0);

function isAwaited(
  { number, startedAt, respondedAt, isOwn, isUnread }: OpenRequest,
  { after, maxAgeMs, maxBodyMs = BODY_MS }: AwaitedRequests,
  now: number,
): boolean {
  if (number <= after || isOwn || isUnread || now - startedAt > maxAgeMs) return false;
  return respondedAt === null || now - respondedAt <= maxBodyMs;
}

const MAX_LABEL_LENGTH = 100;

/** Returns the host and path of a URL: query and fragment may contain secrets. */
export function shortUrl(url: string): string {
  const parsed = URL.parse(url);
  const text = parsed === null ? (url.split(/[?#:]/, 1)[0] ?? '') : `${parsed.host}${parsed.pathname}`;
  return text.length <= MAX_LABEL_LENGTH ? text : `${cutText(text, MAX_LABEL_LENGTH - 1)}…`;
}
