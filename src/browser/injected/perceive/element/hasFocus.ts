import {
  activeElementOf,
  bodyOf,
  composedContains,
  documentElement,
  getRootNode,
  shadowActiveElement,
  shadowHost,
} from '../../dom/domGetters.ts';

/** Returns true if the element, or an element inside it, has the focus. */
export function hasFocus(element: Element): boolean {
  const root = getRootNode(element);
  if (root instanceof Document) {
    const active = activeElementOf(root);
    // The body is the active element of a frame that never had the focus, too.
    return composedContains(element, active) && (active !== bodyOf(root) || root.hasFocus());
  }
  return root instanceof ShadowRoot && composedContains(element, shadowActiveElement(shadowHost(root)));
}

/** Returns true if an element of the document has the focus: keys go to it, and not to the page as a whole. */
export function hasFocusedElement(): boolean {
  const active = activeElementOf(document);
  return active !== null && active !== bodyOf(document) && active !== documentElement(document);
}
