/** Cancels the keys of a fill that would reach another element than the field: a dialog that takes the focus meanwhile has a button that a space presses. */

import {
  bodyOf,
  closest,
  composedContains,
  getAttribute,
  getRootNode,
  isElement,
  isShadowRoot,
} from '../dom/domGetters.ts';
import { documentState, step } from '../dom/lifetimes.ts';
import { isTextField } from '../dom/secretFields.ts';
import { hasFocus } from '../perceive/element/shadowRootOf.ts';
import { briefLabel } from '../perceive/name/identifierWords.ts';

const KEY_EVENTS = ['keydown', 'keypress', 'keyup'] as const;
const TEXT_ROLES = new Set(['textbox', 'searchbox', 'combobox', 'spinbutton']);

export interface FocusTaker {
  /** The label of the element; null if the field has only lost the focus. */
  readonly label: string | null;
}

interface Guard {
  readonly field: Element;
  /** True if the field could be focused: otherwise its keys go to the page. */
  readonly hadFocus: boolean;
}

/** The guard of the present step; null if it has none. What has taken keys of the step from the field; null for nothing. */
const keys = step.value(() => ({ guard: null as Guard | null, taker: null as FocusTaker | null }));

/** Starts to cancel the keys of the present step that do not go to this field, or to another one that the page has moved the focus to. */
export function armKeyGuard(field: Element): void {
  if (keys().guard?.field === field) return;
  keys().guard = { field, hadFocus: hasFocus(field) };
  for (const type of KEY_EVENTS) addEventListener(type, checkKey, true);
}

/** Lets all keys through again. `takerOfKeys` keeps its answer. */
export function endKeyGuard(): void {
  keys().guard = null;
  for (const type of KEY_EVENTS) removeEventListener(type, checkKey, true);
}

/** Returns what would have got keys of the present step in place of the field; null if none was cancelled. */
export const takerOfKeys = (): FocusTaker | null => keys().taker;

export function focusTaker(): FocusTaker | null {
  endKeyGuard();
  return takerOfKeys();
}

function checkKey(event: KeyboardEvent): void {
  if (!event.isTrusted) return;
  const { guard, taker } = keys();
  // Left by an earlier step.
  if (guard === null) {
    endKeyGuard();
    return;
  }
  if (hidesLineBreak(event)) event.stopImmediatePropagation();
  const path = event.composedPath();
  const [target] = path;
  if (path.includes(guard.field) || !(target instanceof Node) || !isElement(target)) return;
  if (mayTakeKey(guard, target, event.key)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (event.type !== 'keydown' || taker?.label != null) return;
  keys().taker = { label: isPage(target) ? null : briefLabel(target) };
}

const enter = documentState.value(() => ({ isDown: false }));

/** Returns true for the key without a `keydown` that breaks a line of an editor: a page that sends what was entered at Enter must not see it. */
function hidesLineBreak({ type, key }: KeyboardEvent): boolean {
  if (key !== 'Enter') return false;
  if (type === 'keypress') return !enter().isDown;
  enter().isDown = type === 'keydown';
  return false;
}

function mayTakeKey({ field, hadFocus }: Guard, target: Element, key: string): boolean {
  if (takesText(target) || hasFocus(field)) return true;
  if (isPage(target)) return !hadFocus;
  // The page has moved the focus to the button that sends what was entered.
  const form = closest(field, 'form');
  if (key === 'Enter' && form !== null && closest(target, 'form') === form) return true;
  // The browser names the host of a closed shadow tree for what is in it.
  return isShadowRoot(getRootNode(field)) && composedContains(target, field);
}

const isPage = (element: Element): boolean =>
  element === document.documentElement || element === bodyOf(document);

const takesText = (element: Element): boolean =>
  isTextField(element) || TEXT_ROLES.has(getAttribute(element, 'role') ?? '');
