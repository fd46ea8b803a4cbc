/** Tracks whether the network of a page is idle: its navigation, and the requests that its document depends on. */

import type { CDPSession, Page } from 'playwright';
import { afterMs, onCall, waitUntil } from '../../async/race.ts';
import type { CdpChannel } from '../cdp/cdpChannel.ts';
import { SHARED_WORKER_MARK } from '../cdp/errors.ts';
import { isDocumentRequest } from '../cdp/playwrightInternals.ts';
import { DOUBTFUL_MS, LOAD_EVENT_MS, MAX_IMAGES_OF_STEP } from '../settle/policy.ts';
import { callSiteOf, contentTypeOf, hasBody, headerOf, OpenRequests } from './openRequests.ts';
import { forbidsScripts } from './scriptWatch.ts';

interface FrameDocumentRequest {
  readonly requestId: string;
  readonly frameId: string | undefined;
  readonly request: {
    readonly url: string;
    readonly urlFragment?: string;
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
  };
}

/** The top document of a tab, as its response describes it. */
interface TopDocument {
  /** CDP's id of its request. */
  readonly id: string;
  readonly contentType: string;
  readonly isCompressed: boolean;
  /** True if its Content-Security-Policy forbids all scripts: then nothing in it changes by itself, except by animations. */
  readonly forbidsScripts: boolean;
}

/** Returns the document of a response; for a document that was not requested, `headers` is empty. */
const topDocumentOf = (
  id: string,
  response: { readonly headers: Readonly<Record<string, string>>; readonly mimeType: string },
): TopDocument => ({
  id,
  contentType: contentTypeOf(response),
  isCompressed: headerOf(response.headers, 'content-encoding') !== undefined,
  forbidsScripts: forbidsScripts(headerOf(response.headers, 'content-security-policy')),
});

/** Types of the requests that settling waits for. Media, fonts, sockets and beacons do not change a page's actions; for images see `awaitsImages`. */
const AWAITED_RESOURCE_TYPES = new Set(['Document', 'Script', 'Stylesheet', 'XHR', 'Fetch']);
/** Content types of responses that have no end. */
const STREAM_TYPES = /event-stream|multipart\/x-mixed-replace/;
/** Errors of a body that does not have its encoding, or ends early. */
const BROKEN_BODY = /CONTENT_DECODING_FAILED|INCOMPLETE_CHUNKED_ENCODING|CONTENT_LENGTH_MISMATCH/;
/** A navigation that a document has set for later. */
export interface ScheduledNavigation {
  readonly url: string;
  /** True if the document loads itself again. */
  readonly isReload: boolean;
  /** As `performance.now()`. */
  readonly dueAt: number;
}

export class NetworkIdleTracker {
  readonly requests = new OpenRequests();
  /** Called when the page requests its next document, and when that takes the place of the old one. */
  onDocument: () => void = () => {};
  /** Number of times that frames in the page were added or got a document. */
  frameDocumentCount = 0;
  onFrameDocument: (request: FrameDocumentRequest) => void = () => {};
  readonly #mainFrameId: string;
  /** The latest images of the page's own host that have not come. */
  readonly #images = new Map<string, { readonly number: number; readonly startedAt: number }>();
  #imageNumber = 0;
  readonly #waiters = new Set<() => void>();
  #loading = false;
  #loadEventFired = true;
  /** When the latest document was parsed, as `performance.now()`; before that, when it was requested. */
  #parsedAt = 0;
  #documentAwaitedSince = 0;
  #isCommitted = false;
  #navigationRequested = false;
  #requestedUrl = '';
  /** The navigation that the document has set for later, by `meta refresh` or the header `Refresh`. */
  #scheduled: ScheduledNavigation | null = null;
  #httpStatus: number | null = null;
  #brokenRequest: string | null = null;
  #mainRequestId: string | null = null;
  #mainUrl: string | null = null;
  #response: TopDocument | null = null;
  #document: TopDocument | null = null;
  #documentUrl = '';
  #navigationsWithoutDocument = 0;
  #errorPageCount = 0;
  #downloadNavigationCount = 0;
  #unreachableUrl: string | null = null;

