/** The tabs of one session: opens, closes and activates them, and reports their events. */

import type { BrowserContext, Page } from 'playwright';
import { afterMs, race } from '../../async/race.ts';
import type { SessionEvent } from '../../domain/session/sessionEvent.ts';
import { normalizeLines, truncate } from '../../domain/space/pageText.ts';
import type { TabInfo } from '../../domain/space/space.ts';
import { redactUrl, shownUrl } from '../../domain/webAddress.ts';
import { windowFloodFailure } from '../cdp/errors.ts';
import { isExecutionTerminated, refusedUrlOf } from '../cdp/playwrightInternals.ts';
import { documentRefusal } from '../egress/checkTarget.ts';
import { BlobUsageReader } from '../limits/sessionResourceUsage.ts';
import { SCRIPT_TIMEOUT_MS } from './scriptWatch.ts';
import { Interrupted, Tab, type TabListener } from './tab.ts';
import type { OpenDialog } from './tabDialogs.ts';

/**
 * A page that opens more windows than this in one period, without being observed meanwhile, is ended. Twice as many as a session may have tabs: each window
 * stops its opener, which runs in the same process, until the window is set up, so a page that opens hundreds answers nothing for as long.
 */
export const MAX_WINDOWS_AT_ONCE = 40;
/** The period in which windows are counted. Milliseconds. A busy machine sets up one window in two seconds. */
const PERIOD_MS = 120_000;

export class WindowFlood {
  #count = 0;
  #since = Number.NEGATIVE_INFINITY;

  hasBegun(now: number): boolean {
    if (now - this.#since > PERIOD_MS) {
      this.#since = now;
      this.#count = 0;
    }
    return ++this.#count === MAX_WINDOWS_AT_ONCE;
  }

  /** Tells that the page has been observed: its windows do not keep it from answering. */
  pageObserved(): void {
    this.#since = Number.NEGATIVE_INFINITY;
  }
}

const floods = new WeakMap<Tab, WindowFlood>();

export function windowFloodOf(tab: Tab): WindowFlood {
  const flood = floods.get(tab) ?? new WindowFlood();
  floods.set(tab, flood);
  return flood;
}

/** Maximum number of `blocked` events of a session for URLs that Chromium refuses. */
const MAX_BLOCKED_EVENTS = 256;
const MAX_URL_LENGTH = 2_000;

class BlockedRequestLog {
  readonly #reportedUrls = new Set<string>();
  readonly #onEvent: (event: SessionEvent) => void;
  readonly #now: () => number;

  constructor(onEvent: (event: SessionEvent) => void, now: () => number) {
    this.#onEvent = onEvent;
    this.#now = now;
  }

  /** Starts to report the URLs that Chromium refuses in a tab. The CDP session of the tab must have `Log` and `Page` enabled. */
  watch({ target, mainFrameId }: Tab): void {
    const { session } = target.channel;
    session.on('Log.entryAdded', ({ entry }) => {
      const url = refusedUrlOf(entry.text);
      if (url !== null) this.#report(url);
    });
    session.on('Page.frameRequestedNavigation', ({ frameId, url }) => {
      if (frameId === mainFrameId) this.#report(url);
    });
    session.on('Page.windowOpen', ({ url }) => {
      // A `javascript:` URL only runs a script of the page.
      if (!/^javascript:/i.test(url)) this.#report(url);
    });
  }

  /** Reports a URL as a `blocked` event if pages may not open it; only once per session. */
  #report(url: string): void {
    const reason = documentRefusal(url);
    // Remove the `?` that a form appends.
    const address = redactUrl(url, MAX_URL_LENGTH).replace(/\?$/, '');
    if (reason === null || this.#reportedUrls.has(address) || this.#reportedUrls.size >= MAX_BLOCKED_EVENTS)
      return;
    this.#reportedUrls.add(address);
    this.#onEvent({ type: 'blocked', at: this.#now(), url: address, reason });
  }
}

/** After this many dialogs, the script that opens them is terminated with each further one. */
const MAX_BEFORE_TERMINATION = 8;
/** After this many dialogs, the window is closed: it never becomes a tab. */
const MAX_BEFORE_CLOSING = 32;

interface EarlyDialogsDeps {
  /** Ends the script that runs in the process of the window's opener, which is also the window's own if they can script each other. */
  readonly terminateScript: () => void;
  readonly report: (dialog: OpenDialog) => void;
  /** Called when the window was closed because its dialogs did not end. */
  readonly closed: () => void;
}

