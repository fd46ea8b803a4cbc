import { elementsFromPoint, getRootNode, isShadowRoot } from './domGetters.ts';

/** Returns the elements at a point of the viewport as the shadow tree of an element sees them: those of the tree, and of the trees around it. */
export function elementsFromPointAround(element: Element, x: number, y: number): readonly Element[] {
  const root = getRootNode(element);
  return isShadowRoot(root)
    ? ShadowRoot.prototype.elementsFromPoint.call(root, x, y)
    : elementsFromPoint(x, y);
}
