/** What a page is waiting for: its navigation and the requests that its document depends on. */
import { hash } from 'node:crypto';
import type { CDPSession } from 'playwright';

/** Only what a page's state hangs on. Images, media, fonts, sockets, beacons and streams come and go without changing what can be done. */
const WAITED_FOR = new Set(['Document', 'Script', 'Stylesheet', 'XHR', 'Fetch']);

/** Addresses that are remembered as streams; a page can make any number. */
const MOST_STREAMS = 500;

/** An address that one document asks for more often is polled: nobody waits for its answers. */
const MOST_ASKED = 3;
const MOST_ADDRESSES = 2_000;

interface Pending {
  readonly number: number;
  readonly startedAt: number;
  /** What a poll has in common with the next. */
  readonly address: string;
}

/** Requests that are remembered as open; who has more waits for the latest. */
const MOST_PENDING = 3_000;
/** Characters. */
const LONGEST_NAME = 500;

/** An address without its query; of a long one only as much as tells it from others. */
function nameOf(url: string): string {
  const address = url.split(/[?#]/, 1)[0] ?? '';
  // A part of a text keeps the whole in memory.
  return url.length <= LONGEST_NAME ? address : hash('sha1', address);
}

export class Activity {
  readonly #pending = new Map<string, Pending>();
  readonly #mainFrameId: string;
  readonly #waiters = new Set<() => void>();
  #number = 0;
  #loading = false;
  #complete = true;
  #requested = false;
  #httpStatus: number | null = null;
  #mainRequest: string | null = null;
  #mainUrl: string | null = null;
  readonly #streams = new Set<string>();
  readonly #asked = new Map<string, number>();
  #answer: { readonly id: string; readonly contentType: string } | null = null;
  #document: { readonly id: string; readonly contentType: string } | null = null;
  #errorPages = 0;
  #files = 0;
  #unreachable: string | null = null;

  /** Starts to listen; `Network.enable` and `Page.enable` must follow. */
  constructor(session: CDPSession, mainFrameId: string) {
    this.#mainFrameId = mainFrameId;
    session.on('Network.requestWillBeSent', ({ requestId, type, frameId, loaderId, request }) => {
      if (type === undefined || !WAITED_FOR.has(type)) return;
      if (type === 'Document' && frameId === mainFrameId && requestId === loaderId)
        this.#navigationBegan(requestId, request.url);
      if (!this.#pending.has(requestId)) {
        const address = nameOf(request.url);
        const asked = (this.#asked.get(address) ?? 0) + 1;
        if (asked > 1 || this.#asked.size < MOST_ADDRESSES) this.#asked.set(address, asked);
        if (this.#pending.size >= MOST_PENDING) this.#pending.delete(this.#pending.keys().next().value ?? '');
        this.#pending.set(requestId, { number: ++this.#number, startedAt: performance.now(), address });
      }
      this.#changed();
    });
    session.on('Network.responseReceived', ({ requestId, type, frameId, loaderId, response }) => {
      // Of a request with a long body nothing was told before (the pipe's filter leaves it out).
      const isUntold = frameId === mainFrameId && requestId === loaderId && requestId !== this.#mainRequest;
      if (type === 'Document' && isUntold) this.#navigationBegan(requestId, response.url);
      if (requestId === this.#mainRequest) {
        this.#httpStatus = response.status;
        this.#answer = { id: requestId, contentType: contentTypeOf(response) };
      }
      // A stream answers but never ends; its beginning is all that is waited for.
      if (/event-stream|multipart\/x-mixed-replace/.test(response.mimeType)) this.#ended(requestId);
    });
    session.on('Network.responseReceivedExtraInfo', ({ requestId, statusCode, headers }) => {
      if (requestId === this.#mainRequest && statusCode >= 300 && statusCode < 400)
        this.#redirected(headerOf(headers, 'location'));
    });
    session.on('Network.loadingFinished', ({ requestId }) => this.#ended(requestId));
    session.on('Network.loadingFailed', ({ requestId, canceled }) => {
      if (requestId === this.#mainRequest) {
        if (canceled === true && this.#answer?.id === requestId && hasContent(this.#httpStatus))
          this.#files++;
        this.#navigationEnded();
      }
      this.#ended(requestId);
    });
    session.on('Page.frameRequestedNavigation', ({ frameId, disposition, url }) => {
      if (frameId !== mainFrameId || disposition !== 'currentTab') return;
      // Of what Chromium refuses to pages nothing more is heard: there is nothing to wait for.
      if (!/^(?:https?|about|blob):/i.test(url)) return;
      this.#requested = true;
      this.#changed();
    });
    session.on('Page.frameNavigated', ({ frame }) => {
      if (frame.id !== mainFrameId) return;
      this.#requested = false;
      this.#loading = true;
      this.#complete = false;
      this.#unreachable = frame.unreachableUrl ?? null;
      if (this.#unreachable !== null) this.#errorPages++;
      if (frame.loaderId !== this.#mainRequest) this.#httpStatus = null;
      const { loaderId: id, mimeType } = frame;
      this.#document = this.#answer?.id === id ? this.#answer : { id, contentType: mimeType };
      this.#changed();
    });
    session.on('Page.navigatedWithinDocument', ({ frameId }) => {
      if (frameId !== mainFrameId) return;
      this.#requested = false;
      this.#changed();
    });
    session.on('Page.domContentEventFired', () => {
      this.#loading = false;
      this.#changed();
    });
    session.on('Page.loadEventFired', () => {
      this.#loading = false;
      this.#complete = true;
      this.#changed();
    });
    session.on('Page.frameStoppedLoading', ({ frameId }) => {
      if (frameId === mainFrameId) this.#navigationEnded();
    });
  }

  /** Number of the latest request: those that begin later belong to what is done next. */
  mark(): number {
    return this.#number;
  }

  /** Whether the top page is being replaced and its new document is not parsed yet. */
  get loading(): boolean {
    return this.#loading || this.#requested;
  }

  /** Whether the load event has been fired. */
  get complete(): boolean {
    return this.#complete;
  }

  /** How many pages of the browser's own, about an address that could not be opened, have taken the top page's place. */
  get errorPages(): number {
    return this.#errorPages;
  }

  /** Navigations whose answer came and became no page: Chromium keeps it as a file, and says so a moment later. */
  get files(): number {
    return this.#files;
  }

  /** The address that the browser's own error page now stands for; null while a page of the web is shown. */
  get unreachable(): string | null {
    return this.#unreachable;
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
  get answerType(): string {
    return this.#answer?.contentType ?? '';
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
  pendingSince(mark: number, patienceMs: number): number {
    const youngest = performance.now() - patienceMs;
    let count = 0;
    for (const { number, startedAt, address } of this.#pending.values()) {
      if (number <= mark || this.#streams.has(address)) continue;
      if ((this.#asked.get(address) ?? 0) > MOST_ASKED) continue;
      if (startedAt > youngest) count++;
      else if (this.#streams.size < MOST_STREAMS) this.#streams.add(address);
    }
    return count;
  }

  /** Resolves at the next change, or after `ms`. */
  change(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const done = () => {
      clearTimeout(timer);
      this.#waiters.delete(done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    this.#waiters.add(done);
    return promise;
  }

  /** Wakes those who wait, for a change that the network does not show (a dialog, a closed page). */
  wake(): void {
    this.#changed();
  }

  /** Id of the top frame. */
  get mainFrameId(): string {
    return this.#mainFrameId;
  }

  #navigationBegan(requestId: string, url: string): void {
    this.#asked.clear();
    this.#mainUrl = url;
    this.#mainRequest = requestId;
    this.#httpStatus = null;
    this.#requested = false;
    this.#loading = true;
    this.#complete = false;
  }

  /** To an address of the web a request follows, which tells it; Chromium refuses others without one. */
  #redirected(location: string | undefined): void {
    const target = URL.parse(location ?? '', this.#mainUrl ?? undefined);
    if (target !== null && !/^https?:$/.test(target.protocol)) this.#mainUrl = target.href;
  }

  #navigationEnded(): void {
    this.#requested = false;
    this.#loading = false;
    this.#complete = true;
    this.#changed();
  }

  #ended(requestId: string): void {
    if (this.#pending.delete(requestId)) this.#changed();
  }

  #changed(): void {
    for (const wake of [...this.#waiters]) wake();
  }
}

const hasContent = (status: number | null): boolean =>
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
