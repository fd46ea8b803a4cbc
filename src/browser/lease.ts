/** One browser context held by one session: its tabs, and what can be done in them. */
import type { BrowserContext } from 'playwright';
import { candidatesFirst } from '../domain/candidates.ts';
import { Failure, isFailure } from '../domain/failures.ts';
import { DEFAULT_MAX_ACTIONS } from '../domain/input.ts';
import {
  type Frame,
  type FrameOptions,
  type PageObservation,
  PLAIN_SCREENSHOT,
  type ScrapedData,
  type ScrapeRequest,
  type ScreenshotOptions,
  type Tab as TabRow,
} from '../domain/page.ts';
import type {
  BrowserLease,
  Deadline,
  LeaseListener,
  SessionFiles,
  StepCommand,
  StepOutcome,
} from '../domain/ports.ts';
import type { ListingLimits } from '../domain/space.ts';
import { dismiss, StaleAction, type Stepping, step } from './act/step.ts';
import { Downloads } from './downloads.ts';
import type { EgressUsage } from './egress/egressDoor.ts';
import {
  isDownload,
  isTimeout,
  pageCrashed,
  showsErrorPage,
  translate,
  translateNavigation,
} from './errors.ts';
import { Footprint } from './footprint.ts';
import { FrameStream } from './frames.ts';
import { navigate } from './navigate.ts';
import { observeTab, type TabMemory } from './perceive/observeTab.ts';
import { Registry } from './perceive/registry.ts';
import type { DownloadedFile } from './scrape/resource/fileResource.ts';
import { scrapeTab } from './scrape/scrapeTab.ts';
import { screenshot } from './screenshot.ts';
import { errorPageCame, settled } from './settle.ts';
import { Interrupted, type Tab } from './tab.ts';
import { TabSet } from './tabSet.ts';

/** What a lease is made of. */
export interface LeaseParts {
  readonly context: BrowserContext;
  readonly tab: Tab;
  readonly listener: LeaseListener;
  readonly now: () => number;
  readonly navigationTimeoutMs: number;
  /** Judges an address before it is opened. @throws Failure URL_BLOCKED, VALIDATION_ERROR */
  readonly admit: (url: string) => string;
  /** The failure of an address to which the egress proxy made no connection, with its reason; null if it did. */
  readonly refused: (url: string) => Failure | null;
  /** What went through the context's way out so far. */
  readonly usage: () => EgressUsage;
  /** Why a page of this browser that crashes now was ended; null when it was not by the service. */
  readonly endedFor: () => string | null;
  readonly sessionId: string;
  readonly files: SessionFiles;
  /** Gives the context back to the host. */
  readonly release: () => Promise<void>;
}

const BLANK = 'about:blank';
/** What leaves a page, or the session: a page that crashes each time it is loaded is not loaded anew for it. */
const LEAVING = new Set(['S1', 'S8', 'S13']);
/** A step waits this long for a download that it began; the file comes all the same. */
const PATIENCE_WITH_DOWNLOAD_MS = 5_000;
/** Each reader of live pictures has Chromium encode them anew. */
const MOST_WATCHERS = 10;

export class Lease implements BrowserLease {
  readonly footprint: Footprint;
  readonly #parts: LeaseParts;
  readonly #tabs: TabSet;
  readonly #downloads: Downloads;
  readonly #memories = new WeakMap<Tab, TabMemory>();
  readonly #primed = new WeakMap<Tab, string>();
  readonly #frames = new Set<FrameStream>();
  /** What the last address was, where it was no page. */
  #file: DownloadedFile | null = null;
  #closing: Promise<void> | null = null;
  #overran = false;

