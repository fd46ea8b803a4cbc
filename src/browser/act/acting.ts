/** What every action on an element has at hand. */
import type { Locator } from 'playwright';
import { selectors } from 'playwright';
import type { Deadline } from '../../domain/ports.ts';
import { deadlineFailure } from '../errors.ts';
import type { IsolatedWorld } from '../isolatedWorld.ts';
import type { Listed } from '../perceive/registry.ts';
import type { Tab } from '../tab.ts';

/** Name of the selector engine that finds listed elements: `pagespace=17` by key, `f2` a frame, `label17` its label. */
const ENGINE = 'pagespace';
/** Playwright waits this long for an element to be visible, still, enabled and uncovered. */
export const READY_MS = 3_000;
/** An element that looked covered may be freed by an animation that ends; not by much more. */
export const COVERED_READY_MS = 800;

let registered: Promise<void> | null = null;

/** Registers the selector engine, once a process; before the first page opens. */
export function registerEngine(): Promise<void> {
  registered ??= selectors.register(
    ENGINE,
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
  return registered;
}

/** One step on one element. */
export interface Acting {
  readonly tab: Tab;
  readonly listed: Listed;
  /** The isolated world of the element's document. */
  readonly world: IsolatedWorld;
  readonly locator: Locator;
  /** The element's label, for an input that has no box of its own. */
  readonly label: Locator;
  readonly value: string | null;
  readonly enter: boolean;
  /** What lies on top of the element, in words; null if nothing did when it was looked up. */
  readonly cover: string | null;
  /** Where to press when the middle is hollow, in pixels from the element's top left corner; null for the middle. */
  readonly point: { readonly x: number; readonly y: number } | null;
  /** How long Playwright waits for the element to be ready; shorter where it looked covered. */
  readonly readyMs: number;
  /** Whether the element has a box that can be clicked. */
  readonly hasBox: boolean;
  /** Where an uploaded file lies; null if the session has none with that id. */
  readonly uploadPath: (id: string) => Promise<string | null>;
  readonly deadline: Deadline;
}

/** Finds what an id of the command's value stands for. @throws Failure ACTION_NOT_FOUND, ACTION_STALE */
export type FindActing = (id: string) => Promise<Acting>;

/** Playwright's locator for a listed element, through the frames on the way. */
export function locatorOf(tab: Tab, listed: Listed, prefix: '' | 'l' = ''): Locator {
  let scope: Pick<Tab['page'], 'locator'> = tab.page;
  for (const index of listed.framePath) scope = scope.locator(`${ENGINE}=f${index}`).contentFrame();
  return scope.locator(`${ENGINE}=${prefix}${listed.key}`);
}

/**
 * Playwright leaves out each pause between its tries that is longer than a fifth of its time, so that below 100 ms none is
 * left: where a page has crashed it then tries for ever without letting go of the process. Milliseconds.
 */
const LEAST_PATIENCE_MS = 500;

/**
 * How long Playwright may take, in its options' form; past the deadline for a moment where that is near.
 * @throws Failure the deadline's, where it is over
 */
export function patience(deadline: Deadline, ms = READY_MS): { timeout: number } {
  if (deadline.signal.aborted) throw deadlineFailure(deadline);
  return { timeout: Math.max(LEAST_PATIENCE_MS, Math.min(ms, deadline.remainingMs())) };
}
