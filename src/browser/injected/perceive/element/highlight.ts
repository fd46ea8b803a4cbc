/** Notices which of several equal controls is the chosen one where the page says it by colors alone. */
import {
  firstElementChild,
  getAttribute,
  lastElementChild,
  localName,
  nextElementSibling,
  parentElement,
} from '../../dom/domGetters.ts';
import { styleOf } from '../../dom/styleOf.ts';
import { hasFocus } from './hasFocus.ts';

/** Maximum number of neighbours that are compared. */
const MAX_NEIGHBOURS = 24;

/** The classes and the style of each control at the last observation. */
const looks = new WeakMap<Element, string>();
const highlighted = new WeakSet<Element>();

/**
 * Returns true for a control that has got other colors than all its neighbours, which look the same. Colors that it has had from the start say nothing: the main
 * button of a form has them too.
 */
export function isHighlighted(element: Element): boolean {
  const look = lookOf(element);
  const before = looks.get(element);
  if (before !== look) looks.set(element, look);
  if (before !== undefined && before !== look) {
    if (standsOut(element, look, before)) highlighted.add(element);
    else highlighted.delete(element);
  }
  return highlighted.has(element);
}

const lookOf = (element: Element): string =>
  `${getAttribute(element, 'class') ?? ''}\n${getAttribute(element, 'style') ?? ''}`;

function standsOut(element: Element, look: string, before: string): boolean {
  const [first, ...others] = neighboursOf(element);
  if (first === undefined) return false;
  const usual = lookOf(first);
  if (usual === look || others.some(other => lookOf(other) !== usual)) return false;
  // Of two, the one that was pressed: it looks as the other one did.
  if (others.length === 0 && (usual !== before || !hasFocus(element))) return false;
  return colorsOf(element) !== colorsOf(first);
}

/** Returns the controls beside an element: its siblings, or those in the boxes beside its own one. */
function neighboursOf(element: Element): Element[] {
  const parent = parentElement(element);
  if (parent === null) return [];
  const isAlone = firstElementChild(parent) === lastElementChild(parent);
  const box = isAlone ? parentElement(parent) : parent;
  const tag = localName(element);
  const found: Element[] = [];
  let child = box === null ? null : firstElementChild(box);
  for (let left = MAX_NEIGHBOURS; child !== null && left > 0; child = nextElementSibling(child), left--) {
    const one = isAlone ? firstElementChild(child) : child;
    if (one !== null && one !== element && localName(one) === tag) found.push(one);
  }
  return found;
}

function colorsOf(element: Element): string {
  const { backgroundColor, color, borderTopColor, fontWeight } = styleOf(element);
  return [backgroundColor, color, borderTopColor, fontWeight].join();
}
