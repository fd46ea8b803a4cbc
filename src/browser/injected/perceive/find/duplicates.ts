/** Recognizes two candidates that are one thing for people: a box, and the only thing in it. */
import { boxOf, getAttribute } from '../../dom/domGetters.ts';
import { type Candidate, isExplicit } from '../candidate.ts';
import { visibleText } from '../element/renderedText.ts';
import { accessibleName } from '../name/accessibleName.ts';

/** The inner candidate takes at least this part of the area of the outer one. */
const MIN_AREA_PART = 0.6;

/** The attributes that name an element which shows no text; the text of the box around it includes them. */
const NAMES = ['aria-label', 'title'] as const;

/** Returns true if the outer box adds neither text nor a larger click area to the single candidate in it. */
export function isDuplicateOf(outer: Candidate, inner: Candidate): boolean {
  const text = visibleText(outer.element);
  const texts = [visibleText(inner.element), ...NAMES.map(name => getAttribute(inner.element, name))];
  if (!texts.includes(text)) return false;
  if (isIconIn(inner, outer)) return false;
  return text !== '' || isExplicit(inner) || fills(inner, outer);
}

/** Returns true for the drawing in a box that has no more than it: the box has the class that names the icon. */
export const isIconIn = (inner: Candidate, outer: Candidate): boolean =>
  inner.tag === 'svg' &&
  outer.tag !== 'svg' &&
  !isExplicit(inner) &&
  visibleText(outer.element) === '' &&
  fills(inner, outer);

/** Returns true if a box that is dragged, or takes what is dropped, contains nothing but another one. */
export const isDragDuplicate = (outer: Candidate, inner: Candidate): boolean =>
  outer.basis === 'drag' && inner.basis === 'drag' && isDuplicateOf(outer, inner) && fills(inner, outer);

/** Returns true for a button in a button with the same name that takes most of its area: a press on it is a press on both. */
export function isButtonDuplicate(inner: Candidate, outer: Candidate): boolean {
  if (inner.role !== 'button' || outer.role !== 'button') return false;
  const name = accessibleName(inner.element, inner.tag, false);
  return name !== '' && name === accessibleName(outer.element, outer.tag, false) && fills(inner, outer);
}

/** Returns true if the inner candidate takes most of the area of the outer one. */
export function fills(inner: Candidate, outer: Candidate): boolean {
  const [part, whole] = [boxOf(inner.element), boxOf(outer.element)];
  return part.width * part.height >= whole.width * whole.height * MIN_AREA_PART;
}
