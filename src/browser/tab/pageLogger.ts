import type { BrowserContext, CDPSession, Page, Worker } from 'playwright';
import {
  type ConsoleLevel,
  type NewPageLogEntry,
  type RequestTiming,
  type ResponseSource,
  withoutCredentials,
} from '../../domain/session/pageLog.ts';
import { cutText, normalizeLines } from '../../domain/space/pageText.ts';
import { CHILD_LOG_DOMAIN } from '../cdp/errors.ts';
import { isDialogBlocked } from '../cdp/playwrightInternals.ts';
import { onChildSession, onContextWorker, type PipeSession } from '../cdp/playwrightSessions.ts';
import type { Tab } from './tab.ts';

const MAX_TEXT_LENGTH = 2_000;
/** Maximum number of open requests of a tab that are kept: those that were sent first are recorded without an end. */
const MAX_OPEN_REQUESTS = 1_000;

export interface PageLogListener {
  onConsole(message: NewPageLogEntry<'console'>): void;
  onRequest(request: NewPageLogEntry<'request'>): void;
}

export interface PageLoggerOptions extends PageLogListener {
  /** Returns why the service refused an address, as a sentence; null if it did not. */
  readonly refusalOf: (url: string) => string | null;
  readonly now: () => number;
}

/** A request that has not ended. `sentAt`: seconds of the browser's clock. */
type OpenRequest = {
  -readonly [Field in keyof NewPageLogEntry<'request'>]: NewPageLogEntry<'request'>[Field];
} & {
  sentAt: number;
  /** Seconds of the browser's clock; null without a response. */
  headersAt: number | null;
};

/** The part of `Network.Response` of the protocol that is read. */
interface BrowserResponse {
  readonly status: number;
  readonly statusText: string;
  readonly mimeType?: string;
  readonly protocol?: string;
  readonly fromDiskCache?: boolean;
  readonly fromPrefetchCache?: boolean;
  readonly fromServiceWorker?: boolean;
  readonly timing?: BrowserTiming;
}

/** Milliseconds from `requestTime`, which is in seconds; -1 for a phase that did not happen. */
interface BrowserTiming {
  readonly requestTime: number;
  readonly dnsStart: number;
  readonly dnsEnd: number;
  readonly connectStart: number;
  readonly connectEnd: number;
  readonly sslStart: number;
  readonly sslEnd: number;
  readonly sendStart: number;
  readonly sendEnd: number;
  readonly receiveHeadersEnd: number;
}

/** A call of the console, and an exception, as the protocol describes them. */
interface ConsoleCall {
  readonly type: string;
  readonly args: readonly LoggedValue[];
  readonly timestamp: number;
  readonly stackTrace?: { readonly callFrames: readonly CallFrame[] };
}
interface Exception {
  readonly timestamp: number;
  readonly exceptionDetails: {
    readonly text: string;
    readonly url?: string;
    readonly lineNumber: number;
    readonly exception?: LoggedValue;
    readonly stackTrace?: { readonly callFrames: readonly CallFrame[] };
  };
}
interface CallFrame {
  readonly url: string;
  readonly lineNumber: number;
}
interface LoggedValue {
  readonly type: string;
  readonly value?: unknown;
  readonly unserializableValue?: string;
  readonly description?: string;
  readonly preview?: {
    readonly subtype?: string;
    readonly overflow: boolean;
    readonly properties: readonly { readonly name: string; readonly type: string; readonly value?: string }[];
  };
}

/** The methods of the console that are no messages. */
const SILENT_CALLS = new Set(['clear', 'endGroup', 'profile', 'profileEnd']);
const LEVELS: Readonly<Record<string, ConsoleLevel>> = {
  assert: 'error',
  error: 'error',
  warning: 'warning',
  info: 'info',
  debug: 'debug',
  verbose: 'debug',
};

/** Maximum lengths of what a page decides, in characters: an address, a method, a media type or protocol. */
const MAX_KEPT_URL = 16_000;
const MAX_METHOD = 40;
const MAX_WORD = 200;