/** Dismisses the dialogs of a new window, and closes one that opens them without end: its opener could not answer. Returns a function that stops this. */
function dismissEarlyDialogs(page: Page, { terminateScript, report, closed }: EarlyDialogsDeps): () => void {
  let count = 0;
  const dismiss = (dialog: OpenDialog): void => {
    report(dialog);
    // Before the dismissal: the script ends as soon as the dialog lets it continue.
    if (++count > MAX_BEFORE_TERMINATION) terminateScript();
    if (count === MAX_BEFORE_CLOSING) page.close().then(closed, () => {});
    dialog.dismiss().catch(() => {});
  };
  page.on('dialog', dismiss);
  return () => page.off('dialog', dismiss);
}

/** Attempts to make Chromium deliver input to a page again. */
const MAX_ATTEMPTS = 3;

/**
 * Makes Chromium deliver input to the page of a tab again. If a window closes while a dialog of one of its frames is open, Chromium drops all
 * input to its process, which its opener shares, until another dialog of the process has closed. Never rejects.
 */
async function restoreInput(tab: Tab): Promise<void> {
  const { channel, worlds } = tab.target;
  const world = worlds.find(tab.mainFrameId);
  if (world === null || tab.isUnresponsive) return;
  const expression = `alert(${JSON.stringify(tab.dialogs.ownText)})`;
  const { uniqueId: uniqueContextId } = world;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const opened = channel.session.send('Runtime.evaluate', { expression, uniqueContextId });
    // The termination of a script that loops can end this one instead.
    const isTerminated = await tab
      .interruptible(opened)
      .then(({ exceptionDetails }) => exceptionDetails !== undefined, isExecutionTerminated);
    if (!isTerminated) return;
  }
}

const MAX_EVENT_URL_LENGTH = 2_000;
const MAX_EVENT_DIALOG_LENGTH = 10_000;
/** Maximum number of tabs of a session; further windows that pages open are closed immediately. */
const MAX_TABS = 20;
const MAX_DISMISSED_DIALOG_EVENTS = 100;
/** Maximum wait for a window that a page has requested; after that, the window counts as refused. */
const WINDOW_REQUEST_TIMEOUT_MS = 1_500;
const WINDOW_OPEN_TIMEOUT_MS = 3_000;

export interface TabSetOptions {
  readonly onEvent: (event: SessionEvent) => void;
  /** Called when another dialog, or none (null), blocks the active tab: others are dismissed. */
  readonly onDialog?: (dialog: OpenDialog | null) => void;
  /** Called with each tab of the session before its first operation. Default: nothing. */
  readonly onTab?: (tab: Tab) => void;
  readonly onCrash: () => void;
  readonly now: () => number;
  /** Processor time after which a script counts as endless, in milliseconds. Default: SCRIPT_TIMEOUT_MS. */
  readonly scriptTimeoutMs?: number;
  readonly navigationTimeoutMs?: number;
  /** Returns a function that closes the connections of the session over which nothing has passed since this call. Default: none. */
  readonly markConnections?: () => (all?: boolean) => void;
  /** Kills those of the processes that run pages of this browser. Default: none. */
  readonly killRenderers?: (pids: readonly number[]) => void;
  /** Ends the process that draws the pages of the browser. Default: none. */
  readonly restartGpu?: () => Promise<void>;
}

export class TabSet {
  readonly #context: BrowserContext;
  readonly #tabs: Tab[] = [];
  /** The end of a step waits for these: windows that are not tabs yet, tabs that receive no input yet. */
  readonly #opening = new Set<Promise<unknown>>();
  /** By page that is not a tab yet: stops to dismiss its dialogs. */
  readonly #stopDismissing = new WeakMap<Page, () => void>();
  readonly #options: TabSetOptions;
  readonly #blockedRequests: BlockedRequestLog;
  /** Reads how many bytes the blobs of the session use. It opens an internal page in the context, which is not a tab. */
  readonly blobUsage: BlobUsageReader;
  /** Listeners that are called when another tab becomes the active one. */
  readonly activeChanged = new Set<() => void>();
  #activeTab: Tab;
  #tabCount = 1;
  openedPageCount = 1;
  /** Number of documents that the tabs have got since the session started. */
  navigationCount = 0;
  #openedDialogCount = 0;
  #dismissedDialogCount = 0;
  #adopting = 0;
  /** The tabs that were not active and began to load another document since `forgetNavigated`. */
  readonly #navigated = new Set<Tab>();
  #windowsRequested = 0;
  #windowsOpened = 0;
  /** True while opened pages do not become tabs and closed pages are not reported: during a replacement, and after `stopReporting`. */
  #ignoresPages = false;

