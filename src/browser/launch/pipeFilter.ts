/** Filters the messages that a browser writes to its pipe: drops events that the service does not use, and messages that are too long. */
import { pipeline, Transform, type TransformCallback, type Writable } from 'node:stream';
import type { Browser } from 'playwright';
import { CHILD_LOG_DOMAIN, MESSAGE_LIMITS, responseTooLarge, SHARED_WORKER_MARK } from '../cdp/errors.ts';
import { EVENT_HEAD, interceptBrowserPipe, RESPONSE_HEAD, SESSION_TAIL } from '../cdp/playwrightInternals.ts';
import { markMirroring } from '../cdp/playwrightSessions.ts';
import { WORKER_AGENT_RESPONSE, withAgent } from '../cdp/userAgent.ts';
import { PROTOCOL_RATE_LIMITS, ProtocolRateLimiter } from '../limits/protocolRateLimiter.ts';

/**
 * Copies Playwright's page events to the service's own CDP session of the same page.
 *
 * The service must not enable the domain `Page` in a second session: when two sessions of a page have it enabled, and the
 * page closes while one of its frames has an open dialog, Chromium's main process crashes, with all sessions of the browser.
 */

const MIRRORED_EVENTS: ReadonlySet<string> = new Set([
  'Page.domContentEventFired',
  'Page.fileChooserOpened',
  'Page.frameClearedScheduledNavigation',
  'Page.frameNavigated',
  'Page.frameRequestedNavigation',
  'Page.frameScheduledNavigation',
  'Page.frameStoppedLoading',
  'Page.loadEventFired',
  'Page.navigatedWithinDocument',
  'Page.windowOpen',
]);

/** The types of the targets that belong to a page and have a process or a thread of their own. */
const CHILD_TYPES: ReadonlySet<string> = new Set(['iframe', 'worker']);
/** The type of the targets that belong to a context: Playwright keeps the session that the browser itself announces. */
const CONTEXT_TYPE = 'service_worker';

/** The CDP sessions of one page, the one of Playwright first. */
type Sessions = Set<string>;

/** Knows which CDP sessions belong to the same page. */
class PageEventMirror {
  readonly #sessionsByTarget = new Map<string, Sessions>();
  readonly #sessions = new Map<string, Sessions>();
  /** The first session of each frame with a process of its own, and of each worker: that of Playwright. By target, and by session. */
  readonly #childOfTarget = new Map<string, string>();
  readonly #children = new Map<string, string>();