/** Returns a text with at most `length` characters that keeps no longer text in memory, as a slice of it would. */
const ownText = (text: string, length: number): string =>
  text.length <= length ? text : Buffer.from(cutText(text, length)).toString();

/** Reads the tabs of one session. What it tells is not masked. */
export class PageLogger {
  readonly #options: PageLoggerOptions;
  readonly #open = new Set<Map<string, OpenRequest>>();

  constructor(options: PageLoggerOptions) {
    this.#options = options;
  }

  watch(tab: Tab): void {
    const open = this.#openUntilClosed(tab.page);
    this.#listen(tab.target.channel.session, 'Runtime', tab.id, open);
    onChildSession(tab.page, child => this.#listen(child, CHILD_LOG_DOMAIN, tab.id, open));
  }

  /** Starts to read the service workers and the shared workers of a context. @param activeTabId the tab that a worker is said to be of */
  watchWorkers(context: BrowserContext, activeTabId: () => string): void {
    onContextWorker(context, (worker, session) =>
      this.#listen(session, CHILD_LOG_DOMAIN, activeTabId(), this.#openUntilClosed(worker)),
    );
  }

  #openUntilClosed(owner: Page | Worker): Map<string, OpenRequest> {
    const open = new Map<string, OpenRequest>();
    this.#open.add(open);
    (owner as Pick<Worker, 'once'>).once('close', () => {
      this.#open.delete(open);
      this.#tellAll(open);
    });
    return open;
  }

