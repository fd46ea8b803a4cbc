/** The interface of `globalThis.__pagespace`, the object that the injected script offers to the service. */
import type { areSortableSiblings } from '../act/areSortableSiblings.ts';
import type { clickElement, focusElement, isPresent } from '../act/directInput.ts';
import type { findBySelector } from '../act/findBySelector.ts';
import type { TextSpan } from '../act/findText.ts';
import type { acceptsValue, differsFrom, isChecked, isReadOnly, readOptions } from '../act/formControls.ts';
import type { runMediaCommand } from '../act/runMediaCommand.ts';
import type { scrollRegion } from '../act/scrollRegion.ts';
import type { readSlider, shownNumbers } from '../act/sliderReadings.ts';
import type { ElementResolution, ObserveOptions } from '../perceive/wireFormat.ts';

/** Lives in the isolated world of every frame that the service has observed. */
export interface PageAgent {
  /**
   * Lists the document's interactive elements.
   * @param nodes the owners of listeners, aligned with `options.listenerTypes`, and roots of closed shadow trees; values
   *   that are not nodes of this document are skipped
   * @returns JSON of a `CompactFrameObservation`
   */
  observe(options: ObserveOptions, ...nodes: unknown[]): string;
  /** The element with this key; null when it has left the document. */
  element(key: number): Element | null;
  /** Reads an element of the last observation again: what it means now and whether a click would reach it. */
  resolve(key: number): ElementResolution;
  /** One of the `closedHosts` of the last observation; null if there is none. Pass its closed root to the next `observe`. */
  closedHost(index: number): Element | null;
  /** The iframe element of an `ObservedFrame.index` of the last observation; null if there is none. */
  frameElement(index: number): Element | null;
  readonly findBySelector: typeof findBySelector;
  readonly isPresent: typeof isPresent;
  readonly clickElement: typeof clickElement;
  readonly focusElement: typeof focusElement;
  readonly scrollRegion: typeof scrollRegion;
  readonly readOptions: typeof readOptions;
  readonly isChecked: typeof isChecked;
  readonly isReadOnly: typeof isReadOnly;
  readonly differsFrom: typeof differsFrom;
  readonly acceptsValue: typeof acceptsValue;
  readonly readSlider: typeof readSlider;
  readonly shownNumbers: typeof shownNumbers;
  readonly runMediaCommand: typeof runMediaCommand;
  readonly areSortableSiblings: typeof areSortableSiblings;
  /**
   * Finds the first occurrence of a text and scrolls it into view.
   * @param key the element to search; null searches editors first, then the page
   */
  findText(text: string, key: number | null): TextSpan | null;
  /**
   * Call before a click.
   * @param key the element that the click must reach; null when Playwright checks this itself
   */
  armClickGuard(key: number | null): void;
  /** Call after a click. True when the click was stopped because another element lay under the pointer. */
  wasClickIntercepted(): boolean;
  /** Marks the start of a step: `settle` waits only for changes and animations that begin after it. */
  markStep(): void;
  /**
   * Resolves when the document has not changed for `quietMs` and no finite animation of the step is running, at the
   * latest after `maxMs`.
   */
  settle(quietMs: number, maxMs: number): Promise<void>;
}
