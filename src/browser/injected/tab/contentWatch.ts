import { isAddition, isContentChange } from './contentChange.ts';

const OBSERVED = { subtree: true, childList: true, characterData: true, attributes: true };

/** Watches for changes that a reader would notice. */
export class ContentWatch {
  /** Time of the last change, as `performance.now()`; `-Infinity` if none. */
  lastChangeAt = -Infinity;
  /** Time of the last change that showed something, and did not only remove or hide. */
  lastAdditionAt = -Infinity;
  isObserving = false;
  readonly #observer: MutationObserver;

  /** @param onChange called after each change */
  constructor(onChange: () => void) {
    this.#observer = new MutationObserver(records => {
      if (!records.some(isContentChange)) return;
      this.lastChangeAt = performance.now();
      if (records.some(isAddition)) this.lastAdditionAt = this.lastChangeAt;
      onChange();
    });
  }

  observe(roots: Iterable<Node>): void {
    for (const root of [document, ...roots]) this.#observer.observe(root, OBSERVED);
    this.isObserving = true;
  }

  /** Forgets the changes until now. */
  reset(): void {
    this.lastChangeAt = this.lastAdditionAt = -Infinity;
  }

  end(): void {
    this.#observer.disconnect();
    this.isObserving = false;
  }
}
