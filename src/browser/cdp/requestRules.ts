/**
 * Rules for the requests of a context: headers for one origin each, and kinds of requests that are not sent. Playwright pauses the requests
 * of a context that has HTTP credentials, and lets each go on, also the hops of a redirect; the rules hold where it does so. In each context
 * the first requests of windows and service workers pause too, which Chromium begins before it hears of the user agent. Like
 * `playwrightInternals`, this file depends on what Playwright does not document.
 */
import type { BrowserContext, Page } from 'playwright';
import { allowsMethod } from '../../domain/account/keyPolicy.ts';
import type { BlockedKind, OriginHeader } from '../../domain/session/browserOptions.ts';
import type { HostBlocks } from '../egress/hostBlocks.ts';
import { SHARED_WORKER_MARK } from './errors.ts';
import { type PipeSession, serverSideOf } from './playwrightSessions.ts';
import { agentHeaders } from './userAgent.ts';

export interface RequestRules {
  readonly headers: readonly OriginHeader[];
  readonly block: readonly BlockedKind[];
  readonly hosts?: HostBlocks | undefined;
  readonly methods: readonly string[] | null;
  readonly onRefused?: ((url: string, method: string) => void) | undefined;
}

interface PausedRequest {
  readonly requestId: string;
  readonly resourceType: string;
  readonly frameId?: string;
  readonly request: {
    readonly url: string;
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
  };
}

interface Continuation {
  readonly requestId: string;
  readonly headers?: readonly { readonly name: string; readonly value: string }[];
}

interface SessionInfo {
  readonly session: PipeSession & { _sendMayFail(method: string, params?: object): Promise<unknown> };
}

/** The part of Playwright's own end of a page that is used here. */
interface ServerContext {
  readonly _options: { readonly userAgent?: string; readonly locale?: string };
  pages(): readonly unknown[];
}

interface ServerPage {
  readonly browserContext: ServerContext;
  /** The id of its target, which is that of its main frame. */
  readonly delegate: { readonly _targetId: string };
  /** Undefined for a window of which Playwright does not know the frame yet. */
  mainFrame(): { url(): string } | undefined;
}

/** The part of Playwright's network manager, one for each page and service worker, that is used here. */
interface NetworkManager {
  readonly _page?: ServerPage | null;
  readonly _serviceWorker?: { readonly browserContext: ServerContext; readonly url: string } | null;
  /** True if Playwright pauses the requests. */
  readonly _protocolRequestInterceptionEnabled: boolean;
  /** Called for each session of a page or worker, before it goes on. */
  addSession(session: SessionInfo['session'], workerFrame: unknown, isMain: unknown): Promise<void>;
  _onRequestPaused(info: SessionInfo, event: PausedRequest): void;
}

const RESOURCE_TYPES: Readonly<Partial<Record<BlockedKind, string>>> = {
  media: 'Media',
  fonts: 'Font',
  images: 'Image',
};

/** By Playwright's own end of the context. */
const RULES = new WeakMap<object, RequestRules>();
const PATCHED = new WeakSet<object>();
/** Sessions whose first request pauses in a context whose other requests do not. */
const PAUSING_FIRST = new WeakSet<object>();
/** The address that the tab of a page opens, of which the browser tells a request sooner than Playwright hears that it is open. */
const OPENING = new WeakMap<ServerPage, string>();

/** Sets the rules for the requests of a context. @throws Error if Playwright runs in another process */
export function setRequestRules(context: BrowserContext, rules: RequestRules): void {
  const server = serverSideOf<object>(context);
  if (server === undefined)
    throw new Error('This version of Playwright has no end of the context in this process.');
  RULES.set(server, rules);
}

