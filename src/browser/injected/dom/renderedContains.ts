/** Containment in the rendered tree, in which the content of a slot is inside of the box around the slot. */
import { getRootNode, isShadowRoot, renderedParent } from './domGetters.ts';

/** Returns true if `inner` is rendered in `outer`, an element of a shadow tree, through a slot of the tree. */
export function containsSlotted(outer: Element, inner: Element): boolean {
  if (!isShadowRoot(getRootNode(outer))) return false;
  for (let at: Element | null = inner; at !== null; at = renderedParent(at)) if (at === outer) return true;
  return false;
}
