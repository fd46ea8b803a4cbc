/** The inputs of an action on an element. */
import type { Locator } from 'playwright';
import type { Deadline } from '../../domain/ports/deadline.ts';
import type { IsolatedWorld } from '../cdp/isolatedWorld.ts';
import type { ListedElement } from '../perceive/elementRegistry.ts';
import type { Tab } from '../tab/tab.ts';

/** One step on one element. */
export interface ElementContext {
  readonly tab: Tab;
  readonly listed: ListedElement;
  /** The isolated world of the element's document. */
  readonly world: IsolatedWorld;
  readonly locator: Locator;
  /** The element's label, for an input without a box. */
  readonly label: Locator;
  readonly value: string | null;
  /** True to press Enter after filling. */
  readonly enter: boolean;
  /** Description of the element that covers this one; null if none did when it was resolved. */
  readonly coveredBy: string | null;
  /** Point to click, in pixels from the element's top left corner; null for its middle. Set when the middle does not react. */
  readonly clickPoint: { readonly x: number; readonly y: number } | null;
  /** Maximum time in which the element must become ready. Milliseconds. */
  readonly readyTimeoutMs: number;
  /** True when the element has a box that can be clicked. */
  readonly hasBox: boolean;
  /** Returns the path of an uploaded file; null if the session has no upload with this id. */
  readonly uploadPath: (id: string) => Promise<string | null>;
  readonly deadline: Deadline;
}

/** Finds the element behind an id. @throws Failure ACTION_NOT_FOUND, ACTION_STALE, ACTION_BLOCKED */
export type ResolveElement = (id: string) => Promise<ElementContext>;