  #listen(
    session: CDPSession | PipeSession,
    domain: 'Runtime' | typeof CHILD_LOG_DOMAIN,
    tabId: string,
    open: Map<string, OpenRequest>,
  ): void {
    // Playwright's own end has the same events by the same names.
    const cdp = session as CDPSession;
    this.#listenToNetwork(cdp, tabId, open);
    cdp.on('Log.entryAdded', ({ entry: { level, text, url, lineNumber, timestamp } }) => {
      if (isDialogBlocked(text)) return;
      this.#message(LEVELS[level] ?? 'log', text, timestamp, tabId, url, lineNumber);
    });
    const pipe = session as PipeSession;
    pipe.on(`${domain}.consoleAPICalled`, call => this.#called(call as ConsoleCall, tabId));
    pipe.on(`${domain}.exceptionThrown`, exception => this.#thrown(exception as Exception, tabId));
  }

  /** Tells the requests that have not ended. Call it when the session ends. */
  end(): void {
    for (const open of this.#open) this.#tellAll(open);
  }

  #tellAll(open: Map<string, OpenRequest>): void {
    for (const request of open.values()) this.#tell(request);
    open.clear();
  }

  #listenToNetwork(session: Pick<CDPSession, 'on'>, tabId: string, open: Map<string, OpenRequest>): void {
    session.on(
      'Network.requestWillBeSent',
      ({ requestId, request, timestamp, wallTime, type, redirectResponse }) => {
        const known = open.get(requestId);
        if (known !== undefined && redirectResponse !== undefined) {
          this.#responded(known, redirectResponse, timestamp);
          known.redirectUrl = withoutCredentials(request.url);
          this.#end(open, requestId, timestamp, redirectResponse.encodedDataLength);
        }
        // What the browser has in memory is no request.
        if (/^(?:data|blob):/i.test(request.url)) return;
        this.#begin(open, requestId, {
          ...UNANSWERED,
          at: Math.round(wallTime * 1_000),
          tabId,
          method: ownText(request.method, MAX_METHOD),
          url: ownText(request.url, MAX_KEPT_URL),
          resourceType: (type ?? 'Other').toLowerCase(),
          sentAt: timestamp,
        });
      },
    );
    session.on('Network.requestServedFromCache', ({ requestId }) => {
      const request = open.get(requestId);
      if (request !== undefined) request.servedBy = 'cache';
    });
    session.on('Network.responseReceived', ({ requestId, response, timestamp }) => {
      const request = open.get(requestId);
      if (request !== undefined) this.#responded(request, response, timestamp);
    });
    session.on('Network.loadingFinished', ({ requestId, timestamp, encodedDataLength }) =>
      this.#end(open, requestId, timestamp, encodedDataLength),
    );
    session.on('Network.loadingFailed', ({ requestId, timestamp, errorText, canceled, blockedReason }) => {
      const request = open.get(requestId);
      if (request === undefined) return;
      request.error = canceled === true && errorText === '' ? 'net::ERR_ABORTED' : errorText;
      request.blockedReason = this.#blockedReason(request.url, errorText, blockedReason);
      this.#end(open, requestId, timestamp, 0);
    });
    session.on('Network.webSocketCreated', ({ requestId, url }) =>
      this.#begin(open, requestId, {
        ...UNANSWERED,
        at: this.#options.now(),
        tabId,
        method: 'GET',
        url: ownText(url, MAX_KEPT_URL),
        resourceType: 'websocket',
        sentAt: Number.NaN,
      }),
    );
    session.on(
      'Network.webSocketHandshakeResponseReceived',
      ({ requestId, response: { status, statusText } }) => {
        const request = open.get(requestId);
        if (request === undefined) return;
        Object.assign(request, { status, statusText, servedBy: 'network' });
        open.delete(requestId);
        this.#tell(request);
      },
    );
    session.on('Network.webSocketClosed', ({ requestId }) => {
      const request = open.get(requestId);
      if (request === undefined) return;
      request.error = 'The connection was closed before it was open.';
      request.blockedReason = this.#options.refusalOf(request.url);
      open.delete(requestId);
      this.#tell(request);
    });
  }

  #begin(open: Map<string, OpenRequest>, id: string, request: OpenRequest): void {
    // A frame with a process of its own is told by the page that contains it, too.
    if (open.has(id)) return;
    if (open.size >= MAX_OPEN_REQUESTS)
      for (const [first, oldest] of open) {
        open.delete(first);
        this.#tell(oldest);
        break;
      }
    open.set(id, request);
  }

  #responded(request: OpenRequest, response: BrowserResponse, atSeconds: number): void {
    request.status = response.status;
    request.statusText = cutText(response.statusText, 200);
    request.mimeType = response.mimeType === undefined ? null : ownText(response.mimeType, MAX_WORD);
    request.protocol = response.protocol === undefined ? null : ownText(response.protocol, MAX_WORD);
    request.servedBy = request.servedBy ?? sourceOf(response);
    request.headersAt = atSeconds;
    request.timing = timingOf(response.timing);
  }

  #end(open: Map<string, OpenRequest>, id: string, atSeconds: number, bytes: number): void {
    const request = open.get(id);
    if (request === undefined) return;
    open.delete(id);
    request.bytes = Math.max(0, bytes);
    request.durationMs = toMs(atSeconds - request.sentAt);
    if (request.timing !== null && request.headersAt !== null)
      request.timing = { ...request.timing, receive: toMs(atSeconds - request.headersAt) };
    this.#tell(request);
  }

  #tell({ sentAt: _, headersAt: __, url, ...request }: OpenRequest): void {
    this.#options.onRequest({ ...request, url: withoutCredentials(url) });
  }

  #blockedReason(url: string, errorText: string, blockedReason: string | undefined): string | null {
    if (errorText === 'net::ERR_BLOCKED_BY_CLIENT' || blockedReason === 'inspector')
      return 'The option `block` of the session excludes requests of this type.';
    if (blockedReason !== undefined) return `The browser blocked it: ${blockedReason}.`;
    return this.#options.refusalOf(url);
  }

  #called({ type, args, timestamp, stackTrace }: ConsoleCall, tabId: string): void {
    if (SILENT_CALLS.has(type)) return;
    const frame = stackTrace?.callFrames[0];
    const text = type === 'assert' ? `Assertion failed: ${textOf(args)}` : textOf(args);
    this.#message(LEVELS[type] ?? 'log', text, timestamp, tabId, frame?.url, frame?.lineNumber);
  }

  #thrown({ timestamp, exceptionDetails }: Exception, tabId: string): void {
    const { text, exception, url, lineNumber, stackTrace } = exceptionDetails;
    const frame = stackTrace?.callFrames[0];
    const words = [text, exception === undefined ? '' : valueText(exception)].filter(word => word !== '');
    this.#message('exception', words.join(' '), timestamp, tabId, url ?? frame?.url, lineNumber);
  }

  #message(
    level: ConsoleLevel,
    text: string,
    atMs: number,
    tabId: string,
    url: string | undefined,
    line: number | undefined,
  ): void {
    this.#options.onConsole({
      at: Math.round(atMs),
      tabId,
      level,
      text: cutText(normalizeLines(text.slice(0, 2 * MAX_TEXT_LENGTH)), MAX_TEXT_LENGTH),
      url: url === undefined || url === '' ? null : withoutCredentials(url),
      // The protocol counts from 0.
      line: line === undefined ? null : line + 1,
    });
  }
}

