/** What a browser says on its pipe, less what nobody here listens to and what is too large to be read. */
import { Transform, type TransformCallback } from 'node:stream';
import { MESSAGE_LIMITS, type MessageLimits, responseTooLarge } from '../cdp/messageLimits.ts';
import { ProtocolRateLimiter } from '../limits/protocolRateLimiter.ts';
import { EVENT_HEAD_BYTES, placeholderEvent } from './placeholderEvent.ts';

/** Messages end with it. */
const NUL = 0;
/** Enough of a message to tell what it is. Bytes. */
const MIN_HEAD_BYTES = 64;
/** Enough of its end to hold the session it belongs to. Bytes. */
const TAIL_BYTES = 64;

/**
 * Events of which Playwright or the service needs less: it keeps the last hundred requests of each page, and an address or
 * header longer than this no server takes (the way out refuses it). A form's text may be longer: that it was sent is known
 * by the answer then.
 */
const EVENT_LIMITS: Readonly<Record<string, number>> = {
  'Network.requestWillBeSent': 256_000,
  'Network.requestWillBeSentExtraInfo': 600_000,
  'Network.responseReceived': 600_000,
  // Playwright keeps an answer until its headers have come: these are as long as 256 KiB can be, six signs for a byte, three times.
  'Network.responseReceivedExtraInfo': 5_000_000,
  'Network.webSocketCreated': 256_000,
  'Network.webSocketWillSendHandshakeRequest': 600_000,
  'Network.webSocketHandshakeResponseReceived': 600_000,
  'Log.entryAdded': 64_000,
};

/** A page says these as often and as long as it likes, and nothing of the service depends on them. */
const DROPPED_EVENTS = new Set([
  'Runtime.consoleAPICalled',
  'Runtime.exceptionThrown',
  'Runtime.exceptionRevoked',
  'Network.dataReceived',
  'Network.eventSourceMessageReceived',
  'Network.resourceChangedPriority',
  'Network.webSocketFrameSent',
  'Network.webSocketFrameReceived',
  'Network.webSocketFrameError',
]);

/** Of these a byte counts for five: they take Chromium's main process the longest, and no page for people says much by them. */
const LOG_EVENTS = new Set(['Runtime.consoleAPICalled', 'Runtime.exceptionThrown']);
const LOG_EVENT_WEIGHT = 5;

/** The service asks for these, and for each by itself: what watchers see is not what pages say. */
const SCREENCAST_EVENT = 'Page.screencastFrame';

