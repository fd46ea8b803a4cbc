import {
  activeElementOf,
  composedContains,
  getRootNode,
  shadowActiveElement,
  shadowHost,
} from '../../dom/domGetters.ts';

/** Returns true if the element, or an element inside it, has the focus. */
export function hasFocus(element: Element): boolean {
  const root = getRootNode(element);
  if (root instanceof Document) return composedContains(element, activeElementOf(root));
  return root instanceof ShadowRoot && composedContains(element, shadowActiveElement(shadowHost(root)));
}
