/** Removes redundant candidates: boxes around one interactive element, and boxes that only handle events for others. */
import { boxOf, getAttribute } from '../dom/domGetters.ts';
import { CONTAINER_ROLES } from './ariaRole.ts';
import { type Candidate, isExplicit } from './candidate.ts';
import { hasOwnText } from './eventDelegation.ts';
import type { ObservationContext } from './observationContext.ts';
import { visibleText } from './renderedText.ts';

/**
 * Maximum number of candidates in a box that is kept as a candidate. A box with more of them is a container that only
 * handles their events, unless it has a pointer cursor or text of its own.
 */
const MAX_DESCENDANTS = 8;

/** Returns the candidates without the redundant ones, in the same order. */
export function prune(candidates: readonly Candidate[], context: ObservationContext): readonly Candidate[] {
  const inside = new Map<Candidate, Candidate[]>();
  for (const candidate of candidates) {
    const { ancestor } = candidate;
    if (ancestor === null) continue;
    const known = inside.get(ancestor);
    if (known === undefined) inside.set(ancestor, [candidate]);
    else known.push(candidate);
  }
  const dropped = new Set<Candidate>();
  for (const candidate of candidates) {
    const { ancestor } = candidate;
    try {
      if (isRedundant(candidate, inside.get(candidate) ?? [], context)) dropped.add(candidate);
      else if (ancestor !== null && !dropped.has(ancestor) && isPartOfControl(candidate, ancestor))
        dropped.add(candidate);
    } catch {
      // Keep it: one element too many is better than a missing one.
    }
  }
  return dropped.size === 0 ? candidates : candidates.filter(candidate => !dropped.has(candidate));
}

/**
 * Returns true if `outer` is only a container of other candidates.
 * @param inner the candidates whose nearest candidate ancestor is `outer`
 */
function isRedundant(outer: Candidate, inner: readonly Candidate[], context: ObservationContext): boolean {
  if (isExplicit(outer) || outer.descendantCount === 0) return false;
  switch (outer.basis) {
    case 'scroll':
    case 'drag':
    case 'target':
      return false;
    case 'focus':
      return true;
    case 'hover':
      return !context.styleRules.opensOnHover(outer.element) && !hasOwnText(outer.element);
    default:
      return isContainer(outer, inner, context);
  }
}

function isContainer(outer: Candidate, inner: readonly Candidate[], context: ObservationContext): boolean {
  const only = outer.descendantCount === 1 ? inner[0] : undefined;
  if (only !== undefined && only.basis !== 'scroll' && only.basis !== 'drag' && isDuplicateOf(outer, only))
    return true;
  if (outer.role !== null && CONTAINER_ROLES.has(outer.role) && !outer.pointer) return true;
  if (!outer.pointer && consistsOfControls(outer, inner)) return true;
  // Only the cursor makes the box a candidate, and its entries are what users click.
  if (outer.basis === 'cursor' && inner.length > 1 && addsNoText(outer, inner)) return true;
  const { width, height } = boxOf(outer.element);
  const share = (width * height) / Math.max(1, context.width * context.height);
  if (share > 0.8) return true;
  if (outer.pointer || hasOwnText(outer.element)) return false;
  return outer.descendantCount > MAX_DESCENDANTS || share > 0.5;
}

/** Returns true if a box shows several candidates, at least one of them a control, and no text besides them. */
function consistsOfControls(outer: Candidate, inner: readonly Candidate[]): boolean {
  return inner.length > 1 && inner.some(isExplicit) && addsNoText(outer, inner);
}

function addsNoText(outer: Candidate, inner: readonly Candidate[]): boolean {
  const outerLength = visibleLength(outer);
  return inner.reduce((sum, part) => sum + visibleLength(part), 0) >= outerLength;
}

const visibleLength = ({ element }: Candidate): number => visibleText(element).replaceAll(' ', '').length;

/** Returns true if the outer box adds neither text nor a larger click area to the single candidate in it. */
function isDuplicateOf(outer: Candidate, inner: Candidate): boolean {
  const text = visibleText(outer.element);
  if (text !== visibleText(inner.element)) return false;
  if (text !== '') return true;
  const outerBox = boxOf(outer.element);
  const innerBox = boxOf(inner.element);
  return innerBox.width * innerBox.height >= outerBox.width * outerBox.height * 0.6;
}

/** Returns true if the inner element is part of a control and does nothing itself: a link in a tab, a span in a button. */
function isPartOfControl(inner: Candidate, outer: Candidate): boolean {
  if (!isExplicit(outer) || outer.control === 'contenteditable') return false;
  if (inner.basis === 'scroll' || inner.letter === 'I') return false;
  if (outer.role === 'combobox' && outer.tag !== 'select' && inner.basis === 'role') return false;
  const role = getAttribute(inner.element, 'role');
  const isPassive =
    role === 'presentation' || role === 'none' || getAttribute(inner.element, 'tabindex') === '-1';
  if (isExplicit(inner) && !isPassive && outer.basis !== 'role') return false;
  const text = visibleText(inner.element);
  return text === visibleText(outer.element) && (text !== '' || inner.basis !== 'handler');
}
