/** Reads a listed element again before a step acts on it, and prepares its press: all that a press needs, in one call. */
import { boxOf, getAttribute, labelsOf, matches, scrollIntoView } from '../dom/domGetters.ts';
import { codeRow, isSecretField } from '../dom/secretFields.ts';
import { scrolledElement } from '../perceive/element/box.ts';
import { elementByKey } from '../perceive/elementKeys.ts';
import { frameElement } from '../perceive/lastObservation.ts';
import { resolveKey } from '../perceive/resolveKey.ts';
import { hasSameMeaning } from '../perceive/sameMeaning.ts';
import type { ElementResolution } from '../perceive/wireFormat.ts';
import { expectOwnScroll, isStaticDocument, nextFrame } from '../settle/quiet.ts';
import { armClickGuard } from './clickGuard.ts';
import { ARRIVAL_EVENTS, ENTRY_EVENTS, hearsPressOnly, listensFor } from './listenedEvents.ts';
import { keepWheels } from './wheelTurn.ts';

/**
 * Returns the element for a selector of Playwright's custom engine `pagespace`: `17` is the element with key 17, `l17` its label, `f2`
 * the frame with index 2 of the last observation. Null when there is no such element.
 */
export function findBySelector(selector: string): Element | null {
  const number = Number(selector.replace(/^[a-z]+/, ''));
  if (selector.startsWith('f')) return frameElement(number);
  const element = elementByKey(number);
  return element !== null && selector.startsWith('l') ? (labelsOf(element)[0] ?? null) : element;
}

/** When a step presses the element at once: `if not focused` for a field, which is pressed to focus it. */
export type PressPlan = 'always' | 'if not focused' | 'never';

/**
 * The way in which text is entered: `in turn`, each key after the reaction of the page to the one before; `at once`, all keys without waiting, where
 * nothing around the element listens for keys; `inserted` without keys, in a document without scripts and listeners.
 */
export type KeyEntry = 'in turn' | 'at once' | 'inserted';

export type PreparedAction =
  | Extract<ElementResolution, { state: 'gone' }>
  | (Extract<ElementResolution, { state: 'present' }> & {
      /** True if the element still means what was listed. */
      readonly isSame: boolean;
      /** True if the click guard waits for the press. */
      readonly armed: boolean;
      /** True if the element is disabled by an attribute or a class of the page, not by the browser: a press can work nevertheless. */
      readonly statesDisabled: boolean;
      /** True if the page reacts to the pointer that arrives at the element. */
      readonly hearsArrival: boolean;
      /** True if the page listens for the release of the button only after it has seen the press. */
      readonly hearsPressOnly: boolean;
      /** The way in which text is entered in the element. */
      readonly keyEntry: KeyEntry;
      /** True for one of several fields that take one character each. */
      readonly isCodeField: boolean;
      /** True for a password or one-time-code field: its value is a secret. */
      readonly isSecret: boolean;
      /** The number of characters to which the field cuts what is entered; null for no such limit. */
      readonly maxLength: number | null;
    });

/** Maximum wait for a frame in which the page reacts to scrolling. Milliseconds. */
const FRAME_TIMEOUT_MS = 100;

/**
 * Reads the element, and starts the click guard if the step can press it now.
 * @param mayScroll true to scroll it into view for that, in a document without scripts and listeners: `reveal` would take a call of its own
 */
export function prepareAction(
  key: number,
  fingerprint: string,
  plan: PressPlan,
  mayScroll: boolean,
): PreparedAction {
  const resolution = resolveKey(key);
  const element = elementByKey(key);
  if (resolution.state === 'gone' || element === null) return { state: 'gone' };
  const isSame =
    resolution.fingerprint === fingerprint ? resolution.hasSameContext : hasSameMeaning(element, fingerprint);
  const isPressed = plan === 'always' || (plan === 'if not focused' && !resolution.focused);
  let { inView } = resolution;
  let armed = isSame && isPressed && inView !== null && !resolution.through;
  if (armed) armClickGuard(key, true);
  else if (mayScroll && isSame && isPressed && isStaticDocument() && needsOnlyScroll(resolution)) {
    scrollToPlace(element, SCROLL_PLACES[0]);
    inView = armAt(key, resolveKey(key));
    armed = inView !== null;
  }
  return {
    ...resolution,
    inView,
    isSame,
    armed,
    statesDisabled: resolution.status === 'excluded' && !matches(element, ':disabled'),
    hearsArrival: listensFor(element, ARRIVAL_EVENTS),
    hearsPressOnly: hearsPressOnly(element),
    isCodeField: codeRow(element) !== null,
    isSecret: isSecretField(element),
    maxLength: maxLengthOf(element),
    keyEntry: isStaticDocument() ? 'inserted' : listensFor(element, ENTRY_EVENTS) ? 'in turn' : 'at once',
  };
}

function maxLengthOf(element: Element): number | null {
  const length = Number.parseInt(getAttribute(element, 'maxlength') ?? '', 10);
  return length >= 0 ? length : null;
}

type Present = Extract<ElementResolution, { state: 'present' }>;

const needsOnlyScroll = ({ hasBox, status, coveredBy, inView, through, shownOnHover }: Present): boolean =>
  hasBox && status === 'valid' && coveredBy === null && inView === null && !through && !shownOnHover;

/** Starts the guard of the press on an element. Returns the point to press; null if it cannot be pressed as it is. */
function armAt(key: number, resolution: ElementResolution): readonly [number, number] | null {
  if (resolution.state === 'gone' || resolution.inView === null || resolution.through) return null;
  armClickGuard(key, true);
  return resolution.inView;
}

/** The places to which scrolling brings an element: the middle of its window, then the edges, where nothing may lie on it. */
const SCROLL_PLACES = [
  ['center', 'nearest'],
  ['start', 'nearest'],
  ['end', 'nearest'],
  ['nearest', 'start'],
  ['nearest', 'end'],
] as const satisfies readonly (readonly [ScrollLogicalPosition, ScrollLogicalPosition])[];

function scrollToPlace(element: Element, [block, inline]: (typeof SCROLL_PLACES)[number]): void {
  expectOwnScroll();
  keepWheels(element, () => scrollIntoView(scrolledElement(element), { block, inline, behavior: 'instant' }));
}

/**
 * Scrolls an element into view, and out from below a fixed box, each position once; starts the guard of its press.
 * Returns the point to press; null if it is covered, moves or is gone.
 */
export async function reveal(key: number): Promise<readonly [number, number] | null> {
  const element = elementByKey(key);
  if (element === null) return null;
  const tried = new Set<string>();
  for (const place of SCROLL_PLACES) {
    scrollToPlace(element, place);
    const before = boxOf(element);
    const position = `${before.left} ${before.top}`;
    if (tried.has(position)) continue;
    tried.add(position);
    if (!isStaticDocument()) {
      await nextFrame(FRAME_TIMEOUT_MS);
      const { top, left } = boxOf(element);
      if (top !== before.top || left !== before.left) return null;
    }
    const resolution = resolveKey(key);
    const point = armAt(key, resolution);
    if (point !== null || resolution.state === 'gone' || resolution.through || !resolution.isBelowBar)
      return point;
  }
  return null;
}
