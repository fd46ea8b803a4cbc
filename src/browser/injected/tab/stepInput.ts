/** Remembers the input with which a step has reached the page: the element, and what was done to it. */
import { closest, getAttribute, isElement } from '../dom/domGetters.ts';

/** The last input of a step that may have an effect. */
export interface StepInput {
  readonly kind: 'press' | 'hover' | 'text';
  readonly element: Element;
  /** The control that contains the element; null if there is none. */
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

let latest: StepInput | null = null;
let steps = 0;

/** Returns a number that is another one in each step of the document. */
export const stepNumber = (): number => steps;

/** Returns the input of the present step; null before it. */
export const stepInput = (): StepInput | null => latest;

/** Forgets the input of the step before. */
export function forgetStepInput(): void {
  latest = null;
  steps++;
}

/** Starts to remember inputs. Call it once for each document. */
export function watchStepInput(): void {
  const note = (event: Event): void => {
    const [element] = event.composedPath();
    const kind = KIND_BY_EVENT[event.type];
    if (!event.isTrusted || kind === undefined || !(element instanceof Node) || !isElement(element)) return;
    if (latest !== null && RANK[latest.kind] > RANK[kind]) return;
    const control = closest(element, CONTROLS);
    const wasDisabled = getAttribute(control ?? element, 'aria-disabled') === 'true';
    latest = { kind, element, control, event, wasDisabled };
  };
  for (const type of Object.keys(KIND_BY_EVENT))
    addEventListener(type, note, { capture: true, passive: true });
}
