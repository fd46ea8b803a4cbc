/** The inputs of an action on an element. */

import { type Locator, selectors } from 'playwright';
import { Failure } from '../../../domain/failure/failures.ts';
import type { Deadline } from '../../../domain/ports/clock.ts';
import { cutText } from '../../../domain/space/pageText.ts';
import type { Placement } from '../../../domain/space/placement.ts';
import type { StaleTarget } from '../../../domain/space/staleSuggestions.ts';
import type { VaultField, VaultSecret } from '../../../domain/vault.ts';
import type { IsolatedWorld } from '../../cdp/isolatedWorld.ts';
import type { MissedClick, PressResult } from '../../injected/act/clickGuard.ts';
import type { PreparedAction } from '../../injected/act/prepareAction.ts';
import type { ListedElement } from '../../perceive/elementRegistry.ts';
import type { Tab } from '../../tab/tab.ts';

/** The failure ACTION_STALE. The lease adds the current list of actions, the most similar ones first. */
export class StaleAction extends Failure {
  /** The element that had the id when it was last listed. */
  readonly target: StaleTarget;

  /**
   * @param target the element that had the id when it was last listed
   * @param reason a clause for the failure text, such as `its page is gone`
   */
  constructor(id: string, target: StaleTarget & { readonly description: string }, reason: string) {
    super(
      'ACTION_STALE',
      `${id} (${target.description}) cannot be done: ${reason}. Choose from the fresh list.`,
    );
    this.target = target;
  }
}

/** Name of the service's selector engine in Playwright. `findBySelector` of the injected agent describes the selectors. */
const ENGINE = 'pagespace';

/** Source of the selector engine. It runs in the isolated world that has the injected agent, and asks the agent for the element. */
const ENGINE_SCRIPT = `({
  query: (root, selector) => globalThis.__pagespace?.findBySelector(selector) ?? null,
  queryAll(root, selector) {
    const found = this.query(root, selector);
    return found === null ? [] : [found];
  },
})`;

export const PLAYWRIGHT_CONTROLS: ReadonlySet<string> = new Set(
  'canvas number range date time datetime month week color select slider file'.split(' '),
);

let registration: Promise<void> | null = null;

/** Registers the service's selector engine with Playwright; later calls do nothing. Call it before the first page opens. */
export function registerSelectorEngine(): Promise<void> {
  registration ??= selectors.register(ENGINE, ENGINE_SCRIPT, { contentScript: true });
  return registration;
}

export const locatorOf = (tab: Tab, listed: ListedElement): Locator =>
  scopeOf(tab, listed).locator(`${ENGINE}=${listed.key}`);

export const labelLocatorOf = (tab: Tab, listed: ListedElement): Locator =>
  scopeOf(tab, listed).locator(`${ENGINE}=l${listed.key}`);

/** Returns a locator that matches nothing. Evaluating it makes Playwright inject its own script into the document. */
export const emptyLocator = (tab: Tab): Locator => tab.page.locator(`${ENGINE}=0`);

function scopeOf(tab: Tab, listed: ListedElement): Pick<Tab['page'], 'locator'> {
  let scope: Pick<Tab['page'], 'locator'> = tab.page;
  for (const index of listed.framePath) scope = scope.locator(`${ENGINE}=f${index}`).contentFrame();
  return scope;
}

/** Traits that a step reads of an element before it acts on it. */
type ReadTraits = Pick<
  Extract<PreparedAction, { state: 'present' }>,
  | 'hasBox'
  | 'isBelowBar'
  | 'hearsArrival'
  | 'hearsPressOnly'
  | 'keyEntry'
  | 'isCodeField'
  | 'isSecret'
  | 'maxLength'
  | 'isRegion'
  | 'readOnly'
  | 'focused'
>;

/** Argument of the functions that act on an element: the element, and the inputs of the step. */
export interface ElementContext extends ReadTraits {
  /** Adds a sentence about the effect of the step to its answer. */
  readonly addEffectCheck?: (check: () => Promise<string | null>) => void;
  readonly tab: Tab;
  readonly listed: ListedElement;
  readonly world: IsolatedWorld;
  readonly locator: Locator;
  /** Locator of the element's label, which is clicked in place of a checkbox or radio button without a box. */
  readonly label: Locator;
  /** The value of the step; null if the caller gave none. */
  readonly value: string | null;
  /** The value of the vault to fill in place of `value`; null or absent for none. */
  readonly secret?: VaultSecret | null;
  /** Keeps the value of the vault, and the parts of it, for the mask of the session. */
  readonly keepSecret?: (value: string, field: VaultField) => void;
  /** True to press Enter after filling. */
  readonly enter: boolean;
  /** Description of the other element that covered this one at the start of the step; null if none did. */
  readonly coveredBy: string | null;
  /** The iframes around the element, from the outermost on; empty in the top document. */
  readonly frames: readonly FrameAround[];
  /** The place of the element's document on the page at the start of the step. */
  readonly placement: Placement;
  /** Point to click, in CSS pixels of the page from the element's top left corner; null to click its middle, which works for most elements. */
  readonly clickPoint: { readonly x: number; readonly y: number } | null;
  /**
   * The point of the visible page at which a press reaches the element now, so that the pointer can go there at once; null
   * when the element must be scrolled into view or is not ready, and for an element in a frame.
   */
  readonly inView: { readonly x: number; readonly y: number } | null;
  /**
   * The click guard of the page, which may wait for the press of the step already; `late` is the result of a press that the page was too busy to
   * report, `missed` that of a press of which no click has reached the element.
   */
  readonly guard: { armed: boolean; late?: Promise<PressResult | MissedClick>; missed?: MissedClick };
  /** Called when the field has become one that holds secrets. */
  readonly becameSecret?: () => void;
  /** Returns true if the page has no work of the step left; false if that is not known. */
  readonly isIdle: () => Promise<boolean>;
  /** Waits between two keys; absent where keys follow each other at once. */
  readonly betweenKeys?: () => Promise<unknown>;
  /** Ids of the actions that the page had right before the press of a read-only field. */
  readonly listedBefore?: ReadonlySet<string>;
  /** Maximum wait for the element to become visible, stable, enabled and uncovered. */
  readonly readyTimeoutMs: number;
  /** True when something else receives the press on the element, for it: then no check that the press reaches the element is possible. */
  readonly through: boolean;
  /** Returns the path of an uploaded file; null if the session has no upload with this id. */
  readonly uploadPath: (id: string) => Promise<string | null>;
  readonly deadline: Deadline;
}

/** An iframe around an element: the document that contains it, and its index there. */
export interface FrameAround {
  readonly owner: IsolatedWorld;
  readonly index: number;
}

/** Checks, when the page has settled, that an element has kept what a step entered. @throws RefusedValue */
export type KeptCheck = () => Promise<void>;

/** Finds the element with an id such as `B3`, for an action on it. @throws Failure ACTION_NOT_FOUND, ACTION_STALE, ACTION_BLOCKED */
export type ResolveElement = (id: string) => Promise<ElementContext>;

/** Creates VALIDATION_ERROR for a value. @param problem the beginning of the text @param message what the value does not meet */
export const invalidText = (problem: string, value: string, message: string, cause?: unknown): Failure =>
  new Failure('VALIDATION_ERROR', `${problem}; got "${cutText(value, 100)}".`, {
    errors: [{ path: 'value', message }],
    ...(cause !== undefined && { cause }),
  });