  /** The target of the session; `isAnnouncedByPage` if the session of a page announces it, not the browser. */
  attached(
    session: string,
    target: { readonly targetId: string; readonly type: string },
    isAnnouncedByPage: boolean,
  ): void {
    if (target.type !== 'page') {
      const isChild = CHILD_TYPES.has(target.type) || (target.type === CONTEXT_TYPE && !isAnnouncedByPage);
      if (!isChild || this.#childOfTarget.has(target.targetId)) return;
      this.#childOfTarget.set(target.targetId, session);
      this.#children.set(session, target.targetId);
      return;
    }
    const sessions = this.#sessionsByTarget.get(target.targetId) ?? new Set();
    this.#sessionsByTarget.set(target.targetId, sessions.add(session));
    this.#sessions.set(session, sessions);
  }

  detached(session: string): void {
    this.#childOfTarget.delete(this.#children.get(session) ?? '');
    this.#children.delete(session);
    const sessions = this.#sessions.get(session);
    if (sessions === undefined) return;
    this.#sessions.delete(session);
    sessions.delete(session);
    if (sessions.size > 0) return;
    for (const [target, known] of this.#sessionsByTarget)
      if (known === sessions) this.#sessionsByTarget.delete(target);
  }

  isOwn(session: string): boolean {
    const [first] = this.#sessions.get(session) ?? [];
    return first !== undefined && first !== session;
  }

  /** Returns true for Playwright's session of a worker of any kind, or of a frame that has a process of its own. */
  isChild(session: string): boolean {
    return this.#children.has(session);
  }

  receivers(method: string, session: string): readonly string[] {
    if (!MIRRORED_EVENTS.has(method)) return [];
    const [first, ...others] = this.#sessions.get(session) ?? [];
    return first === session ? others : [];
  }
}

/** Replaces dropped events of dialogs and downloads: Playwright or the browser waits for a reaction to them. */

/** Number of first bytes of an event that `placeholderEvent` needs. */
const EVENT_HEAD_BYTES = 512;

/** A dialog blocks its page until it is answered. Chromium shortens its message, but not the default text of a prompt. */
const DIALOG_EVENT = /^\{"method":"(Page\.javascriptDialogOpening)"/;
const PLACEHOLDER_PROMPT = {
  url: '',
  message: 'A prompt whose text is too long to be shown',
  type: 'prompt',
  defaultPrompt: '',
};

/** Chromium stores the download even if the event is dropped. Only a `data:` URL makes the event too long. */
const DOWNLOAD_EVENT =
  /^\{"method":"(Browser\.downloadWillBegin)","params":\{"frameId":"(\w+)","guid":"([\w-]+)","url":"data:/;

/** Null if the dropped event needs no replacement. @param head the first bytes of the dropped event */
function placeholderEvent(head: string): { readonly method: string; readonly params: object } | null {
  const [, dialog] = DIALOG_EVENT.exec(head) ?? [];
  if (dialog !== undefined) return { method: dialog, params: PLACEHOLDER_PROMPT };
  const [, download, frameId, guid] = DOWNLOAD_EVENT.exec(head) ?? [];
  if (download === undefined) return null;
  return { method: download, params: { frameId, guid, url: 'data:,', suggestedFilename: 'download' } };
}

/** The byte that ends every CDP message on the pipe. */
const NUL = 0;
/** The filter classifies a message when it has received this many bytes of it. */
const MIN_HEAD_BYTES = 64;
/** Number of last bytes of a message that contain its session id. */
const TAIL_BYTES = 64;

/**
 * Maximum length in bytes of some events, below that of other events. Playwright keeps the last hundred requests of
 * each page, and no server accepts a URL or a header longer than this (the egress proxy refuses it). The body of a form
 * may be longer: then the event is dropped, and the event of the response shows that the request was sent.
 */
const EVENT_LIMITS: Readonly<Record<string, number>> = {
  'Network.requestWillBeSent': 256_000,
  'Network.requestWillBeSentExtraInfo': 600_000,
  'Network.responseReceived': 600_000,
  // Playwright holds a response back until its headers arrive. 256 KiB of headers, six characters for each byte, three
  // times.
  'Network.responseReceivedExtraInfo': 5_000_000,
  'Network.webSocketCreated': 256_000,
  'Network.webSocketWillSendHandshakeRequest': 600_000,
  'Network.webSocketHandshakeResponseReceived': 600_000,
  'Log.entryAdded': 64_000,
  'Runtime.consoleAPICalled': 64_000,
  'Runtime.exceptionThrown': 64_000,
};

/** Events that the filter drops: a page can cause them without limit in number and length, and the service does not use them. */
const DROPPED_EVENTS = new Set([
  'Runtime.exceptionRevoked',
  'Network.dataReceived',
  'Network.eventSourceMessageReceived',
  'Network.resourceChangedPriority',
  'Network.webSocketFrameSent',
  'Network.webSocketFrameReceived',
  'Network.webSocketFrameError',
]);

/** Each byte of these events counts as five for the rate: they use the most time of Chromium's main process, and ordinary pages cause few of them. */
const CONSOLE_EVENT = 'Runtime.consoleAPICalled';
const LOG_EVENTS = new Set([CONSOLE_EVENT, 'Runtime.exceptionThrown']);
const LOG_EVENT_WEIGHT = 5;

/** Matches the log lines of a page that are errors. The others are dropped, of whatever length, unless the session records them. */
const ERROR_HEAD = /^\{"method":"Runtime\.consoleAPICalled","params":\{"type":"(?:error|assert)"/;

/** The rate limit does not count this event, because the service itself requests each frame. */
const SCREENCAST_EVENT = 'Page.screencastFrame';

const ATTACHED = 'Target.attachedToTarget';
const DETACHED = 'Target.detachedFromTarget';
/** Events of frames that come and go, which take Chromium's main process much longer than others. */
const FRAME_EVENTS: ReadonlySet<string> = new Set([
  'Page.frameAttached',
  'Page.frameStartedNavigating',
  'Page.frameDetached',
]);

/**
 * decodes each message as one string: a message above 512 MB exceeds the maximum length of a string and would end the
 * process, and a page can cause one with a single log line.
 */
export class PipeFilter extends Transform {
  readonly rateLimiter: ProtocolRateLimiter;
  readonly #limits: typeof MESSAGE_LIMITS;
  readonly #mirrors = new PageEventMirror();
  #parts: Buffer[] = [];
  #length = 0;
  /** Maximum length of the current message in bytes; null until enough bytes have arrived to classify it. */
  #maxBytes: number | null = null;
  /** The first bytes of the current message, if it is dropped. */
  #head = '';
  #method: string | null = null;
  #isError = false;
  /** The last bytes of the current message, if it is dropped or its session id was read. */
  #tail: Buffer = EMPTY;

  constructor(limits = MESSAGE_LIMITS, rateLimiter = new ProtocolRateLimiter()) {
    super();
    this.#limits = limits;
    this.rateLimiter = rateLimiter;
  }

  /** Returns true for Playwright's session of a worker of any kind, or of a frame that has a process of its own. */
  isChild(session: string): boolean {
    return this.#mirrors.isChild(session);
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

  #append(part: Buffer): void {
    this.#length += part.length;
    this.#parts.push(part);
    if (this.#maxBytes === null && this.#length >= MIN_HEAD_BYTES) this.#classify();
    if (!this.#isDropped) return;
    if (this.#tail.length === 0) this.#head = firstBytes(this.#parts, EVENT_HEAD_BYTES);
    for (const dropped of this.#parts) this.#tail = lastBytes(this.#tail, dropped);
    this.#parts = [];
  }

  get #isDropped(): boolean {
    return this.#maxBytes !== null && this.#length > this.#maxBytes;
  }

  /** Decides about a log line, or an exception. Of those in Playwright's own sessions, Playwright would keep what they contain. */
  #logDecision(): LogDecision {
    const session = this.#sessionId();
    if (session === null) return 'drop';
    if (this.#mirrors.isOwn(session))
      return this.#isError || this.rateLimiter.takesLog(session) ? 'deliver' : 'drop';
    if (!this.#mirrors.isChild(session)) return 'drop';
    return this.#isError || this.rateLimiter.takesLog(session) ? 'rename' : 'drop';
  }

  #classify(): void {
    const head = firstBytes(this.#parts, MIN_HEAD_BYTES);
    const method = EVENT_HEAD.exec(head)?.[1] ?? null;
    this.#method = method;
    this.#isError = method !== CONSOLE_EVENT || ERROR_HEAD.test(head);
    if (head.startsWith(WORKER_AGENT_RESPONSE)) this.#maxBytes = 0;
    else if (method === null) this.#maxBytes = this.#limits.response;
    else if (DROPPED_EVENTS.has(method)) this.#maxBytes = 0;
    else if (method === CONSOLE_EVENT && !ERROR_HEAD.test(head) && !this.rateLimiter.deliversLogs)
      this.#maxBytes = 0;
    else this.#maxBytes = Math.min(EVENT_LIMITS[method] ?? this.#limits.event, this.#limits.event);
  }

  #finishMessage(): void {
    const isLog = this.#method !== null && LOG_EVENTS.has(this.#method) && !this.#isDropped;
    const decision = isLog ? this.#logDecision() : 'deliver';
    const isDropped = this.#isDropped || decision === 'drop';
    if (decision === 'rename') this.#rename();
    if (this.#method === ATTACHED && !isDropped) this.#nameSharedWorker();
    if (!isDropped) for (const part of this.#parts) this.push(part);
    if (!isDropped && this.#method !== null) this.#mirror(this.#method);
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

  /** Gives the event a name that Playwright does not know. */
  #rename(): void {
    const whole = Buffer.concat(this.#parts);
    this.#parts = [RENAMED_HEAD, whole.subarray(NAMED_HEAD.length)];
  }

  /** Announces a shared worker as a service worker: Playwright lets go of others, and its rules for requests would not hold in them. */
  #nameSharedWorker(): void {
    const whole = Buffer.concat(this.#parts);
    if (!whole.includes(SHARED_WORKER_TYPE)) return;
    const message = JSON.parse(whole.toString('utf8', 0, whole.length - 1)) as AttachedMessage;
    const { targetInfo } = message.params;
    Object.assign(targetInfo, { type: CONTEXT_TYPE, url: `${targetInfo.url}${SHARED_WORKER_MARK}` });
    this.#parts = [Buffer.from(`${JSON.stringify(message)}\0`)];
  }

  #sessionId(): string | null {
    for (let i = this.#parts.length - 1; i >= 0 && this.#tail.length < TAIL_BYTES; i--)
      this.#tail = Buffer.concat([this.#parts[i] ?? EMPTY, this.#tail]).subarray(-TAIL_BYTES);
    return SESSION_TAIL.exec(this.#tail.toString('latin1'))?.[1] ?? null;
  }

  #mirror(method: string): void {
    const session = method.startsWith('Page.') ? this.#sessionId() : null;
    if (session === null) return;
    for (const receiver of this.#mirrors.receivers(method, session)) {
      const json = Buffer.concat(this.#parts);
      this.push(json.subarray(0, -sessionTail(session).length));
      this.push(sessionTail(receiver));
    }
  }

  #count(method: string, isDelivered: boolean): void {
    if (method === SCREENCAST_EVENT) return;
    const session = this.#sessionId();
    const isLog = LOG_EVENTS.has(method);
    const bytes = this.#length * (isLog ? LOG_EVENT_WEIGHT : 1);
    const kind = isLog ? 'logs' : FRAME_EVENTS.has(method) ? 'frames' : 'others';
    if (session !== null) this.rateLimiter.record(session, bytes, isDelivered, kind);
    if (isDelivered && (method === ATTACHED || method === DETACHED)) this.#trackSession(method, session);
  }

  #trackSession(method: typeof ATTACHED | typeof DETACHED, parent: string | null): void {
    const whole = Buffer.concat(this.#parts);
    const { params } = JSON.parse(whole.toString('utf8', 0, whole.length - 1)) as TargetMessage;
    if (method === DETACHED) {
      this.#mirrors.detached(params.sessionId);
      this.rateLimiter.detached(params.sessionId);
      return;
    }
    if (params.targetInfo !== undefined)
      this.#mirrors.attached(params.sessionId, params.targetInfo, parent !== null);
    // Chromium may announce a worker without its context; the worker belongs to the context of its page.
    const context =
      params.targetInfo?.browserContextId ?? (parent === null ? null : this.rateLimiter.contextOf(parent));
    if (context !== null) this.rateLimiter.attached(params.sessionId, context);
  }

  #sendError(): void {
    const id = RESPONSE_HEAD.exec(this.#head)?.[1];
    if (id === undefined || this.#head.startsWith(WORKER_AGENT_RESPONSE)) return;
    this.#pushMessage({ id: Number(id), error: { code: -32_000, message: responseTooLarge(this.#length) } });
  }

  #pushMessage(message: object): void {
    const sessionId = this.#sessionId();
    this.push(`${JSON.stringify({ ...message, ...(sessionId !== null && { sessionId }) })}\0`);
  }
}

type LogDecision = 'deliver' | 'rename' | 'drop';

const NAMED_HEAD = '{"method":"Runtime.';
const RENAMED_HEAD = Buffer.from(`{"method":"${CHILD_LOG_DOMAIN}.`);

interface TargetMessage {
  readonly params: {
    readonly sessionId: string;
    readonly targetInfo?: {
      readonly targetId: string;
      readonly type: string;
      readonly browserContextId?: string;
    };
  };
}

interface AttachedMessage {
  readonly params: { readonly targetInfo: { readonly url: string } };
}

/** No text of a page contains it: JSON writes its quotation marks with backslashes. */
const SHARED_WORKER_TYPE = '"type":"shared_worker"';

const EMPTY = Buffer.alloc(0);

const sessionTail = (session: string): string => `,"sessionId":"${session}"}\0`;

function firstBytes(parts: readonly Buffer[], length: number): string {
  let head = '';
  for (const part of parts) {
    head += part.toString('latin1', 0, length - head.length);
    if (head.length >= length) break;
  }
  return head;
}

const lastBytes = (before: Buffer, part: Buffer): Buffer =>
  part.length >= TAIL_BYTES
    ? Buffer.from(part.subarray(-TAIL_BYTES))
    : Buffer.concat([before, part]).subarray(-TAIL_BYTES);

/**
 * Makes a pipe write all chunks of one turn of the event loop with one system call. Playwright writes each CDP message in two chunks, and
 * an operation sends several messages at once; each call to the system would wake the browser.
 * @param rewrite returns what is written in place of a chunk
 */
export function joinWrites(pipe: Writable, rewrite: (chunk: unknown) => unknown = chunk => chunk): void {
  let isCorked = false;
  const write = pipe.write.bind(pipe) as (...chunk: unknown[]) => boolean;
  const uncork = (): void => {
    isCorked = false;
    pipe.uncork();
  };
  const joined = (chunk: unknown, ...more: unknown[]): boolean => {
    if (!isCorked) {
      isCorked = true;
      pipe.cork();
      process.nextTick(uncork);
    }
    return write(rewrite(chunk), ...more);
  };
  pipe.write = joined as Writable['write'];
}

const RATE_LIMITERS = new WeakMap<Browser, ProtocolRateLimiter>();

/** Returns the limiter that counts the browser's protocol events; null for a browser that was started without the filter. */
export const protocolRateLimiterOf = (browser: Browser): ProtocolRateLimiter | null =>
  RATE_LIMITERS.get(browser) ?? null;

/**
 * Starts a browser whose messages pass a `PipeFilter` before Playwright reads them.
 * @param markerFlag an argument that only this browser process has, because others may start at the same time
 * @param limits limits of the protocol events that the pages of one session cause
 * @throws the error of `launch`; Error if Playwright reads the pipe without the filter (the browser is closed first)
 */
export async function launchWithPipeFilter(
  markerFlag: string,
  launch: () => Promise<Browser>,
  limits = PROTOCOL_RATE_LIMITS,
): Promise<Browser> {
  let filter: PipeFilter | null = null;
  using _interception = interceptBrowserPipe(markerFlag, (output, input) => {
    const created = new PipeFilter(MESSAGE_LIMITS, new ProtocolRateLimiter(limits));
    joinWrites(input, message => withAgent(message, session => created.isChild(session)));
    // Ignore the error of the pipe: Playwright reports the end of the process, which is its cause.
    filter = pipeline(output, created, () => {});
    return filter;
  });
  const browser = await launch();
  const installed = filter as PipeFilter | null;
  if (installed === null) {
    await browser.close();
    throw new Error(
      'The pipe of the browser could not be filtered: this version of Playwright starts browsers in another way.',
    );
  }
  RATE_LIMITERS.set(browser, installed.rateLimiter);
  markMirroring(browser);
  return browser;
}
