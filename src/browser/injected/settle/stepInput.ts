/** Remembers the input with which a step has reached the page: the element, what was done to it, and what the page did with it. */

import { baseURI, closest, contains, getAttribute, isElement } from '../dom/domGetters.ts';
import { step } from '../dom/lifetimes.ts';

/** The last input of a step that may have an effect. */
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
/** The places where the step has shown something: outside of the control that it has used, or in the content of this control. */
const shown = step.value(() => ({ elsewhere: false, inControl: false }));

/** Returns the input of the present step; null before it. */
export const stepInput = (): StepInput | null => used().input;

/**
 * Returns true if the step has clicked a link with the attribute `download`, and the page has not prevented it. Of another origin the
 * browser opens such a link like any other (HTML standard, 4.6.4).
 */
export function startsDownload(): boolean {
  const { input } = used();
  if (input === null || input.event.type !== 'click' || input.event.defaultPrevented) return false;
  const link = closest(input.element, 'a[download][href],area[download][href]');
  const href = link === null ? null : getAttribute(link, 'href');
  const url = href === null ? null : URL.parse(href, baseURI(document));
  // Files that the page has made itself, and those of its own origin.
  return url !== null && (/^(?:blob|data):/.test(url.href) || url.origin === location.origin);
}

/** Returns true if the step has changed something outside of the control that it has used. */
export const showsElsewhere = (): boolean => shown().elsewhere;

/** Starts to remember inputs. Call it once for each document. */
export function watchStepInput(): void {
  const note = (event: Event): void => {
    const [element] = event.composedPath();
    const kind = KIND_BY_EVENT[event.type];
    if (!event.isTrusted || kind === undefined || !(element instanceof Node) || !isElement(element)) return;
    const before = used().input;
    if (before !== null && RANK[before.kind] > RANK[kind]) return;
    const control = closest(element, CONTROLS);
    const wasDisabled = getAttribute(control ?? element, 'aria-disabled') === 'true';
    used().input = { kind, element, control, event, wasDisabled };
  };
  for (const type of Object.keys(KIND_BY_EVENT))
    addEventListener(type, note, { capture: true, passive: true });
}

/** Notes where a change of content shows. That a page disables its controls shows nothing. */
export function noteShown({ type, target, attributeName }: MutationRecord): void {
  const places = shown();
  if (places.elsewhere) return;
  const disabled = disabledByPress();
  const isDisabling = attributeName === 'disabled' || attributeName === 'aria-disabled';
  if (disabled !== null && isDisabling && target instanceof Element && isDisabled(target)) return;
  const control = disabled ?? used().input?.control;
  if (control == null || !contains(control, target)) places.elsewhere = true;
  else places.inControl ||= type !== 'attributes' || attributeName === 'value';
}

/** Returns the control that the step has pressed and that is disabled since; null if the step has shown something else. */
export function heldControl(): Element | null {
  const control = disabledByPress();
  const { input } = used();
  if (control === null || input === null || shown().elsewhere || shown().inControl) return null;
  return control;
}

function disabledByPress(): Element | null {
  const { input } = used();
  if (input === null || input.kind !== 'press' || input.wasDisabled) return null;
  const pressed = input.control ?? input.element;
  return pressed.isConnected && isDisabled(pressed) ? pressed : null;
}

/** Returns true for an element that is disabled, or is in a part of a form that is, or says so to assistive technology. */
const isDisabled = (element: Element): boolean =>
  closest(element, ':disabled') !== null || getAttribute(element, 'aria-disabled') === 'true';