  /** Starts to listen to the network events of a page. The caller must send `Network.enable` and `Page.enable` afterwards. */
  constructor(session: CDPSession, mainFrameId: string) {
    this.#mainFrameId = mainFrameId;
    this.#listenToNetwork(session);
    this.#listenToPage(session);
  }

  #listenToNetwork(session: CDPSession): void {
    const mainFrameId = this.#mainFrameId;
    session.on('Network.requestWillBeSent', ({ requestId, type, frameId, loaderId, request, initiator }) => {
      if (type === 'Image' || type === 'Media') this.#imageStarted(requestId, request.url);
      if (type === undefined || !AWAITED_RESOURCE_TYPES.has(type)) return;
      // Chromium reports the end of the script of a worker to the worker's own session.
      if (loaderId === '' || (type !== 'Document' && isInMemory(request.url))) return;
      const isDocument = type === 'Document' && isDocumentRequest({ requestId, loaderId });
      if (isDocument && frameId === mainFrameId) this.#navigationStarted(requestId, request.url);
      const isFetched = type === 'Fetch' && frameId === mainFrameId;
      const site = callSiteOf(initiator);
      this.requests.started(requestId, request.method, request.url, isFetched, site);
      if (isDocument && frameId !== mainFrameId) this.onFrameDocument({ requestId, frameId, request });
      this.notifyChange();
    });
    session.on('Network.responseReceived', ({ requestId, type, frameId, loaderId, response }) => {
      // The pipe filter drops the event of a request with a long body, so its response may be the first event about it.
      const isUnreported =
        frameId === mainFrameId &&
        isDocumentRequest({ requestId, loaderId }) &&
        requestId !== this.#mainRequestId;
      if (type === 'Document' && isUnreported) this.#navigationStarted(requestId, response.url);
      if (requestId === this.#mainRequestId) {
        this.#httpStatus = response.status;
        this.#response = topDocumentOf(requestId, response);
      }
      // A stream never ends: wait only for its response.
      if (STREAM_TYPES.test(response.mimeType)) {
        this.#requestEnded(requestId);
        this.requests.streamStarted(requestId);
      } else if (type === 'Media') this.#requestEnded(requestId);
      else this.requests.responded(requestId);
    });
    session.on('Network.responseReceivedExtraInfo', ({ requestId, statusCode, headers }) => {
      if (requestId === this.#mainRequestId && statusCode >= 300 && statusCode < 400)
        this.#redirected(headerOf(headers, 'location'));
    });
    session.on('Network.webSocketCreated', ({ requestId }) => this.requests.streamStarted(requestId));
    session.on('Network.webSocketClosed', ({ requestId }) => this.requests.ended(requestId));
    session.on('Network.loadingFinished', ({ requestId }) => this.#requestEnded(requestId));
    session.on('Network.loadingFailed', ({ requestId, canceled, errorText }) => {
      if (requestId === this.#mainRequestId) {
        if (BROKEN_BODY.test(errorText)) this.#brokenRequest = requestId;
        if (canceled === true && this.#response?.id === requestId && hasBody(this.#httpStatus))
          this.#downloadNavigationCount++;
        this.#navigationEnded();
      }
      this.#requestEnded(requestId);
    });
  }

  #listenToPage(session: CDPSession): void {
    const mainFrameId = this.#mainFrameId;
    session.on('Page.frameRequestedNavigation', ({ frameId, disposition, url }) => {
      if (frameId !== mainFrameId || disposition !== 'currentTab') return;
      // Chromium refuses other schemes to pages, and sends no further event.
      if (!/^(?:https?|about|blob):/i.test(url)) return;
      this.#navigationRequested = true;
      this.#requestedUrl = url;
      this.notifyChange();
    });
    session.on('Page.frameScheduledNavigation', ({ frameId, delay, url }) => {
      if (frameId !== mainFrameId || !/^https?:/i.test(url)) return;
      const isReload = withoutFragment(url) === withoutFragment(this.#documentUrl);
      this.#scheduled = { url, isReload, dueAt: performance.now() + delay * 1_000 };
      this.notifyChange();
    });
    session.on('Page.frameClearedScheduledNavigation', ({ frameId }) => {
      if (frameId !== mainFrameId) return;
      this.#scheduled = null;
      this.notifyChange();
    });
    session.on('Page.frameNavigated', ({ frame }) => {
      if (frame.id !== mainFrameId) return void this.frameDocumentCount++;
      this.#scheduled = null;
      this.#navigationRequested = false;
      this.#documentStarted();
      this.#isCommitted = true;
      this.#navigationsWithoutDocument--;
      this.#unreachableUrl = frame.unreachableUrl ?? null;
      if (this.#unreachableUrl !== null) this.#errorPageCount++;
      if (frame.loaderId !== this.#mainRequestId) this.#httpStatus = null;
      this.#documentUrl = frame.url;
      const { loaderId: id, mimeType } = frame;
      this.#document =
        this.#response?.id === id ? this.#response : topDocumentOf(id, { mimeType, headers: {} });
      this.notifyChange();
    });
    session.on('Page.frameAttached', () => void this.frameDocumentCount++);
    session.on('Page.navigatedWithinDocument', ({ frameId, url }) => {
      if (frameId !== mainFrameId) return;
      this.#documentUrl = url;
      this.#navigationRequested = false;
      this.notifyChange();
    });
    session.on('Page.domContentEventFired', () => {
      this.#loading = false;
      this.#parsedAt = performance.now();
      this.notifyChange();
    });
    session.on('Page.loadEventFired', () => {
      this.#loading = false;
      this.#loadEventFired = true;
      this.notifyChange();
    });
    session.on('Page.frameStoppedLoading', ({ frameId }) => {
      if (frameId === mainFrameId) this.#navigationEnded();
    });
  }

  /** Requests that start later have higher numbers. */
  currentRequestNumber(): number {
    return this.requests.lastNumber;
  }

  get imageNumber(): number {
    return this.#imageNumber;
  }

  /** True while a few images of the page's own host load that started after this one: their loading may have an effect that nothing else announces. */
  awaitsImages(after: number): boolean {
    if (this.#imageNumber - after > MAX_IMAGES_OF_STEP) return false;
    const since = performance.now() - DOUBTFUL_MS;
    return this.#images.values().some(({ number, startedAt }) => number > after && startedAt >= since);
  }

  /** True from the start of a navigation of the page until the new document is parsed or the navigation has failed. */
  get loading(): boolean {
    return this.#loading || this.#navigationRequested;
  }

  /** True while the load event of the parsed top document is awaited: it counts from the parsing, over all operations, once for each document. */
  get awaitsLoadEvent(): boolean {
    return !this.#loadEventFired && performance.now() - this.#parsedAt <= LOAD_EVENT_MS;
  }

  /** Stops waiting for a document that the page was not to leave for. */
  navigationRefused(): void {
    this.#navigationRequested = false;
    this.notifyChange();
  }

  /** Stops waiting for a document whose HTML never ends: later operations act on the part that has arrived. */
  gaveUpLoading(): void {
    if (!this.#loading || !this.#isCommitted) return;
    this.#loading = false;
    this.#loadEventFired = true;
  }

  /** Navigations minus documents: grows while a page begins to load another document again and again before a server answers. */
  get navigationsWithoutDocument(): number {
    return this.#navigationsWithoutDocument;
  }

  /** Number of error pages that Chromium has shown in this page, for URLs that could not be opened. */
  get errorPageCount(): number {
    return this.#errorPageCount;
  }

  /** Number of navigations that started a download. Playwright reports the download a moment later. */
  get downloadNavigationCount(): number {
    return this.#downloadNavigationCount;
  }

  /** The URL that could not be opened, while Chromium shows its error page; null otherwise. */
  get unreachableUrl(): string | null {
    return this.#unreachableUrl;
  }

  /** True if the body of the latest response to a navigation does not have the encoding that the server names, or ended early. */
  get isBodyBroken(): boolean {
    return this.#brokenRequest !== null && this.#brokenRequest === this.#mainRequestId;
  }

  /** The same of the response with the document that is shown. */
  get isDocumentBroken(): boolean {
    return this.#brokenRequest !== null && this.#brokenRequest === this.#document?.id;
  }

  /** True if the latest response names an encoding. */
  get isCompressed(): boolean {
    return this.#response?.isCompressed === true;
  }

  /** HTTP status of the page: of the latest response to a navigation; null while there is none, and for a document that was not requested. */
  get httpStatus(): number | null {
    return this.#httpStatus;
  }

  get document(): TopDocument | null {
    return this.#document;
  }

  get responseContentType(): string {
    return this.#response?.contentType ?? '';
  }

  /** Address of the document for which the page is to be left; null if none is on its way. */
  get pendingNavigation(): string | null {
    if (this.#loading && !this.#isCommitted) return this.#mainUrl;
    return this.#navigationRequested ? this.#requestedUrl : (this.#scheduled?.url ?? null);
  }

  /** How the document is left as it has set by a refresh; null if it has set none. */
  get scheduledNavigation(): ScheduledNavigation | null {
    return this.#scheduled;
  }

  /** Call it before a navigation. */
  expectNavigation(): void {
    this.#mainUrl = null;
  }

  /** URL of the latest request for the top document since `expectNavigation` was called, after redirects; null if there was none. */
  get mainUrl(): string | null {
    return this.#mainUrl;
  }

  /** True while the top document is requested and its server has not answered: the old page is left already, as far as it can hold a navigation up. */
  get awaitsDocument(): boolean {
    return this.#isNavigating && this.#response?.id !== this.#mainRequestId;
  }

  /** True while the server of the top document has answered and the document has not taken the place of the old one. */
  get awaitsCommit(): boolean {
    return this.#isNavigating && this.#response?.id === this.#mainRequestId;
  }

  get #isNavigating(): boolean {
    return this.#mainUrl !== null && this.#loading && !this.#isCommitted;
  }

  /** Time for which the page has waited for the server of its next document, in milliseconds; 0 if it does not. */
  get documentAwaitedMs(): number {
    return this.awaitsDocument ? performance.now() - this.#documentAwaitedSince : 0;
  }

  /** Resolves when the state of a request or navigation of the page changes next, at the latest after `ms` milliseconds. */
  nextChange(ms: number): Promise<void> {
    return waitUntil(onCall(this.#waiters), afterMs(ms));
  }

  /** Resolves every waiting `nextChange`: for a change that the network does not show, such as a dialog or a closed page. */
  notifyChange(): void {
    for (const wake of [...this.#waiters]) wake();
  }

  get mainFrameId(): string {
    return this.#mainFrameId;
  }

  #navigationStarted(requestId: string, url: string): void {
    this.requests.documentStarted();
    if (!this.awaitsDocument) this.#documentAwaitedSince = performance.now();
    this.#mainUrl = url;
    if (requestId !== this.#mainRequestId) this.#navigationsWithoutDocument++;
    this.#mainRequestId = requestId;
    this.#httpStatus = null;
    this.#navigationRequested = false;
    this.#documentStarted();
  }

  #documentStarted(): void {
    this.onDocument();
    this.#loading = true;
    this.#loadEventFired = false;
    this.#parsedAt = performance.now();
    this.#isCommitted = false;
  }

  /** Sets `mainUrl` to the target of a redirect that is not to http or https: Chromium refuses it without a new request event. */
  #redirected(location: string | undefined): void {
    const target = URL.parse(location ?? '', this.#mainUrl ?? undefined);
    if (target !== null && !/^https?:$/.test(target.protocol)) this.#mainUrl = target.href;
  }

  #navigationEnded(): void {
    this.#navigationRequested = false;
    this.#loading = false;
    this.#loadEventFired = true;
    this.notifyChange();
  }

  #requestEnded(requestId: string): void {
    if (this.requests.ended(requestId) || this.#images.delete(requestId)) this.notifyChange();
  }

  #imageStarted(requestId: string, url: string): void {
    if (isInMemory(url) || URL.parse(url)?.host !== URL.parse(this.#documentUrl)?.host) return;
    this.#images.set(requestId, { number: ++this.#imageNumber, startedAt: performance.now() });
    if (this.#images.size > MAX_IMAGES_OF_STEP) this.#images.delete(this.#images.keys().next().value ?? '');
  }
}

const withoutFragment = (url: string): string => url.replace(/#.*/s, '');

/** True for a URL that the browser reads from its memory: no server answers later. */
const isInMemory = (url: string): boolean => /^(?:blob|data):/i.test(url);

/** Maximum wait for a service worker that answers for its site's server, in milliseconds; at most half of the navigation's time. */
const ANSWER_TIMEOUT_MS = 8_000;
/** Maximum wait for a frame's service worker, in ms. Shorter: a page settles three seconds after it is parsed, and what a frame shows must be there. */
const FRAME_ANSWER_TIMEOUT_MS = 2_000;

/** The kind of document that was loaded without its service worker. */
type Bypassed = 'page' | 'frame';

/** The service workers of a tab's site. One that never answers would keep every page of its origin from being loaded. */
export class ServiceWorkers {
  readonly #page: Page;
  readonly #channel: CdpChannel;
  readonly #network: NetworkIdleTracker;
  /** The origin whose pages, with the frames in them, are loaded without service workers; null for none. */
  #bypassed: string | null = null;
  #hasBypassed: Bypassed | null = null;

  constructor(page: Page, channel: CdpChannel, network: NetworkIdleTracker) {
    this.#page = page;
    this.#channel = channel;
    this.#network = network;
    network.onFrameDocument = asked => {
      if (this.#bypassed !== null || asked.request.method !== 'GET') return;
      setTimeout(() => this.#reloadIfSilent(asked), FRAME_ANSWER_TIMEOUT_MS).unref();
    };
  }

  /** Loads the document of a frame again, without its service worker, if that has not answered. */
  #reloadIfSilent({ requestId, frameId, request }: FrameDocumentRequest): void {
    const { url, urlFragment = '', headers } = request;
    const isSilent = this.#network.requests.awaitsResponse(requestId) && !this.#network.awaitsDocument;
    if (!isSilent || frameId === undefined || !this.#hasWorker(originOf(url))) return;
    if (this.#bypassed === null) this.#bypass(originOf(this.#page.url()));
    this.#hasBypassed ??= 'frame';
    const referrer = headers.Referer !== undefined && { referrer: headers.Referer };
    this.#channel.sendNoReply('Page.navigate', { frameId, url: url + urlFragment, ...referrer });
  }

  /** Settles as `open`, which loads a URL. If its service worker does not answer, calls it once more without the worker. */
  async openWithoutSilentOne(url: string, timeoutMs: number, open: () => Promise<void>): Promise<void> {
    if (this.#bypassed !== null && this.#bypassed !== originOf(url)) this.#bypass(null);
    const before = this.#bypassed;
    const timer = setTimeout(() => this.#bypassIfSilent(url), Math.min(ANSWER_TIMEOUT_MS, timeoutMs / 2));
    try {
      await open();
    } catch (error) {
      if (this.#bypassed === before) throw error;
      await open();
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Stops the load of the next document, which a step or the page itself has begun, if its service worker does not answer: the same step
   * loads it without the worker. Chromium would hold every call to the page back until then. Call it again and again.
   * @returns whether the load was stopped
   */
  stopIfSilent(navigationTimeoutMs: number): boolean {
    const maxMs = Math.min(ANSWER_TIMEOUT_MS, navigationTimeoutMs / 2);
    return this.#network.documentAwaitedMs >= maxMs && this.#bypassIfSilent(this.#network.mainUrl ?? '');
  }

  /** Returns for what a service worker was left out since the last call; null for nothing. */
  takeBypassed(): Bypassed | null {
    const has = this.#hasBypassed;
    this.#hasBypassed = null;
    return has;
  }

  /** @returns whether the load was stopped */
  #bypassIfSilent(url: string): boolean {
    const origin = originOf(this.#network.mainUrl ?? url);
    if (!this.#network.awaitsDocument || !this.#hasWorker(origin)) return false;
    this.#bypass(origin);
    this.#hasBypassed = 'page';
    this.#channel.sendNoReply('Page.stopLoading');
    return true;
  }

  #hasWorker(origin: string): boolean {
    const urls = this.#page
      .context()
      .serviceWorkers()
      .map(worker => worker.url());
    return urls.some(url => originOf(url) === origin && !url.endsWith(SHARED_WORKER_MARK));
  }

  #bypass(origin: string | null): void {
    this.#bypassed = origin;
    this.#channel.sendNoReply('Network.setBypassServiceWorker', { bypass: origin !== null });
  }
}

const originOf = (url: string): string => URL.parse(url)?.origin ?? '';
