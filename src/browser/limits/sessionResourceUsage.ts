/** Measures the resources that one session uses: network, processes, and the storage that the browser keeps for its pages. */
import type { BrowserContext, CDPSession, Frame, Page } from 'playwright';
import { afterMs, race } from '../../async/race.ts';
import type { SessionLimitUsage } from '../../domain/session/sessionLimits.ts';
import { BLOB_INTERNALS_URL, blobBytesOf, rendererPidOf } from '../cdp/playwrightInternals.ts';
import { detachSession } from '../cdp/playwrightSessions.ts';
import type { TrafficUsage } from '../egress/proxyEndpoint.ts';
import { mainThreadMs } from './processTable.ts';

/**
 * Opens a URL in a context, without any URL check.
 * @param browserContextId Chromium's id of the context
 * @returns Chromium's target id of the page
 */
export type OpenInternalPage = (url: `chrome://${string}`, browserContextId: string) => Promise<string>;

export class BlobUsageReader {
  readonly #context: BrowserContext;
  #opening: Promise<string> | null = null;
  #reading: Promise<number> | null = null;

  constructor(context: BrowserContext) {
    this.#context = context;
  }

  /** True if the page is the internal one that this reader opened, not a tab of the session. Never throws. */
  async isReaderPage(page: Page): Promise<boolean> {
    const opening = this.#opening;
    if (opening === null) return false;
    if (page.url() === BLOB_INTERNALS_URL) return true;
    try {
      // Playwright may report the page before its URL is known.
      return (await this.#targetId(page)) === (await opening);
    } catch {
      // The window closed at once, or the internal page did not open.
      return false;
    }
  }

  /**
   * Returns the bytes of all blobs of the context. A call during another one gets its result: a second internal page would count as a tab
   * of the session as soon as the first one is known.
   * @throws Error when the internal page does not open within `timeoutMs`
   */
  readBytes(open: OpenInternalPage, browserContextId: string, timeoutMs: number): Promise<number> {
    this.#reading ??= this.#read(open, browserContextId, timeoutMs).finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #read(open: OpenInternalPage, browserContextId: string, timeoutMs: number): Promise<number> {
    const opened = this.#context.waitForEvent('page', {
      predicate: page => this.isReaderPage(page),
      timeout: timeoutMs,
    });
    this.#opening = open(BLOB_INTERNALS_URL, browserContextId);
    // If the call fails, the wait for `opened` times out.
    this.#opening.catch(() => {});
    const page = await opened;
    this.#opening = null;
    const timer = setTimeout(() => void page.close().catch(() => {}), timeoutMs);
    try {
      await page.waitForURL(BLOB_INTERNALS_URL);
      const lines = await page.locator('li').allTextContents();
      return lines.reduce((sum, line) => sum + blobBytesOf(line), 0);
    } finally {
      clearTimeout(timer);
      void page.close().catch(() => {});
    }
  }

  async #targetId(page: Page): Promise<string> {
    const session = await this.#context.newCDPSession(page);
    try {
      return (await session.send('Target.getTargetInfo')).targetInfo.targetId;
    } finally {
      void detachSession(session).catch(() => {});
    }
  }
}

/** Maximum time that `refresh` waits for a busy page. A later response is still recorded. */
const REFRESH_TIMEOUT_MS = 1_000;

export class RendererPidTracker {
  readonly #page: Page;
  readonly #session: CDPSession;
  readonly #pids = new Set<number>();
  #refreshing: Promise<void> | null = null;

