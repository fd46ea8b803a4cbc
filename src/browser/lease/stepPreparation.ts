import { emptyLocator } from '../act/elementLocator.ts';
import type { Tab } from '../tab/tab.ts';

/** Time without an operation after which a page is prepared. The preparation blocks the page for tens of milliseconds. */
const IDLE_MS = 150;

/** Runs an operation on the pages of a session. */
export type RunOperation = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Makes Playwright inject its own script into the observed page while the session has no operation, so that the next step does not
 * wait for that, and no operation waits behind it.
 */
export class StepPreparation {
  /** The latest document of each tab that was prepared, by Chromium's unique id. */
  readonly #preparedDocuments = new WeakMap<Tab, string>();
  readonly #run: RunOperation;
  #tab: Tab | null = null;
  #operations = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param run runs an operation on the pages */
  constructor(run: RunOperation) {
    this.#run = run;
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
    try {
      return await this.#run(work);
    } finally {
      this.#operations--;
      this.#restart();
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
}