/** Makes the rules hold for pages that open from now on; false if this one was opened too early. @throws Error in another version of Playwright */
export function installRequestRules(page: Page): boolean {
  const manager = serverSideOf<{ readonly delegate?: { readonly _networkManager?: NetworkManager } }>(page)
    ?.delegate?._networkManager;
  const prototype = manager === undefined ? null : (Object.getPrototypeOf(manager) as NetworkManager);
  if (typeof prototype?._onRequestPaused !== 'function' || typeof prototype.addSession !== 'function')
    throw new Error('This version of Playwright handles paused requests in another way.');
  if (PATCHED.has(prototype)) return true;
  PATCHED.add(prototype);
  const { addSession, _onRequestPaused: handle } = prototype;
  prototype.addSession = function (session, workerFrame, isMain) {
    const adding = addSession.call(this, session, workerFrame, isMain);
    const pattern = isMain === true && !this._protocolRequestInterceptionEnabled ? firstRequest(this) : null;
    if (pattern !== null) {
      PAUSING_FIRST.add(session);
      void session._sendMayFail('Fetch.enable', { patterns: [pattern] });
    }
    return adding;
  };
  prototype._onRequestPaused = function (info, event) {
    const context = (this._page ?? this._serviceWorker)?.browserContext;
    if (PAUSING_FIRST.delete(info.session) && !this._protocolRequestInterceptionEnabled) {
      const headers = withHeaders(event, agentOf(context, event));
      void info.session._sendMayFail('Fetch.continueRequest', { requestId: event.requestId, headers });
      void info.session._sendMayFail('Fetch.disable');
      return;
    }
    const rules = context === undefined ? undefined : RULES.get(context);
    handle.call(
      this,
      rules === undefined
        ? info
        : {
            ...info,
            session: ruled(info.session, rules, event, pagesOf(this, event), agentOf(context, event)),
          },
      event,
    );
  };
  return false;
}

/** Returns which first request pauses; null for none: that of the first page is the caller's, after all is set. */
function firstRequest({ _page: page, _serviceWorker: worker }: NetworkManager): object | null {
  if (page != null)
    return page.browserContext.pages().length === 0
      ? null
      : { urlPattern: 'http*', resourceType: 'Document' };
  if (worker == null || worker.url.endsWith(SHARED_WORKER_MARK)) return null;
  // In patterns `*` and `?` stand for any characters, which do no harm here.
  return { urlPattern: worker.url };
}

const agentOf = (context: ServerContext | undefined, { request }: PausedRequest) => {
  const { userAgent, locale } = context?._options ?? {};
  return userAgent === undefined
    ? {}
    : agentHeaders(request.headers, { userAgent, ...(locale !== undefined && { acceptLanguage: locale }) });
};

function pagesOf(
  { _page: page, _serviceWorker: worker }: NetworkManager,
  { resourceType, frameId, request }: PausedRequest,
): readonly string[] | null {
  if (page == null) return worker == null ? [] : [worker.url];
  if (resourceType !== 'Document' || frameId !== page.delegate._targetId)
    return [page.mainFrame()?.url() ?? '', OPENING.get(page) ?? ''];
  OPENING.set(page, request.url);
  return null;
}

/** Returns the session, which lets the request go on as the rules say. @param agent see `agentHeaders` */
function ruled(
  session: SessionInfo['session'],
  rules: RequestRules,
  event: PausedRequest,
  pages: readonly string[] | null,
  agent: ChangedHeaders,
): SessionInfo['session'] {
  const { method, url } = event.request;
  const isRefused = !allowsMethod(rules.methods, method);
  if (isRefused) rules.onRefused?.(url, method);
  if (pages === null) rules.hosts?.opens(url);
  const isBlocked =
    isRefused ||
    rules.block.some(kind => RESOURCE_TYPES[kind] === event.resourceType) ||
    (pages !== null && rules.hosts?.blocks(url, pages) === true);
  const origin = URL.parse(url)?.origin;
  const own = rules.headers.filter(header => header.origin === origin);
  const headers = { ...agent, ...Object.fromEntries(own.map(({ name, value }) => [name, value])) };
  if (!isBlocked && Object.keys(headers).length === 0) return session;
  const sendMayFail: SessionInfo['session']['_sendMayFail'] = (method, params) => {
    if (method !== 'Fetch.continueRequest') return session._sendMayFail(method, params);
    // Safe: these are the parameters of the method.
    const continuation = params as Continuation;
    return isBlocked
      ? session._sendMayFail('Fetch.failRequest', {
          requestId: continuation.requestId,
          errorReason: 'BlockedByClient',
        })
      : session._sendMayFail(method, { ...continuation, headers: withHeaders(event, headers) });
  };
  return Object.create(session, { _sendMayFail: { value: sendMayFail } }) as SessionInfo['session'];
}

type ChangedHeaders = Readonly<Record<string, string | null>>;

/** Returns the headers of the request with these in place of those of the same name; null in place of one takes it away. */
function withHeaders({ request }: PausedRequest, headers: ChangedHeaders): Continuation['headers'] {
  const names = new Set(Object.keys(headers).map(name => name.toLowerCase()));
  const kept = Object.entries(request.headers).filter(([name]) => !names.has(name.toLowerCase()));
  return [...kept, ...Object.entries(headers)].flatMap(([name, value]) =>
    value === null ? [] : [{ name, value }],
  );
}
