/** The inputs of an action on an element. */
import type { Locator } from 'playwright';
import type { Deadline } from '../../domain/ports/deadline.ts';
import type { IsolatedWorld } from '../cdp/isolatedWorld.ts';
import type { ListedElement } from '../perceive/elementRegistry.ts';
import type { Tab } from '../tab/tab.ts';

/** Argument of the functions that act on an element: the element, and the inputs of the step. */
export interface ElementContext {
  readonly tab: Tab;
  readonly listed: ListedElement;
  /** The isolated world of the element's document. */
  readonly world: IsolatedWorld;
  readonly locator: Locator;
  /** Locator of the element's label, which is clicked in place of a checkbox or radio button without a box. */
  readonly label: Locator;
  /** The value of the step; null if the caller gave none. */
  readonly value: string | null;
  /** True to press Enter after filling. */
  readonly enter: boolean;
  /** Description of the other element that covered this one at the start of the step; null if none did. */
  readonly coveredBy: string | null;
  /** Point to click, in CSS pixels from the element's top left corner; null to click its middle, which works for most elements. */
  readonly clickPoint: { readonly x: number; readonly y: number } | null;
  /** Maximum wait for the element to become visible, stable, enabled and uncovered. */
  readonly readyTimeoutMs: number;
  /** False when the element has no box of its own to click, such as a checkbox that is hidden behind its label. */
  readonly hasBox: boolean;
  /** Returns the path of an uploaded file; null if the session has no upload with this id. */
  readonly uploadPath: (id: string) => Promise<string | null>;
  readonly deadline: Deadline;
}

/** Finds the element with an id such as `B3`, for an action on it. @throws Failure ACTION_NOT_FOUND, ACTION_STALE, ACTION_BLOCKED */
export type ResolveElement = (id: string) => Promise<ElementContext>;
