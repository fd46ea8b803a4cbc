/** One browser context held by one session: its tabs, and what can be done in them. */
import type { BrowserContext } from 'playwright';
import { Failure, isFailure } from '../../domain/failures.ts';
import { DEFAULT_MAX_ACTIONS } from '../../domain/inputFields.ts';
import type { PageObservation, TabInfo as TabRow } from '../../domain/page.ts';
import type {
  BrowserLease,
  GotoOptions,
  LeaseListener,
  StepOutcome,
  StepRequest,
} from '../../domain/ports/browserHost.ts';
import type { Deadline } from '../../domain/ports/deadline.ts';
import type { SessionFileStore } from '../../domain/ports/sessionFileStore.ts';
import type { ScrapedData } from '../../domain/scrapedData.ts';
import type { ScrapeRequest } from '../../domain/scrapeRequest.ts';
import type { ScreencastFrame, ScreencastOptions } from '../../domain/screencastFrame.ts';
import { DEFAULT_SCREENSHOT, type ScreenshotOptions } from '../../domain/screenshotOptions.ts';
import type { ListingLimits } from '../../domain/space.ts';
import { findSpecialAction } from '../../domain/specialActions.ts';
import { suggestionsFirst } from '../../domain/staleSuggestions.ts';
import { emptyLocator } from '../act/elementLocator.ts';
import { StaleAction } from '../act/staleAction.ts';
import { step } from '../act/step.ts';
import type { StepContext } from '../act/stepContext.ts';
import { pageCrashedFailure, toFailure } from '../cdp/errors.ts';
import { hasErrorPage, isDownloadStart, isTimeout } from '../cdp/playwrightInternals.ts';
import type { TrafficUsage } from '../egress/proxyEndpoint.ts';
import { SessionResourceUsage } from '../limits/sessionResourceUsage.ts';
import { ElementRegistry } from '../perceive/elementRegistry.ts';
import { observeTab } from '../perceive/observeTab.ts';
import type { ObservationState } from '../perceive/readAllFrames.ts';
import type { DownloadedFile } from '../scrape/resource/fileResource.ts';
import { scrapeTab } from '../scrape/scrapeTab.ts';
import { captureScreenshot } from '../tab/captureScreenshot.ts';
import { Downloads } from '../tab/downloads.ts';
import { navigate } from '../tab/navigate.ts';
import { toNavigationFailure } from '../tab/navigationFailure.ts';
import { Screencast } from '../tab/screencast.ts';
import { settleTab, waitForErrorPage } from '../tab/settle.ts';
import { Interrupted, type Tab } from '../tab/tab.ts';
import { TabSet } from '../tab/tabSet.ts';

/** What a lease is made of. */
export interface LeaseDeps {
  readonly context: BrowserContext;
  readonly tab: Tab;
  readonly listener: LeaseListener;
  readonly now: () => number;
  readonly navigationTimeoutMs: number;
  /** Judges an address before it is opened. @throws Failure URL_BLOCKED, VALIDATION_ERROR */
  readonly checkUrl: (url: string) => string;
  /** The failure of an address to which the egress proxy made no connection, with its reason; null if it did. */
  readonly connectionFailure: (url: string) => Failure | null;
  /** What went through the context's way out so far. */
  readonly egressUsage: () => TrafficUsage;
  /** Why a page of this browser that crashes now was ended; null when it was not by the service. */
  readonly killReason: () => string | null;
  readonly sessionId: string;
  readonly files: SessionFileStore;
  /** Gives the context back to the host. */
  readonly release: () => Promise<void>;
}

const BLANK_URL = 'about:blank';
/** A step waits this long for a download that it began; the file comes all the same. */
const DOWNLOAD_TIMEOUT_MS = 5_000;
/** Each reader of live pictures has Chromium encode them anew. */
const MAX_SCREENCASTS = 10;

export class Lease implements BrowserLease {
  readonly resourceUsage: SessionResourceUsage;
  readonly #deps: LeaseDeps;
  readonly #tabs: TabSet;
  readonly #downloads: Downloads;
  readonly #observationStates = new WeakMap<Tab, ObservationState>();
  readonly #preparedDocuments = new WeakMap<Tab, string>();
  readonly #screencasts = new Set<Screencast>();
  /** What the last address was, where it was no page. */
  #downloadedFile: DownloadedFile | null = null;
  #closing: Promise<void> | null = null;
  #hasExceededLimit = false;

