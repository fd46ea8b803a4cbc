/** What a page is waiting for: its navigation and the requests that its document depends on. */
import { hash } from 'node:crypto';
import type { CDPSession } from 'playwright';
import { afterMs, onCall, waitUntil } from '../../async/race.ts';

/** Only what a page's state hangs on. Images, media, fonts, sockets, beacons and streams come and go without changing what can be done. */
const AWAITED_RESOURCE_TYPES = new Set(['Document', 'Script', 'Stylesheet', 'XHR', 'Fetch']);

/** Addresses that are remembered as streams; a page can make any number. */
const MAX_STREAM_ADDRESSES = 500;

/** An address that one document asks for more often is polled: nobody waits for its answers. */
const MAX_REQUESTS_BEFORE_POLLING = 3;
const MAX_COUNTED_ADDRESSES = 2_000;

interface PendingRequest {
  readonly number: number;
  readonly startedAt: number;
  /** What a poll has in common with the next. */
  readonly addressKey: string;
}

/** Requests that are remembered as open; who has more waits for the latest. */
const MAX_PENDING_REQUESTS = 3_000;
/** Characters. */
const MAX_ADDRESS_LENGTH = 500;

/** An address without its query; of a long one only as much as tells it from others. */
function addressKey(url: string): string {
  const address = url.split(/[?#]/, 1)[0] ?? '';
  // A part of a text keeps the whole in memory.
  return url.length <= MAX_ADDRESS_LENGTH ? address : hash('sha1', address);
}

export class NetworkIdleTracker {
  readonly #pending = new Map<string, PendingRequest>();
  readonly #mainFrameId: string;
  readonly #waiters = new Set<() => void>();
  #lastRequestNumber = 0;
  #loading = false;
  #loadEventFired = true;
  #navigationRequested = false;
  #httpStatus: number | null = null;
  #mainRequestId: string | null = null;
  #mainUrl: string | null = null;
  readonly #streamAddresses = new Set<string>();
  readonly #requestCounts = new Map<string, number>();
  #response: { readonly id: string; readonly contentType: string } | null = null;
  #document: { readonly id: string; readonly contentType: string } | null = null;
  #errorPageCount = 0;
  #downloadNavigationCount = 0;
  #unreachableUrl: string | null = null;

  /** Starts to listen; `Network.enable` and `Page.enable` must follow. */
  constructor(session: CDPSession, mainFrameId: string) {
    this.#mainFrameId = mainFrameId;
    session.on('Network.requestWillBeSent', ({ requestId, type, frameId, loaderId, request }) => {
      if (type === undefined || !AWAITED_RESOURCE_TYPES.has(type)) return;
      if (type === 'Document' && frameId === mainFrameId && requestId === loaderId)
        this.#navigationStarted(requestId, request.url);
      if (!this.#pending.has(requestId)) {
        const address = addressKey(request.url);
        const requestCount = (this.#requestCounts.get(address) ?? 0) + 1;
        if (requestCount > 1 || this.#requestCounts.size < MAX_COUNTED_ADDRESSES)
          this.#requestCounts.set(address, requestCount);
        if (this.#pending.size >= MAX_PENDING_REQUESTS)
          this.#pending.delete(this.#pending.keys().next().value ?? '');
        this.#pending.set(requestId, {
          number: ++this.#lastRequestNumber,
          startedAt: performance.now(),
          addressKey: address,
        });
      }
      this.#wakeWaiters();
    });
    session.on('Network.responseReceived', ({ requestId, type, frameId, loaderId, response }) => {
      // Of a request with a long body nothing was told before (the pipe's filter leaves it out).
      const isUnreported =
        frameId === mainFrameId && requestId === loaderId && requestId !== this.#mainRequestId;
      if (type === 'Document' && isUnreported) this.#navigationStarted(requestId, response.url);
      if (requestId === this.#mainRequestId) {
        this.#httpStatus = response.status;
        this.#response = { id: requestId, contentType: contentTypeOf(response) };
      }
      // A stream answers but never ends; its beginning is all that is waited for.
      if (/event-stream|multipart\/x-mixed-replace/.test(response.mimeType)) this.#requestEnded(requestId);
    });
    session.on('Network.responseReceivedExtraInfo', ({ requestId, statusCode, headers }) => {
      if (requestId === this.#mainRequestId && statusCode >= 300 && statusCode < 400)
        this.#redirected(headerOf(headers, 'location'));
    });
    session.on('Network.loadingFinished', ({ requestId }) => this.#requestEnded(requestId));
    session.on('Network.loadingFailed', ({ requestId, canceled }) => {
      if (requestId === this.#mainRequestId) {
        if (canceled === true && this.#response?.id === requestId && hasBody(this.#httpStatus))
          this.#downloadNavigationCount++;
        this.#navigationEnded();
      }
      this.#requestEnded(requestId);
    });
    session.on('Page.frameRequestedNavigation', ({ frameId, disposition, url }) => {
      if (frameId !== mainFrameId || disposition !== 'currentTab') return;
      // Of what Chromium refuses to pages nothing more is heard: there is nothing to wait for.
      if (!/^(?:https?|about|blob):/i.test(url)) return;
      this.#navigationRequested = true;
      this.#wakeWaiters();
    });
    session.on('Page.frameNavigated', ({ frame }) => {
      if (frame.id !== mainFrameId) return;
      this.#navigationRequested = false;
      this.#loading = true;
      this.#loadEventFired = false;
      this.#unreachableUrl = frame.unreachableUrl ?? null;
      if (this.#unreachableUrl !== null) this.#errorPageCount++;
      if (frame.loaderId !== this.#mainRequestId) this.#httpStatus = null;
      const { loaderId: id, mimeType } = frame;
      this.#document = this.#response?.id === id ? this.#response : { id, contentType: mimeType };
      this.#wakeWaiters();
    });
    session.on('Page.navigatedWithinDocument', ({ frameId }) => {
      if (frameId !== mainFrameId) return;
      this.#navigationRequested = false;
      this.#wakeWaiters();
    });
    session.on('Page.domContentEventFired', () => {
      this.#loading = false;
      this.#wakeWaiters();
    });
    session.on('Page.loadEventFired', () => {
      this.#loading = false;
      this.#loadEventFired = true;
      this.#wakeWaiters();
    });
    session.on('Page.frameStoppedLoading', ({ frameId }) => {
      if (frameId === mainFrameId) this.#navigationEnded();
    });
  }

  /** Number of the latest request: those that begin later belong to what is done next. */
  currentRequestNumber(): number {
    return this.#lastRequestNumber;
  }

  /** Whether the top page is being replaced and its new document is not parsed yet. */
  get loading(): boolean {
    return this.#loading || this.#navigationRequested;
  }

  /** Whether the load event has been fired. */
  get loadEventFired(): boolean {
    return this.#loadEventFired;
  }

  /** How many pages of the browser's own, about an address that could not be opened, have taken the top page's place. */
  get errorPageCount(): number {
    return this.#errorPageCount;
  }

  /** Navigations whose answer came and became no page: Chromium keeps it as a file, and says so a moment later. */
  get downloadNavigationCount(): number {
    return this.#downloadNavigationCount;
  }

  /** The address that the browser's own error page now stands for; null while a page of the web is shown. */
  get unreachableUrl(): string | null {
    return this.#unreachableUrl;
  }

  /** Status of the last top-level answer; null where there was none. */
  get httpStatus(): number | null {
    return this.#httpStatus;
  }

  /** The top document: its request, and its Content-Type with parameters; null before the first. */
  get document(): { readonly id: string; readonly contentType: string } | null {
    return this.#document;
  }

  /** Content-Type of the last top-level answer, whether it became a document or not; empty where there was none. */
  get responseContentType(): string {
    return this.#response?.contentType ?? '';
  }

  /** A navigation is asked for: what was requested before it does not count. */
  expectNavigation(): void {
    this.#mainUrl = null;
  }

  /** Address of the last top-level request since a navigation was asked for, after redirects; null where there was none. */
  get mainUrl(): string | null {
    return this.#mainUrl;
  }

  /**
   * Requests that began after the mark and are still open. One that stays open longer than `patienceMs` is taken for a
   * stream or a long poll, and so is every later one to the same address. Addresses that are polled do not count.
   */
  countPendingAfter(requestNumber: number, maxAgeMs: number): number {
    const youngest = performance.now() - maxAgeMs;
    let count = 0;
    for (const { number, startedAt, addressKey } of this.#pending.values()) {
      if (number <= requestNumber || this.#streamAddresses.has(addressKey)) continue;
      if ((this.#requestCounts.get(addressKey) ?? 0) > MAX_REQUESTS_BEFORE_POLLING) continue;
      if (startedAt > youngest) count++;
      else if (this.#streamAddresses.size < MAX_STREAM_ADDRESSES) this.#streamAddresses.add(addressKey);
    }
    return count;
  }

  /** Resolves at the next change, or after `ms`. */
  nextChange(ms: number): Promise<void> {
    return waitUntil(onCall(this.#waiters), afterMs(ms));
  }

  /** Wakes those who wait, for a change that the network does not show (a dialog, a closed page). */
  notifyChange(): void {
    this.#wakeWaiters();
  }

  /** Id of the top frame. */
  get mainFrameId(): string {
    return this.#mainFrameId;
  }

  #navigationStarted(requestId: string, url: string): void {
    this.#requestCounts.clear();
    this.#mainUrl = url;
    this.#mainRequestId = requestId;
    this.#httpStatus = null;
    this.#navigationRequested = false;
    this.#loading = true;
    this.#loadEventFired = false;
  }

  /** To an address of the web a request follows, which tells it; Chromium refuses others without one. */
  #redirected(location: string | undefined): void {
    const target = URL.parse(location ?? '', this.#mainUrl ?? undefined);
    if (target !== null && !/^https?:$/.test(target.protocol)) this.#mainUrl = target.href;
  }

  #navigationEnded(): void {
    this.#navigationRequested = false;
    this.#loading = false;
    this.#loadEventFired = true;
    this.#wakeWaiters();
  }

  #requestEnded(requestId: string): void {
    if (this.#pending.delete(requestId)) this.#wakeWaiters();
  }

  #wakeWaiters(): void {
    for (const wake of [...this.#waiters]) wake();
  }
}

const hasBody = (status: number | null): boolean =>
  status !== null && status >= 200 && status < 300 && status !== 204 && status !== 205;

/** The header as it was sent, for its charset. */
function contentTypeOf({
  headers,
  mimeType,
}: {
  readonly headers: Readonly<Record<string, string>>;
  readonly mimeType: string;
}): string {
  return headerOf(headers, 'content-type') || mimeType;
}

function headerOf(headers: Readonly<Record<string, string>>, lowerCaseName: string): string | undefined {
  const name = Object.keys(headers).find(key => key.toLowerCase() === lowerCaseName);
  return name === undefined ? undefined : headers[name];
}
