/**
 * Shadow trees, closed ones included. No script can ask an element for its closed root; the service gets the roots over CDP
 * and passes them to the next observation.
 */
import {
  composedParent,
  getRootNode,
  isShadowRoot,
  nodeType,
  openShadowRoot,
  shadowHost,
} from '../dom/domGetters.ts';

const closedRoots = new WeakMap<Element, ShadowRoot>();

/** The shadow root of an element: open, or closed if it is known. */
export const shadowRootOf = (element: Element): ShadowRoot | null =>
  openShadowRoot(element) ?? closedRoots.get(element) ?? null;

/** Remembers the closed roots that `node` is or lies in. */
export function rememberClosedRoots(node: Node): void {
  let root = nodeType(node) === Node.DOCUMENT_FRAGMENT_NODE ? node : getRootNode(node);
  while (isShadowRoot(root)) {
    const host = shadowHost(root);
    if (openShadowRoot(host) === null) closedRoots.set(host, root);
    if (composedParent(host) === null) return;
    root = getRootNode(host);
  }
}

/** Custom elements that were reported once. One that has no closed tree then is not reported again. */
const reportedHosts = new WeakSet<Element>();
/** Elements reported by one observation. */
const MAX_CLOSED_HOSTS = 64;

/** Adds a custom element to `hosts` if it may have a closed shadow tree that the service has not looked for yet. */
export function collectClosedHost(element: Element, tag: string, hosts: Element[]): void {
  if (!tag.includes('-') || hosts.length >= MAX_CLOSED_HOSTS || shadowRootOf(element) !== null) return;
  if (reportedHosts.has(element)) return;
  reportedHosts.add(element);
  hosts.push(element);
}