  constructor(deps: LeaseDeps) {
    this.#deps = deps;
    const { onEvent } = deps.listener;
    this.#downloads = new Downloads({ ...deps, onEvent });
    this.#downloads.watch(deps.tab.page);
    deps.context.on('page', page => this.#downloads.watch(page));
    const onCrash = (): void => {
      const reason = deps.killReason();
      if (reason !== null) this.limitExceeded(reason);
    };
    this.#tabs = new TabSet(deps.context, deps.tab, { onEvent, onCrash, now: deps.now });
    this.resourceUsage = new SessionResourceUsage(deps.context, deps.tab.page, this.#tabs, deps.egressUsage);
  }

  get isBlank(): boolean {
    return (
      this.#downloadedFile === null &&
      this.#tabs.rows().length === 1 &&
      this.#tabs.active.page.url() === BLANK_URL
    );
  }

  tabs(): readonly TabRow[] {
    return this.#closing === null ? this.#tabs.rows() : [];
  }

  async goto(url: string, deadline: Deadline, options: GotoOptions = {}): Promise<void> {
    this.#downloadedFile = null;
    const address = this.#deps.checkUrl(url);
    const tab = await this.#liveTab(null);
    await tab.dismissDialog();
    const timeout = Math.max(1, Math.min(this.#deps.navigationTimeoutMs, deadline.remainingMs()));
    const since = { requestNumber: tab.network.currentRequestNumber() };
    const { startedCount } = this.#downloads;
    const { errorPageCount } = tab.network;
    tab.network.expectNavigation();
    try {
      await navigate(tab, address, timeout, deadline);
      await settleTab(tab, since, this.#stateOf(tab).installed, deadline);
      if (tab.crashed) throw pageCrashedFailure();
    } catch (error) {
      if (tab.dialog !== null) return;
      if (isTimeout(error) || deadline.signal.aborted) tab.target.channel.sendNoReply('Page.stopLoading');
      else if (hasErrorPage(error)) await waitForErrorPage(tab, errorPageCount);
      if (isFailure(error) || deadline.signal.aborted) throw toFailure(error, deadline);
      // As a page it failed; the file that it is comes after, and is there when the answer says so.
      if (isDownloadStart(error))
        await this.#downloads.waitForNewDownload(
          startedCount,
          Math.min(DOWNLOAD_TIMEOUT_MS, deadline.remainingMs()),
        );
      const { lastKept: file } = this.#downloads;
      if (isDownloadStart(error) && options.allowDownload === true && file !== null) {
        this.#downloadedFile = { ...file, contentType: tab.network.responseContentType };
        return;
      }
      const last = tab.network.mainUrl ?? address;
      throw this.#deps.connectionFailure(last) ?? toNavigationFailure(error, last, timeout, deadline);
    }
  }

  async observe(limits: ListingLimits, deadline: Deadline): Promise<PageObservation> {
    return this.#withFailures(deadline, async () => {
      const tab = await this.#liveTab(deadline);
      const observation = await this.#observe(tab, limits, deadline);
      this.#preparePlaywrightScript(tab);
      return observation;
    });
  }

  async step(command: StepRequest, deadline: Deadline): Promise<StepOutcome> {
    return this.#withFailures(deadline, async () => {
      this.#downloadedFile = null;
      const leavesPage = findSpecialAction(command.actionId)?.leavesPage === true;
      await this.#liveTab(leavesPage ? null : deadline);
      try {
        return await step(this.#stepContext(command, deadline));
      } catch (error) {
        throw await this.#withFreshSpace(error, deadline);
      }
    });
  }

  async scrape(request: ScrapeRequest, deadline: Deadline): Promise<ScrapedData> {
    return this.#withFailures(deadline, async () => {
      const tab = await this.#liveTab(deadline);
      await tab.dismissDialog();
      return scrapeTab(tab, this.#downloadedFile, request, deadline);
    });
  }

