import { emptyLocator } from '../act/element/elementLocator.ts';
import type { Tab } from '../tab/tab.ts';

/** Time without an operation after which a page is prepared. The preparation blocks the page for tens of milliseconds. */
const IDLE_MS = 150;
/**
 * Time without an operation after which a page frees memory. Its process then keeps 6 MB less on a small page, for 8 ms of processor
 * time; the next list takes as long as without, the first scrape 13 ms longer.
 */
const COLLECT_MS = 5_000;

/** Runs an operation on the pages of a session. */
export type RunOperation = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Uses the time in which a session has no operation: makes Playwright inject its own script into the observed page, so that the next step
 * does not wait for that, and no operation waits behind it; later makes the page free memory.
 */
export class StepPreparation {
  /** The latest document of each tab that was prepared, by Chromium's unique id. */
  readonly #preparedDocuments = new WeakMap<Tab, string>();
  readonly #run: RunOperation;
  readonly #activeTab: () => Tab;
  #tab: Tab | null = null;
  #operations = 0;
  #timer: NodeJS.Timeout | undefined;
  #collectTimer: NodeJS.Timeout | undefined;

  /**
   * @param run runs an operation on the pages
   * @param activeTab returns the tab of the next operation
   */
  constructor(run: RunOperation, activeTab: () => Tab) {
    this.#run = run;
    this.#activeTab = activeTab;
  }

  /** Prepares the page of a tab when the session has had no operation for `IDLE_MS`. */
  schedule(tab: Tab): void {
    this.#tab = tab;
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
    const document = tab.target.worlds.find(tab.mainFrameId)?.uniqueId;
    if (document === undefined || this.#preparedDocuments.get(tab) === document) return;
    this.#preparedDocuments.set(tab, document);
    emptyLocator(tab)
      .count()
      .catch(() => {});
  }

  #collect(): void {
    const tab = this.#activeTab();
    if (!tab.isUnresponsive) tab.target.channel.sendNoReply('HeapProfiler.collectGarbage');
  }
}