  /** @param session CDP session of the page, with `Network.enable`: the requests of a document reveal its process too */
  constructor(page: Page, session: CDPSession) {
    this.#page = page;
    this.#session = session;
    session.on('Network.requestWillBeSent', ({ requestId }) => this.#addPidOf(requestId));
    // A page can keep its process too busy to answer a later question: ask while the document is new, and its search is short.
    session.on('Page.frameNavigated', ({ frame }) => {
      if (frame.parentId === undefined) void this.#readPid(session);
    });
    void this.#readPid(session);
  }

  /** The page's known process ids. Some of these processes may have ended. */
  get known(): readonly number[] {
    return [...this.#pids];
  }

  /** Returns the processor time of the main threads of the page's known processes, in milliseconds; 0 when unknown. */
  mainThreadsMs(): number {
    return this.known.reduce((sum, pid) => sum + mainThreadMs(pid), 0);
  }

  /** Returns the page's known process ids that are among `livingPids`, the running renderers, and forgets the others. */
  livingPids(livingPids: ReadonlySet<number>): readonly number[] {
    for (const pid of this.#pids) if (!livingPids.has(pid)) this.#pids.delete(pid);
    return [...this.#pids];
  }

  /** Finds the processes of the page and its frames; never throws. Makes Chromium walk through each document once. */
  refresh(): Promise<void> {
    if (this.#refreshing !== null) return this.#refreshing;
    const frames = this.#page.frames().filter(frame => frame !== this.#page.mainFrame());
    const work = Promise.allSettled([
      this.#readPid(this.#session),
      ...frames.map(frame => this.#readPidOf(frame)),
    ]);
    const done = work.then(() => {
      this.#refreshing = null;
    });
    this.#refreshing = race(done, afterMs(REFRESH_TIMEOUT_MS));
    return this.#refreshing;
  }

  /** Rejects for a frame in its parent's process: Chromium offers no CDP session for it. */
  async #readPidOf(frame: Frame): Promise<void> {
    const session = await this.#page.context().newCDPSession(frame);
    await this.#readPid(session).finally(() => detachSession(session).catch(() => {}));
  }

  /** Finds the process of a session's document, and adds its id; never throws. Sends all calls at once. */
  async #readPid(session: CDPSession): Promise<void> {
    const calls = [
      session.send('DOM.enable'),
      session.send('DOM.performSearch', { query: '-' }).then(({ searchId }) => this.#addPidOf(searchId)),
      session.send('DOM.disable'),
    ];
    await Promise.allSettled(calls);
  }

  #addPidOf(id: string): void {
    const pid = rendererPidOf(id);
    if (pid !== null) this.#pids.add(pid);
  }
}

/** Maximum wait of a caller for Chromium to count the storage of a session. It takes 0.1 s, and 3 to 6 s on a busy machine. */
const STORAGE_TIMEOUT_MS = 10_000;
/** Maximum duration of the count itself, of which a later caller gets the result. */
const COUNT_TIMEOUT_MS = 60_000;
/** Maximum number of visited origins that are remembered: storage is counted by origin. */
const MAX_ORIGINS = 2_000;

export interface MeasuredTabs {
  readonly openedPageCount: number;
  readonly blobUsage: BlobUsageReader;
  readonly all: readonly { readonly rendererPids: RendererPidTracker }[];
  readonly active: { readonly target: { readonly channel: { readonly session: CDPSession } } };
}

/** Measures the resources that one session uses, from the creation of its lease. */
export class SessionResourceUsage {
  readonly #tabs: MeasuredTabs;
  readonly #egressUsage: () => TrafficUsage;
  readonly #origins = new Set<string>();
  readonly #cpuSecondsByPid = new Map<number, number>();
  #count: Promise<number | null> | null = null;

  constructor(context: BrowserContext, firstPage: Page, tabs: MeasuredTabs, egressUsage: () => TrafficUsage) {
    this.#tabs = tabs;
    this.#egressUsage = egressUsage;
    this.#trackOrigins(firstPage);
    context.on('page', page => this.#trackOrigins(page));
  }

  /** Returns opened pages, requests and traffic: counted by the service, not measured in the browser. */
  countedUsage(): Pick<SessionLimitUsage, 'pages' | 'requests' | 'trafficBytes'> {
    const { requests, receivedBytes, sentBytes } = this.#egressUsage();
    return { pages: this.#tabs.openedPageCount, requests, trafficBytes: receivedBytes + sentBytes };
  }

  /** Some may have ended. */
  knownRendererPids(): readonly number[] {
    return [...new Set(this.#tabs.all.flatMap(tab => tab.rendererPids.known))];
  }

  /** Returns those of the browser's running processes that are known to run this session's pages. */
  rendererPidsAmong(livingPids: ReadonlySet<number>): readonly number[] {
    return [...new Set(this.#tabs.all.flatMap(tab => tab.rendererPids.livingPids(livingPids)))];
  }

  /** @returns total seconds of processor time, including processes that have ended */
  addCpuSeconds(processes: readonly { readonly pid: number; readonly cpuSeconds: number }[]): number {
    for (const { pid, cpuSeconds } of processes) this.#cpuSecondsByPid.set(pid, cpuSeconds);
    return this.#cpuSecondsByPid.values().reduce((sum, seconds) => sum + seconds, 0);
  }

  async refreshRendererPids(): Promise<void> {
    await Promise.all(this.#tabs.all.map(tab => tab.rendererPids.refresh()));
  }

  /**
   * Returns the bytes of the session's blobs, databases, caches and files, as Chromium counts them; null when Chromium
   * does not respond in time: then the count goes on, and the next call waits for the same one. Opens an internal page of Chromium in
   * the session's context, which takes about 0.1 s.
   */
  async storedBytes(open: OpenInternalPage): Promise<number | null> {
    this.#count ??= Promise.all([this.#blobBytes(open), this.#storageBytes()])
      .then(
        ([blobs, storage]) => blobs + storage,
        () => null,
      )
      .finally(() => {
        this.#count = null;
      });
    return race(
      this.#count,
      afterMs(STORAGE_TIMEOUT_MS, () => null),
    );
  }

  #trackOrigins(page: Page): void {
    const addOrigin = (frame: Frame): void => {
      const url = URL.parse(frame.url());
      if (url?.protocol.startsWith('http') && this.#origins.size < MAX_ORIGINS) this.#origins.add(url.origin);
    };
    page.frames().forEach(addOrigin);
    page.on('framenavigated', addOrigin);
  }

  async #blobBytes(open: OpenInternalPage): Promise<number> {
    const { targetInfo } = await this.#tabs.active.target.channel.session.send('Target.getTargetInfo');
    return this.#tabs.blobUsage.readBytes(open, targetInfo.browserContextId ?? '', COUNT_TIMEOUT_MS);
  }

  async #storageBytes(): Promise<number> {
    const { session } = this.#tabs.active.target.channel;
    const requests = [...this.#origins].map(origin => session.send('Storage.getUsageAndQuota', { origin }));
    return (await Promise.all(requests)).reduce((sum, { usage }) => sum + usage, 0);
  }
}