const UNANSWERED = {
  status: null,
  statusText: '',
  mimeType: null,
  protocol: null,
  bytes: null,
  durationMs: null,
  timing: null,
  servedBy: null,
  redirectUrl: null,
  error: null,
  blockedReason: null,
  headersAt: null,
} as const;

const toMs = (seconds: number): number => Math.max(0, Math.round(seconds * 1_000_000) / 1_000);

function sourceOf({ fromServiceWorker, fromDiskCache, fromPrefetchCache }: BrowserResponse): ResponseSource {
  if (fromServiceWorker === true) return 'service_worker';
  return fromDiskCache === true || fromPrefetchCache === true ? 'cache' : 'network';
}

function timingOf(timing: BrowserTiming | undefined): RequestTiming | null {
  if (timing === undefined || timing.requestTime <= 0) return null;
  const phase = (from: number, to: number): number | null =>
    from < 0 ? null : Math.max(0, round(to - from));
  const first = [timing.dnsStart, timing.connectStart, timing.sendStart].find(ms => ms >= 0) ?? 0;
  return {
    blocked: round(first),
    dns: phase(timing.dnsStart, timing.dnsEnd),
    connect: phase(timing.connectStart, timing.connectEnd),
    tls: phase(timing.sslStart, timing.sslEnd),
    send: phase(timing.sendStart, timing.sendEnd) ?? 0,
    wait: phase(timing.sendEnd, timing.receiveHeadersEnd) ?? 0,
    receive: 0,
  };
}

const round = (ms: number): number => Math.round(ms * 1_000) / 1_000;

function textOf(args: readonly LoggedValue[]): string {
  const [first, ...others] = args;
  if (first?.type !== 'string' || !/%[sdifoOc]/.test(String(first.value)))
    return args.map(valueText).join(' ');
  const text = String(first.value).replaceAll(/%([sdifoOc%])/g, (whole, kind: string) => {
    if (kind === '%') return '%';
    const value = others.shift();
    if (value === undefined) return whole;
    return kind === 'c' ? '' : valueText(value);
  });
  return [text, ...others.map(valueText)].join(' ');
}

/** Returns a value as the console shows it in one line; an error with its stack. */
function valueText({ type, value, unserializableValue, description, preview }: LoggedValue): string {
  if (type === 'string') return String(value);
  if (preview === undefined || preview.subtype === 'error')
    return description ?? unserializableValue ?? JSON.stringify(value) ?? type;
  const shown = preview.properties.map(each => {
    const text = each.type === 'string' ? JSON.stringify(each.value ?? '') : (each.value ?? each.type);
    return preview.subtype === 'array' ? text : `${each.name}: ${text}`;
  });
  const inner = [...shown, ...(preview.overflow ? ['…'] : [])].join(', ');
  return preview.subtype === 'array' ? `[${inner}]` : `{${inner}}`;
}
