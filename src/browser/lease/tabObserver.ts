import type { BrowserContext } from 'playwright';
import type { Failure } from '../../domain/failure/failures.ts';
import type { LeaseListener } from '../../domain/ports/browserHost.ts';
import type { Deadline } from '../../domain/ports/clock.ts';
import type { SessionFileStore } from '../../domain/ports/sessionFileStore.ts';
import type { ChangeableOptions } from '../../domain/session/browserOptions.ts';
import type { ListingLimits, PageMetadata, PageObservation } from '../../domain/space/space.ts';
import { emptyLocator, PLAYWRIGHT_CONTROLS } from '../act/element/elementContext.ts';
import { runReadyScript } from '../cdp/isolatedWorld.ts';
import type { TrafficUsage } from '../egress/proxyEndpoint.ts';
import { ElementRegistry } from '../perceive/elementRegistry.ts';
import type { EnteredValues } from '../perceive/enteredValues.ts';
import { observeTab } from '../perceive/observeTab.ts';
import type { ObservationState } from '../perceive/readAllFrames.ts';
import { readPageMetadata } from '../perceive/readPage.ts';
import type { Tab } from '../tab/tab.ts';
import type { TabSet } from '../tab/tabSet.ts';

/** The context of a session, and what the pool does for it. */
export interface LeaseDeps {
  readonly context: BrowserContext;
  readonly tab: Tab;
  readonly listener: LeaseListener;
  readonly now: () => number;
  readonly warn: (message: string) => void;
  readonly navigationTimeoutMs: number;
  /** Processor time after which a script of a page that does not let an operation go on is ended, in milliseconds. */
  readonly scriptTimeoutMs: number;
  /** Checks a URL before it is opened. Returns the URL with its scheme. @throws Failure URL_BLOCKED, VALIDATION_ERROR */
  readonly checkUrl: (url: string) => string;
  readonly refusesDownloads: boolean;
  readonly dismissesBanners: boolean;
  /** True if the caller's own proxy carries the requests: it answers for any host over http. */
  readonly hasOwnProxy: boolean;
  /** Returns the failure for a URL to which the egress proxy made no connection; null if the proxy made one. */
  readonly connectionFailure: (url: string) => Failure | null;
  /** Returns how many requests and bytes have passed through the egress proxy of the session so far. */
  readonly egressUsage: () => TrafficUsage;
  /** Returns a function that closes the connections of the session over which nothing has passed since this call. */
  readonly markConnections: () => (all?: boolean) => void;
  /** Resolves when the browser answers, or when it has disconnected. Never rejects. */
  readonly browserAnswers: () => Promise<void>;
  /** Returns why the service killed a process of this browser; null if it killed none. */
  readonly killReason: () => string | null;
  readonly killRenderers: (pids: readonly number[]) => void;
  readonly restartGpu: () => Promise<void>;
  /** True if the console and the requests of the pages are told to the listener. */
  readonly pageLog: boolean;
  readonly sessionId: string;
  readonly accountId: string;
  readonly files: SessionFileStore;
  readonly whileOperating: <T>(work: () => Promise<T>) => Promise<T>;
  readonly changeOptions: (options: ChangeableOptions) => Promise<void>;
  readonly release: () => Promise<void>;
}

/** Time without an operation after which a page is prepared. Playwright's script blocks the page for tens of milliseconds, the scraper for two. */
const IDLE_MS = 150;
/**
 * Time without an operation after which a page frees memory. Its process then keeps 6 MB less on a small page, for 8 ms of processor
 * time; the next list takes as long as without, the first scrape 13 ms longer.
 */
const COLLECT_MS = 5_000;

type RunOperation = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Uses the time in which a session has no operation: installs the scraper in the observed page, and makes Playwright inject its own script if
 * a step may need it, so that the next operation does not wait for that; later makes the page free memory.
 */
export class Preparation {
  readonly #preparedDocuments = new WeakMap<Tab, string>();
  readonly #run: RunOperation;
  readonly #activeTab: () => Tab;
  #tab: Tab | null = null;
  #needsPlaywright = false;
  #operations = 0;
  #timer: NodeJS.Timeout | undefined;
  #collectTimer: NodeJS.Timeout | undefined;

  constructor(run: RunOperation, activeTab: () => Tab) {
    this.#run = run;
    this.#activeTab = activeTab;
  }

  /** Prepares the page of a tab when the session has had no operation for `IDLE_MS`. */
  schedule(tab: Tab, needsPlaywright: boolean): void {
    this.#tab = tab;
    this.#needsPlaywright = needsPlaywright;
    this.#restart();
  }