  constructor(parts: LeaseParts) {
    this.#parts = parts;
    const { happened } = parts.listener;
    this.#downloads = new Downloads({ ...parts, happened });
    this.#downloads.watch(parts.tab.page);
    parts.context.on('page', page => this.#downloads.watch(page));
    const crashed = (): void => {
      const reason = parts.endedFor();
      if (reason !== null) this.overran(reason);
    };
    this.#tabs = new TabSet(parts.context, parts.tab, { happened, crashed, now: parts.now });
    this.footprint = new Footprint(parts.context, parts.tab.page, this.#tabs, parts.usage);
  }

  get blank(): boolean {
    return this.#file === null && this.#tabs.rows().length === 1 && this.#tabs.active.page.url() === BLANK;
  }

  tabs(): readonly TabRow[] {
    return this.#closing === null ? this.#tabs.rows() : [];
  }

  async goto(url: string, deadline: Deadline, take?: 'files too'): Promise<void> {
    this.#file = null;
    const address = this.#parts.admit(url);
    const tab = await this.#livingTab(null);
    if (tab.dialog !== null) await dismiss(tab);
    const timeout = Math.max(1, Math.min(this.#parts.navigationTimeoutMs, deadline.remainingMs()));
    const since = { request: tab.activity.mark() };
    const { begun } = this.#downloads;
    const { errorPages } = tab.activity;
    tab.activity.expectNavigation();
    try {
      await navigate(tab, address, timeout, deadline);
      await settled(tab, since, this.#memory(tab).installed, deadline);
      if (tab.crashed) throw pageCrashed();
    } catch (error) {
      if (tab.dialog !== null) return;
      if (isTimeout(error) || deadline.signal.aborted) tab.target.channel.tell('Page.stopLoading');
      else if (showsErrorPage(error)) await errorPageCame(tab, errorPages);
      if (isFailure(error) || deadline.signal.aborted) throw translate(error, deadline);
      // As a page it failed; the file that it is comes after, and is there when the answer says so.
      if (isDownload(error))
        await this.#downloads.keptSince(begun, Math.min(PATIENCE_WITH_DOWNLOAD_MS, deadline.remainingMs()));
      const { last: file } = this.#downloads;
      if (isDownload(error) && take === 'files too' && file !== null) {
        this.#file = { ...file, contentType: tab.activity.answerType };
        return;
      }
      const last = tab.activity.mainUrl ?? address;
      throw this.#parts.refused(last) ?? translateNavigation(error, last, timeout, deadline);
    }
  }

  async observe(limits: ListingLimits, deadline: Deadline): Promise<PageObservation> {
    return this.#translating(deadline, async () => {
      const tab = await this.#livingTab(deadline);
      const seen = await this.#observe(tab, limits, deadline);
      this.#prime(tab);
      return seen;
    });
  }

  async step(command: StepCommand, deadline: Deadline): Promise<StepOutcome> {
    return this.#translating(deadline, async () => {
      this.#file = null;
      await this.#livingTab(LEAVING.has(command.actionId) ? null : deadline);
      try {
        return await step(this.#stepping, command, deadline);
      } catch (error) {
        throw await this.#withFreshSpace(error, deadline);
      }
    });
  }

  async scrape(request: ScrapeRequest, deadline: Deadline): Promise<ScrapedData> {
    return this.#translating(deadline, async () => {
      const tab = await this.#livingTab(deadline);
      if (tab.dialog !== null) await dismiss(tab);
      return scrapeTab(tab, this.#file, request, deadline);
    });
  }

  async screenshot(
    deadline: Deadline,
    options: ScreenshotOptions = PLAIN_SCREENSHOT,
  ): Promise<string | null> {
    return this.#translating(deadline, async () => {
      const tab = await this.#livingTab(deadline);
      if (tab.dialog !== null) return null;
      try {
        return await tab.interruptible(screenshot(tab, options, deadline));
      } catch (error) {
        if (error instanceof Interrupted && tab.dialog !== null) return null;
        throw error;
      }
    });
  }

  frames(options: FrameOptions, signal: AbortSignal): AsyncIterableIterator<Frame> {
    if (this.#frames.size >= MOST_WATCHERS)
      throw new Failure('RATE_LIMITED', `${MOST_WATCHERS} watch the pictures of this session already.`);
    const stream = new FrameStream(this.#tabs, options, signal, one => this.#frames.delete(one));
    this.#frames.add(stream);
    if (this.#closing !== null) stream.end();
    if (signal.aborted) this.#frames.delete(stream);
    return stream;
  }

  close(): Promise<void> {
    for (const stream of [...this.#frames]) stream.end();
    this.#tabs.stop();
    this.#closing ??= this.#parts.release();
    return this.#closing;
  }

  /** A lease whose browser has gone: nothing to give back but its place. */
  lost(reason: string): void {
    if (this.#closing !== null) return;
    void this.close();
    this.#parts.listener.lost(reason);
  }

  /** A lease that has passed a bound: its holder is told, once. */
  overran(reason: string): void {
    if (this.#closing !== null || this.#overran) return;
    this.#overran = true;
    this.#parts.listener.overran(reason);
  }

  #memory(tab: Tab): TabMemory {
    const known = this.#memories.get(tab);
    if (known !== undefined) return known;
    const fresh: TabMemory = { registry: new Registry(), installed: new Set(), documents: new Map() };
    this.#memories.set(tab, fresh);
    return fresh;
  }

  #observe(tab: Tab, limits: ListingLimits, deadline: Deadline): Promise<PageObservation> {
    return observeTab(tab, this.#memory(tab), () => this.#tabs.rows(), limits, this.#parts.now, deadline);
  }

  /** Lets Playwright bring its script into the document while the caller thinks, so that the next step need not wait for it. */
  #prime(tab: Tab): void {
    const document = tab.target.worlds.peek(tab.mainFrameId)?.uniqueId;
    if (document === undefined || tab.still || this.#primed.get(tab) === document) return;
    this.#primed.set(tab, document);
    tab.page
      .locator('pagespace=0')
      .count()
      .catch(() => {});
  }

  get #stepping(): Stepping {
    const { files, sessionId } = this.#parts;
    const { begun } = this.#downloads;
    return {
      tabs: this.#tabs,
      memoryOf: tab => this.#memory(tab),
      reobserve: async deadline => {
        await this.#observe(this.#tabs.active, { max: DEFAULT_MAX_ACTIONS, min: null }, deadline);
      },
      goto: (url, deadline) => this.goto(url, deadline),
      navigationTimeoutMs: this.#parts.navigationTimeoutMs,
      uploadPath: async id => (await files.find(sessionId, 'upload', id))?.path ?? null,
      downloadsKept: announced => this.#downloads.keptFrom(begun, announced, PATIENCE_WITH_DOWNLOAD_MS),
    };
  }

  /** The active tab; one whose page died or closed itself is replaced and, if `deadline` is given, loads its page anew. */
  async #livingTab(deadline: Deadline | null): Promise<Tab> {
    const tab = this.#tabs.active;
    if (!tab.crashed && !tab.page.isClosed()) return tab;
    const url = tab.page.url();
    const fresh = await this.#tabs.replace(tab);
    if (deadline !== null && tab.crashed && url !== BLANK) await this.goto(url, deadline);
    return fresh;
  }

  /** A stale action answers with the page as it is now. */
  async #withFreshSpace(error: unknown, deadline: Deadline): Promise<unknown> {
    if (!(error instanceof StaleAction)) return error;
    const limits = { max: DEFAULT_MAX_ACTIONS, min: null };
    const seen = await this.#observe(this.#tabs.active, limits, deadline).catch(() => null);
    if (seen === null) return error;
    const actions = candidatesFirst(seen.space.actions, error.meant);
    return error.with({ space: { ...seen.space, actions } });
  }

  async #translating<T>(deadline: Deadline, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (deadline.signal.aborted) this.#tabs.active.target.channel.tell('Runtime.terminateExecution');
      throw translate(error, deadline);
    }
  }
}