const EVENT_HEAD = /^\{"method":"([\w.]+)"/;
const RESPONSE_HEAD = /^\{"id":(\d+)/;
/** A page cannot write this end: a quote of its own would stand behind a backslash. */
const SESSION_TAIL = /,"sessionId":"([0-9A-F]+)"\}\0$/;
/** By these the sessions of pages, frames and workers are told. */
const ATTACHED = 'Target.attachedToTarget';
const DETACHED = 'Target.detachedFromTarget';

/**
 * Playwright reads whatever comes as one string, and a string has an end: a message past half a gigabyte would end the
 * process (and a page can make one, by a line of log). What is left out here is never decoded.
 */
export class PipeFilter extends Transform {
  readonly rateLimiter: ProtocolRateLimiter;
  readonly #limits: MessageLimits;
  #parts: Buffer[] = [];
  #length = 0;
  /** What the message that is being read may have; null until enough of it has come to tell. */
  #maxBytes: number | null = null;
  /** Of a message that is left out, as is its tail. */
  #head = '';
  /** Of an event; null for an answer. */
  #method: string | null = null;
  #tail: Buffer = EMPTY;

  constructor(limits = MESSAGE_LIMITS, speech = new ProtocolRateLimiter()) {
    super();
    this.#limits = limits;
    this.rateLimiter = speech;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let start = 0;
    for (let end = chunk.indexOf(NUL); end >= 0; end = chunk.indexOf(NUL, start)) {
      this.#append(chunk.subarray(start, end + 1));
      this.#finishMessage();
      start = end + 1;
    }
    if (start < chunk.length) this.#append(chunk.subarray(start));
    done();
  }

  #append(piece: Buffer): void {
    this.#length += piece.length;
    this.#parts.push(piece);
    if (this.#maxBytes === null && this.#length >= MIN_HEAD_BYTES) this.#classify();
    if (!this.#isDropped) return;
    if (this.#tail.length === 0) this.#head = firstBytes(this.#parts, EVENT_HEAD_BYTES);
    for (const part of this.#parts) this.#tail = lastBytes(this.#tail, part);
    this.#parts = [];
  }

  get #isDropped(): boolean {
    return this.#maxBytes !== null && this.#length > this.#maxBytes;
  }

  #classify(): void {
    const method = EVENT_HEAD.exec(firstBytes(this.#parts, MIN_HEAD_BYTES))?.[1] ?? null;
    this.#method = method;
    if (method === null) this.#maxBytes = this.#limits.response;
    else if (DROPPED_EVENTS.has(method)) this.#maxBytes = 0;
    else this.#maxBytes = Math.min(EVENT_LIMITS[method] ?? this.#limits.event, this.#limits.event);
  }

  #finishMessage(): void {
    const isDropped = this.#isDropped;
    if (!isDropped) for (const part of this.#parts) this.push(part);
    if (this.#method !== null) this.#count(this.#method, !isDropped);
    if (isDropped && this.#method === null) this.#sendError();
    const placeholder = isDropped ? placeholderEvent(this.#head) : null;
    if (placeholder !== null) this.#pushMessage(placeholder);
    this.#parts = [];
    this.#length = 0;
    this.#maxBytes = null;
    this.#method = null;
    this.#tail = EMPTY;
  }

  #sessionId(): string | null {
    for (let nth = this.#parts.length - 1; nth >= 0 && this.#tail.length < TAIL_BYTES; nth--)
      this.#tail = Buffer.concat([this.#parts[nth] ?? EMPTY, this.#tail]).subarray(-TAIL_BYTES);
    return SESSION_TAIL.exec(this.#tail.toString('latin1'))?.[1] ?? null;
  }

  #count(method: string, isRead: boolean): void {
    if (method === SCREENCAST_EVENT) return;
    const session = this.#sessionId();
    if (session !== null)
      this.rateLimiter.record(
        session,
        this.#length * (LOG_EVENTS.has(method) ? LOG_EVENT_WEIGHT : 1),
        isRead,
      );
    if (!isRead || !(method === ATTACHED || method === DETACHED)) return;
    const { params } = JSON.parse(
      Buffer.concat(this.#parts).toString('utf8', 0, this.#length - 1),
    ) as TargetMessage;
    // A worker may be told without its context: it has that of the page it belongs to.
    const context =
      params.targetInfo?.browserContextId ?? (session === null ? null : this.rateLimiter.contextOf(session));
    if (method === DETACHED) this.rateLimiter.detached(params.sessionId);
    else if (context !== null) this.rateLimiter.attached(params.sessionId, context);
  }

  /** Who asked is told. */
  #sendError(): void {
    const id = RESPONSE_HEAD.exec(this.#head)?.[1];
    if (id === undefined) return;
    const error = { code: -32_000, message: responseTooLarge(this.#length) };
    this.#pushMessage({ id: Number(id), error });
  }

  /** In the place of the message that was left out. */
  #pushMessage(message: object): void {
    const sessionId = this.#sessionId();
    this.push(`${JSON.stringify({ ...message, ...(sessionId !== null && { sessionId }) })}\0`);
  }
}

/** What is known of a target when a session with it begins or ends. */
interface TargetMessage {
  readonly params: {
    readonly sessionId: string;
    readonly targetInfo?: { readonly browserContextId?: string };
  };
}

const EMPTY = Buffer.alloc(0);

function firstBytes(parts: readonly Buffer[], length: number): string {
  let head = '';
  for (const part of parts) {
    head += part.toString('latin1', 0, length - head.length);
    if (head.length >= length) break;
  }
  return head;
}

const lastBytes = (before: Buffer, piece: Buffer): Buffer =>
  piece.length >= TAIL_BYTES
    ? Buffer.from(piece.subarray(-TAIL_BYTES))
    : Buffer.concat([before, piece]).subarray(-TAIL_BYTES);