  /** Runs an operation. No preparation starts before its end. */
  async whileOperating<T>(work: () => Promise<T>): Promise<T> {
    this.#operations++;
    clearTimeout(this.#timer);
    clearTimeout(this.#collectTimer);
    try {
      return await this.#run(work);
    } finally {
      this.#operations--;
      this.#restart();
      if (this.#operations === 0) this.#collectTimer = setTimeout(() => this.#collect(), COLLECT_MS).unref();
    }
  }

  #restart(): void {
    clearTimeout(this.#timer);
    if (this.#tab !== null && this.#operations === 0)
      this.#timer = setTimeout(() => this.#prepare(), IDLE_MS).unref();
  }

  #prepare(): void {
    const tab = this.#tab;
    this.#tab = null;
    if (tab === null || tab.isUnresponsive) return;
    const world = tab.target.worlds.find(tab.mainFrameId);
    if (world === null) return;
    const { uniqueId, contextId } = world;
    const prepared = `${uniqueId} ${this.#needsPlaywright}`;
    if (this.#preparedDocuments.get(tab) === prepared) return;
    this.#preparedDocuments.set(tab, prepared);
    tab.target.channel.sendNoReply('Runtime.evaluate', { expression: runReadyScript('scrape'), contextId });
    if (this.#needsPlaywright)
      emptyLocator(tab)
        .count()
        .catch(() => {});
  }

  #collect(): void {
    const tab = this.#activeTab();
    if (!tab.isUnresponsive) tab.target.channel.sendNoReply('HeapProfiler.collectGarbage');
  }
}

interface ObserverDeps extends Pick<ObservationState, 'onSkipped'> {
  readonly now: () => number;
  readonly whileOperating: RunOperation;
}

/** Observes the tabs of a session and keeps the ids of their elements from one observation to the next. */
export class TabObserver {
  readonly preparation: Preparation;
  readonly entered: EnteredValues;
  readonly #tabs: TabSet;
  readonly #now: () => number;
  readonly #onSkipped: ObservationState['onSkipped'];
  readonly #states = new WeakMap<Tab, ObservationState>();
  #hasObserved = false;

  constructor(tabs: TabSet, entered: EnteredValues, { now, whileOperating, onSkipped }: ObserverDeps) {
    this.preparation = new Preparation(whileOperating, () => tabs.active);
    this.#tabs = tabs;
    this.entered = entered;
    this.#now = now;
    this.#onSkipped = onSkipped;
  }

  get hasObserved(): boolean {
    return this.#hasObserved;
  }

  stateOf(tab: Tab): ObservationState {
    const known = this.#states.get(tab);
    if (known !== undefined) return known;
    const state: ObservationState = {
      registry: new ElementRegistry(),
      entered: this.entered,
      onSkipped: this.#onSkipped,
      documents: new Map(),
      textHashes: '',
      lastRead: null,
    };
    this.#states.set(tab, state);
    return state;
  }

  /** @throws Failure OPERATION_TIMEOUT, BROWSER_CRASHED */
  async observe(tab: Tab, limits: ListingLimits, deadline: Deadline): Promise<PageObservation> {
    const observation = await observeTab(
      tab,
      this.stateOf(tab),
      () => this.#tabs.rows(),
      limits,
      this.#now,
      deadline,
    );
    this.#hasObserved = true;
    return observation;
  }

  /** As `observe`; the next observation tells what this one would. @param keepsIds false if its ids are not the caller's */
  async peek(
    tab: Tab,
    limits: ListingLimits,
    deadline: Deadline,
    keepsIds = false,
  ): Promise<PageObservation> {
    const told = this.stateOf(tab);
    const state = { ...told, isUntold: true, ...(!keepsIds && { registry: told.registry.copy() }) };
    const rows = () => this.#tabs.rows();
    try {
      return await observeTab(tab, state, rows, limits, this.#now, deadline);
    } finally {
      told.textHashes = state.textHashes;
    }
  }

  /** Reads the metadata of a tab's page, without its actions. @throws Failure OPERATION_TIMEOUT, BROWSER_CRASHED */
  async metadata(tab: Tab, deadline: Deadline): Promise<PageMetadata> {
    return readPageMetadata(tab, () => this.#tabs.rows(), this.#now, deadline);
  }

  prepare(tab: Tab): void {
    // Controls of other kinds are pressed and filled without Playwright's script.
    this.preparation.schedule(tab, this.stateOf(tab).registry.hasControlOf(PLAYWRIGHT_CONTROLS));
  }
}