  /** Starts to watch the context: each new page becomes a tab. @param first the first tab, whose page is open already */
  constructor(context: BrowserContext, first: Tab, options: TabSetOptions) {
    this.#context = context;
    this.blobUsage = new BlobUsageReader(context);
    this.#activeTab = first;
    this.#tabs.push(first);
    this.#options = options;
    this.#blockedRequests = new BlockedRequestLog(options.onEvent, options.now);
    this.#watch(first);
    context.on('page', page => {
      const stopDismissing = dismissEarlyDialogs(page, {
        terminateScript: () => this.#activeTab.terminateScript(),
        report: dialog => this.#listener.dialogOpened(dialog, false),
        closed: () => this.#restoreInput(),
      });
      this.#stopDismissing.set(page, stopDismissing);
      this.#track(this.#adopt(page).catch(() => {}));
    });
  }

  #track(work: Promise<void>): void {
    this.#opening.add(work);
    void work.finally(() => this.#opening.delete(work));
  }

  get active(): Tab {
    return this.#activeTab;
  }

  #setActive(tab: Tab): void {
    if (this.#activeTab === tab) return;
    this.#activeTab = tab;
    for (const listener of this.activeChanged) listener();
  }

  rows(): readonly TabInfo[] {
    return this.#tabs.map(tab => ({
      id: tab.id,
      title: tab.title,
      url: shownUrl(tab.redactedUrl),
      active: tab === this.#activeTab,
    }));
  }

  get all(): readonly Tab[] {
    return this.#tabs;
  }

  /** Returns the tab with an id such as `T2`, in upper or lower case; null if there is none. */
  byId(id: string): Tab | null {
    return this.#tabs.find(tab => tab.id === id.toUpperCase()) ?? null;
  }

  async activate(tab: Tab): Promise<void> {
    this.#setActive(tab);
    await tab.page.bringToFront().catch(() => {});
  }

  /** Replaces a crashed or closed tab by an empty one with the same id, makes it active and returns it. */
  async replace(dead: Tab): Promise<Tab> {
    const index = this.#tabs.indexOf(dead);
    if (index >= 0) this.#tabs.splice(index, 1);
    this.#ignoresPages = true;
    try {
      const fresh = await this.#open(await this.#context.newPage(), dead.id);
      if (!this.#tabs.includes(fresh)) this.#tabs.splice(Math.max(0, index), 0, fresh);
      this.#setActive(fresh);
      void dead.page.close().catch(() => {});
      return fresh;
    } finally {
      this.#ignoresPages = false;
    }
  }

  /** Forgets which tabs have got another document. Call it at the start of a step. */
  forgetNavigated(): void {
    this.#navigated.clear();
  }

  /** Returns the tabs that show another document since the start of the step and are not active: those of windows with a name. */
  get navigated(): readonly Tab[] {
    return this.#tabs.filter(tab => tab !== this.#activeTab && this.#navigated.has(tab));
  }

  /** Waits until the windows that pages have requested are open, for a few seconds at most. The newest one becomes the active tab. */
  async waitForWindows(): Promise<void> {
    const end = performance.now() + WINDOW_REQUEST_TIMEOUT_MS;
    const isAwaited = () => this.#windowsOpened < this.#windowsRequested && !this.#activeTab.isUnresponsive;
    while (isAwaited() && performance.now() < end)
      await this.#activeTab.network.nextChange(end - performance.now());
    this.#windowsRequested = this.#windowsOpened = 0;
    if (this.#opening.size === 0) return;
    const { scripts, onInterrupt } = this.#activeTab;
    // If the opener is in an endless loop or shows a dialog, a window in its process is not ready now; it becomes a tab later.
    const opened = race(Promise.all(this.#opening), afterMs(WINDOW_OPEN_TIMEOUT_MS), onInterrupt);
    // A script of a closed window can go on without end in the process of the tab that is active now.
    await scripts.during(opened).catch(ignoreInterruption);
  }

  /** Stops handling opened and closed pages: they cause no events any more. Call it before the context is closed. */
  stopReporting(): void {
    this.#ignoresPages = true;
  }

  readonly #listener: TabListener = {
    // A dialog of an inactive tab is dismissed: pages that open each other share a process, and an open dialog blocks all of them.
    isActive: tab => tab === this.#activeTab,
    dialogOpened: (dialog, isKept) => {
      this.#openedDialogCount++;
      if (!isKept && this.#dismissedDialogCount++ >= MAX_DISMISSED_DIALOG_EVENTS) return;
      this.#options.onEvent({
        type: 'dialog',
        at: this.#options.now(),
        kind: dialog.type(),
        message: truncate(normalizeLines(dialog.message()), MAX_EVENT_DIALOG_LENGTH),
      });
    },
    dialogKept: tab => {
      for (const other of this.#tabs) if (other !== tab) other.interrupt();
    },
    dialogChanged: tab => this.#options.onDialog?.(tab.dialog),
    openedDialogCount: () => this.#openedDialogCount,
    isBlocked: tab => tab !== this.#activeTab && this.#activeTab.dialog !== null,
    crashed: () => this.#options.onCrash(),
    closed: tab => {
      this.#removeTab(tab);
      if (tab.dialog === null) return;
      this.#options.onDialog?.(null);
      this.#restoreInput();
    },
  };

  /** Makes a new page of the context the active tab, unless it is the internal page or there are too many tabs. */
  async #adopt(page: Page): Promise<void> {
    if (await this.blobUsage.isReaderPage(page)) return;
    this.#windowsOpened++;
    this.#activeTab.network.notifyChange();
    if (this.#ignoresPages) return;
    this.openedPageCount++;
    // Many windows can open before the first of them is a tab.
    if (this.#tabs.length + this.#adopting >= MAX_TABS) return page.close();
    this.#adopting++;
    const opening = this.#open(page, `T${++this.#tabCount}`);
    const tab = await opening.finally(() => this.#adopting--);
    tab.isOpenedByPage = true;
    if (page.isClosed()) return;
    this.#tabs.push(tab);
    // A dialog of the opener is answered first: it may block the new tab, too.
    if (this.#activeTab.dialog === null) this.#setActive(tab);
    this.#options.onEvent({
      type: 'tab',
      at: this.#options.now(),
      tabId: tab.id,
      url: shownUrl(tab.redactedUrl),
      opened: true,
    });
  }

  async #open(page: Page, id: string): Promise<Tab> {
    const tab = await Tab.open(id, page, this.#stopDismissing.get(page));
    this.#watch(tab);
    return tab;
  }

  #watch(tab: Tab): void {
    tab.listener = this.#listener;
    tab.navigationTimeoutMs = this.#options.navigationTimeoutMs ?? tab.navigationTimeoutMs;
    tab.killRenderers = this.#options.killRenderers ?? tab.killRenderers;
    tab.scripts.timeoutMs = this.#options.scriptTimeoutMs ?? SCRIPT_TIMEOUT_MS;
    tab.scripts.restartGpu = this.#options.restartGpu ?? tab.scripts.restartGpu;
    tab.scripts.markConnections = this.#options.markConnections ?? (() => () => {});
    this.#blockedRequests.watch(tab);
    this.#options.onTab?.(tab);
    const { session } = tab.target.channel;
    const noteNavigation = (frameId: string): void => {
      if (frameId === tab.mainFrameId && tab !== this.#activeTab && this.#tabs.includes(tab))
        this.#navigated.add(tab);
    };
    session.on('Page.frameRequestedNavigation', ({ frameId }) => noteNavigation(frameId));
    session.on('Page.frameNavigated', ({ frame }) => {
      noteNavigation(frame.id);
      if (frame.id === tab.mainFrameId && this.#tabs.includes(tab)) this.navigationCount++;
      const reason = frame.id === tab.mainFrameId ? documentRefusal(frame.url) : null;
      if (reason === null) return;
      // Chromium itself refuses such documents; this is a second check.
      this.#options.onEvent({
        type: 'blocked',
        at: this.#options.now(),
        url: redactUrl(frame.url, MAX_EVENT_URL_LENGTH),
        reason,
      });
      tab.page.goto('about:blank').catch(() => {});
    });
    session.on('Page.windowOpen', () => {
      this.#windowsRequested++;
      if (windowFloodOf(tab).hasBegun(performance.now())) void this.#endFlood(tab);
    });
  }

  /** Ends a page that opens windows without end, with the windows: they share its process. */
  async #endFlood(tab: Tab): Promise<void> {
    tab.giveUp(() => windowFloodFailure(MAX_WINDOWS_AT_ONCE));
    this.#setActive(tab);
    for (const { page } of [...this.#tabs]) {
      const opener = await page.opener().catch(() => null);
      if (opener === tab.page) void page.close().catch(() => {});
    }
  }

  /** Makes the tabs receive input again after a page was closed while its dialog was open. */
  #restoreInput(): void {
    if (!this.#ignoresPages) for (const tab of this.#tabs) this.#track(restoreInput(tab));
  }

  #removeTab(tab: Tab): void {
    const index = this.#tabs.indexOf(tab);
    if (index < 0 || this.#ignoresPages) return;
    this.#tabs.splice(index, 1);
    this.#options.onEvent({
      type: 'tab',
      at: this.#options.now(),
      tabId: tab.id,
      url: shownUrl(tab.redactedUrl),
      opened: false,
    });
    const next = this.#tabs[Math.max(0, index - 1)];
    // The last tab remains the active one although it is closed; the next operation replaces it.
    if (next === undefined) this.#tabs.push(tab);
    else if (this.#activeTab === tab) this.#setActive(next);
  }
}

function ignoreInterruption(error: unknown): void {
  if (!(error instanceof Interrupted)) throw error;
}