  async screenshot(
    deadline: Deadline,
    options: ScreenshotOptions = DEFAULT_SCREENSHOT,
  ): Promise<string | null> {
    return this.#withFailures(deadline, async () => {
      const tab = await this.#liveTab(deadline);
      if (tab.dialog !== null) return null;
      try {
        return await tab.interruptible(captureScreenshot(tab, options, deadline));
      } catch (error) {
        if (error instanceof Interrupted && tab.dialog !== null) return null;
        throw error;
      }
    });
  }

  frames(options: ScreencastOptions, signal: AbortSignal): AsyncIterableIterator<ScreencastFrame> {
    if (this.#screencasts.size >= MAX_SCREENCASTS)
      throw new Failure('RATE_LIMITED', `${MAX_SCREENCASTS} watch the pictures of this session already.`);
    const screencast = new Screencast(this.#tabs, options, signal, one => this.#screencasts.delete(one));
    this.#screencasts.add(screencast);
    if (this.#closing !== null) screencast.end();
    if (signal.aborted) this.#screencasts.delete(screencast);
    return screencast;
  }

  close(): Promise<void> {
    for (const stream of [...this.#screencasts]) stream.end();
    this.#tabs.stopReporting();
    this.#closing ??= this.#deps.release();
    return this.#closing;
  }

  /** A lease whose browser has gone: nothing to give back but its place. */
  browserLost(reason: string): void {
    if (this.#closing !== null) return;
    void this.close();
    this.#deps.listener.onLost(reason);
  }

  /** A lease that has passed a bound: its holder is told, once. */
  limitExceeded(reason: string): void {
    if (this.#closing !== null || this.#hasExceededLimit) return;
    this.#hasExceededLimit = true;
    this.#deps.listener.onLimitExceeded(reason);
  }

  #stateOf(tab: Tab): ObservationState {
    const known = this.#observationStates.get(tab);
    if (known !== undefined) return known;
    const fresh: ObservationState = {
      registry: new ElementRegistry(),
      installed: new Set(),
      documents: new Map(),
    };
    this.#observationStates.set(tab, fresh);
    return fresh;
  }

  #observe(tab: Tab, limits: ListingLimits, deadline: Deadline): Promise<PageObservation> {
    return observeTab(tab, this.#stateOf(tab), () => this.#tabs.rows(), limits, this.#deps.now, deadline);
  }

  /** Lets Playwright bring its script into the document while the caller thinks, so that the next step need not wait for it. */
  #preparePlaywrightScript(tab: Tab): void {
    const document = tab.target.worlds.find(tab.mainFrameId)?.uniqueId;
    if (document === undefined || tab.isUnresponsive || this.#preparedDocuments.get(tab) === document) return;
    this.#preparedDocuments.set(tab, document);
    emptyLocator(tab)
      .count()
      .catch(() => {});
  }

  #stepContext(command: StepRequest, deadline: Deadline): StepContext {
    const { files, sessionId, navigationTimeoutMs } = this.#deps;
    const { startedCount } = this.#downloads;
    return {
      tabs: this.#tabs,
      command,
      deadline,
      navigationTimeoutMs,
      stateOf: tab => this.#stateOf(tab),
      reobserve: async () => {
        await this.#observe(this.#tabs.active, { max: DEFAULT_MAX_ACTIONS, min: null }, deadline);
      },
      goto: url => this.goto(url, deadline),
      uploadPath: async id => (await files.find(sessionId, 'upload', id))?.path ?? null,
      waitForDownloads: isAnnounced =>
        this.#downloads.waitForStepDownloads(startedCount, isAnnounced, DOWNLOAD_TIMEOUT_MS),
    };
  }

  /** The active tab; one whose page died or closed itself is replaced and, if `deadline` is given, loads its page anew. */
  async #liveTab(deadline: Deadline | null): Promise<Tab> {
    const tab = this.#tabs.active;
    if (!tab.crashed && !tab.page.isClosed()) return tab;
    const url = tab.page.url();
    const fresh = await this.#tabs.replace(tab);
    if (deadline !== null && tab.crashed && url !== BLANK_URL) await this.goto(url, deadline);
    return fresh;
  }

  /** A stale action answers with the page as it is now. */
  async #withFreshSpace(error: unknown, deadline: Deadline): Promise<unknown> {
    if (!(error instanceof StaleAction)) return error;
    const limits = { max: DEFAULT_MAX_ACTIONS, min: null };
    const observation = await this.#observe(this.#tabs.active, limits, deadline).catch(() => null);
    if (observation === null) return error;
    const actions = suggestionsFirst(observation.space.actions, error.target);
    return error.withContext({ space: { ...observation.space, actions } });
  }

  async #withFailures<T>(deadline: Deadline, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (deadline.signal.aborted) this.#tabs.active.target.channel.sendNoReply('Runtime.terminateExecution');
      throw toFailure(error, deadline);
    }
  }
}
