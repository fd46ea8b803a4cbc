/** Remembers the input with which a step has reached the page: the element, what was done to it, and what the page did with it. */

import * as dom from '../dom/domGetters.ts';
import { step } from '../dom/lifetimes.ts';

export interface StepInput {
  readonly kind: 'press' | 'hover' | 'text';
  readonly element: Element;
  readonly control: Element | null;
  readonly event: Event;
  /** True if the element said already before the step that it is disabled. */
  readonly wasDisabled: boolean;
}

const KIND_BY_EVENT: Readonly<Record<string, StepInput['kind']>> = {
  pointerover: 'hover',
  input: 'text',
  click: 'press',
  dblclick: 'press',
  contextmenu: 'press',
};
/** A press comes after the pointer has arrived, and a click into a field before its text. */
const RANK: Readonly<Record<StepInput['kind'], number>> = { hover: 0, press: 1, text: 2 };
const CONTROLS = 'a,button,summary,[role="button"],[role="menuitem"],[role="tab"],[role="option"]';

const used = step.value(() => ({ input: null as StepInput | null }));
/** True if the step has changed something that a reader notices (that a control is disabled is nothing of it); true if it has added a control. */
export const content = step.value(() => ({ hasChanged: false, offersAction: false }));

export const stepInput = (): StepInput | null => used().input;

/**
 * Returns true if the step has clicked a link with the attribute `download`, and the page has not prevented it. Of another origin the
 * browser opens such a link like any other (HTML standard, 4.6.4).
 */
export function startsDownload(): boolean {
  const { input } = used();
  if (input === null || input.event.type !== 'click' || input.event.defaultPrevented) return false;
  const link = dom.closest(input.element, 'a[download][href],area[download][href]');
  const href = link === null ? null : dom.getAttribute(link, 'href');
  const url = href === null ? null : URL.parse(href, dom.baseURI(document));
  // Files that the page has made itself, and those of its own origin.
  return url !== null && (/^(?:blob|data):/.test(url.href) || url.origin === location.origin);
}

/** Starts to remember inputs. Call it once for each document. */
export function watchStepInput(): void {
  const note = (event: Event): void => {
    const [element] = event.composedPath();
    const kind = KIND_BY_EVENT[event.type];
    if (!event.isTrusted || kind === undefined || !(element instanceof Node) || !dom.isElement(element))
      return;
    const before = used().input;
    if (before !== null && RANK[before.kind] > RANK[kind]) return;
    const control = dom.closest(element, CONTROLS);
    const wasDisabled = dom.getAttribute(control ?? element, 'aria-disabled') === 'true';
    used().input = { kind, element, control, event, wasDisabled };
  };
  for (const type of Object.keys(KIND_BY_EVENT))
    addEventListener(type, note, { capture: true, passive: true });
}

/** Returns the control that the step has pressed and that is disabled since, if the step has changed nothing else; else null. */
export function heldControl(): Element | null {
  const { input } = used();
  if (input === null || content().hasChanged || input.kind !== 'press' || input.wasDisabled) return null;
  const pressed = input.control ?? input.element;
  const isDisabled =
    dom.closest(pressed, ':disabled') !== null || dom.getAttribute(pressed, 'aria-disabled') === 'true';
  return pressed.isConnected && isDisabled ? pressed : null;
}
