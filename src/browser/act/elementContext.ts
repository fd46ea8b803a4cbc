/** What every action on an element has at hand. */
import type { Locator } from 'playwright';
import { selectors } from 'playwright';
import type { Deadline } from '../../domain/ports/deadline.ts';
import { deadlineFailure } from '../cdp/errors.ts';
import type { IsolatedWorld } from '../cdp/isolatedWorld.ts';
import { MIN_PLAYWRIGHT_TIMEOUT_MS } from '../cdp/playwrightInternals.ts';
import type { ListedElement } from '../perceive/elementRegistry.ts';
import type { Tab } from '../tab/tab.ts';

/** Name of the selector engine that finds listed elements: `pagespace=17` by key, `f2` a frame, `label17` its label. */
const SELECTOR_ENGINE = 'pagespace';
/** Playwright waits this long for an element to be visible, still, enabled and uncovered. */
export const READY_TIMEOUT_MS = 3_000;
/** An element that looked covered may be freed by an animation that ends; not by much more. */
export const COVERED_READY_TIMEOUT_MS = 800;

let registration: Promise<void> | null = null;

/** Registers the selector engine, once a process; before the first page opens. */
export function registerSelectorEngine(): Promise<void> {
  registration ??= selectors.register(
    SELECTOR_ENGINE,
    `({
      query(root, text) { return this.queryAll(root, text)[0] || null; },
      queryAll(root, text) {
        const agent = globalThis.__pagespace;
        if (!agent) return [];
        const number = Number(text.replace(/^[a-z]+/, ''));
        let found;
        if (text[0] === 'f') found = agent.frameElement(number);
        else {
          found = agent.element(number);
          if (found && text[0] === 'l') found = found.labels && found.labels[0];
        }
        return found ? [found] : [];
      }
    })`,
    { contentScript: true },
  );
  return registration;
}

/** One step on one element. */
export interface ElementContext {
  readonly tab: Tab;
  readonly listed: ListedElement;
  /** The isolated world of the element's document. */
  readonly world: IsolatedWorld;
  readonly locator: Locator;
  /** The element's label, for an input that has no box of its own. */
  readonly label: Locator;
  readonly value: string | null;
  readonly enter: boolean;
  /** What lies on top of the element, in words; null if nothing did when it was looked up. */
  readonly coveredBy: string | null;
  /** Where to press when the middle is hollow, in pixels from the element's top left corner; null for the middle. */
  readonly clickPoint: { readonly x: number; readonly y: number } | null;
  /** How long Playwright waits for the element to be ready; shorter where it looked covered. */
  readonly readyTimeoutMs: number;
  /** Whether the element has a box that can be clicked. */
  readonly hasBox: boolean;
  /** Where an uploaded file lies; null if the session has none with that id. */
  readonly uploadPath: (id: string) => Promise<string | null>;
  readonly deadline: Deadline;
}

/** Finds what an id of the command's value stands for. @throws Failure ACTION_NOT_FOUND, ACTION_STALE */
export type ResolveElement = (id: string) => Promise<ElementContext>;

/** Playwright's locator for a listed element, through the frames on the way. */
export function locatorOf(tab: Tab, listed: ListedElement, prefix: '' | 'l' = ''): Locator {
  let scope: Pick<Tab['page'], 'locator'> = tab.page;
  for (const index of listed.framePath) scope = scope.locator(`${SELECTOR_ENGINE}=f${index}`).contentFrame();
  return scope.locator(`${SELECTOR_ENGINE}=${prefix}${listed.key}`);
}

/**
 * How long Playwright may take, in its options' form; past the deadline for a moment where that is near.
 * @throws Failure the deadline's, where it is over
 */
export function timeoutOption(deadline: Deadline, timeoutMs = READY_TIMEOUT_MS): { timeout: number } {
  if (deadline.signal.aborted) throw deadlineFailure(deadline);
  return { timeout: Math.max(MIN_PLAYWRIGHT_TIMEOUT_MS, Math.min(timeoutMs, deadline.remainingMs())) };
}
