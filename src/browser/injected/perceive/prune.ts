/** Takes out what was found twice: boxes around one action, and boxes that only handle for what is in them. */

import { boxOf, getAttribute } from '../dom/domGetters.ts';
import { visibleText } from './accessibleName.ts';
import { CONTAINER_ROLES } from './ariaRole.ts';
import { type Candidate, isExplicit } from './candidate.ts';
import { hasOwnText } from './eventDelegation.ts';
import type { ObservationContext } from './observationContext.ts';

/** A box with more actions in it than this handles for them, unless it says that it is pressed itself. */
const MAX_DESCENDANTS = 8;

/** The actions among the elements found, in the same order. */
export function prune(found: readonly Candidate[], reading: ObservationContext): readonly Candidate[] {
  const inside = new Map<Candidate, Candidate[]>();
  for (const one of found) {
    if (one.ancestor === null) continue;
    const known = inside.get(one.ancestor);
    if (known === undefined) inside.set(one.ancestor, [one]);
    else known.push(one);
  }
  const dropped = new Set<Candidate>();
  for (const one of found) {
    try {
      if (isRedundant(one, inside.get(one) ?? [], reading)) dropped.add(one);
      else if (one.ancestor !== null && !dropped.has(one.ancestor) && isPartOfControl(one, one.ancestor))
        dropped.add(one);
    } catch {
      // Kept: one too many rather than one missing.
    }
  }
  return dropped.size === 0 ? found : found.filter(one => !dropped.has(one));
}

function isRedundant(outer: Candidate, parts: readonly Candidate[], reading: ObservationContext): boolean {
  if (isExplicit(outer) || outer.descendantCount === 0) return false;
  const only = outer.descendantCount === 1 ? parts[0] : undefined;
  switch (outer.basis) {
    case 'scroll':
    case 'drag':
    case 'target':
      return false;
    case 'focus':
      return true;
    case 'hover':
      return !reading.sheets.opensOnHover(outer.element) && !hasOwnText(outer.element);
    default: {
      if (
        only !== undefined &&
        only.basis !== 'scroll' &&
        only.basis !== 'drag' &&
        isDuplicateOf(outer, only)
      )
        return true;
      if (outer.role !== null && CONTAINER_ROLES.has(outer.role) && !outer.pointer) return true;
      if (!outer.pointer && consistsOfControls(outer, parts)) return true;
      // Only the cursor speaks for it, and that speaks for the entries in it.
      if (outer.basis === 'cursor' && parts.length > 1 && addsNoText(outer, parts)) return true;
      const { width, height } = boxOf(outer.element);
      const part = (width * height) / Math.max(1, reading.width * reading.height);
      if (part > 0.8) return true;
      if (outer.pointer || hasOwnText(outer.element)) return false;
      return outer.descendantCount > MAX_DESCENDANTS || part > 0.5;
    }
  }
}

/** The box has nothing to read but its parts, which are controls: it handles for them. */
function consistsOfControls(outer: Candidate, parts: readonly Candidate[]): boolean {
  return parts.length > 1 && parts.some(isExplicit) && addsNoText(outer, parts);
}

function addsNoText(outer: Candidate, parts: readonly Candidate[]): boolean {
  const own = visibleText(outer.element).replaceAll(' ', '').length;
  const theirs = parts.reduce((sum, part) => sum + visibleText(part.element).replaceAll(' ', '').length, 0);
  return theirs >= own;
}

/** The outer box adds nothing to read, nor room to press, to the one action in it. */
function isDuplicateOf(outer: Candidate, inner: Candidate): boolean {
  const text = visibleText(outer.element);
  if (text !== visibleText(inner.element)) return false;
  if (text !== '') return true;
  const one = boxOf(outer.element);
  const other = boxOf(inner.element);
  return other.width * other.height >= one.width * one.height * 0.6;
}

/** The inner element is part of a control and does nothing of its own: a link in a tab, a span in a button. */
function isPartOfControl(inner: Candidate, outer: Candidate): boolean {
  if (!isExplicit(outer) || outer.control === 'contenteditable') return false;
  if (inner.basis === 'scroll' || inner.letter === 'I') return false;
  if (outer.role === 'combobox' && outer.tag !== 'select' && inner.basis === 'role') return false;
  const plain = inner.basis === 'handler' || inner.basis === 'child' || !isExplicit(inner);
  const role = getAttribute(inner.element, 'role');
  const passive =
    role === 'presentation' || role === 'none' || getAttribute(inner.element, 'tabindex') === '-1';
  if (!plain && !passive && outer.basis !== 'role') return false;
  const text = visibleText(inner.element);
  return text === visibleText(outer.element) && (text !== '' || inner.basis !== 'handler');
}
