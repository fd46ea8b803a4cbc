/**
 * Shadow trees, including closed ones. No script can read the closed root of an element; the service gets it over CDP
 * and passes it to the next observation.
 */

import {
  activeElementOf,
  bodyOf,
  composedContains,
  composedParent,
  documentElement,
  getRootNode,
  isShadowRoot,
  nodeType,
  openShadowRoot,
  shadowActiveElement,
} from '../../dom/domGetters.ts';
import { observation } from '../../dom/lifetimes.ts';

export function hasFocus(element: Element): boolean {
  const root = getRootNode(element);
  if (root instanceof Document) {
    const active = activeElementOf(root);
    // The body is the active element of a frame that never had the focus, too.
    return composedContains(element, active) && (active !== bodyOf(root) || root.hasFocus());
  }
  return root instanceof ShadowRoot && composedContains(element, shadowActiveElement(root.host));
}

/** Returns true if an element of the document has the focus: keys go to it, and not to the page as a whole. */
export function hasFocusedElement(): boolean {
  const active = activeElementOf(document);
  return active !== null && active !== bodyOf(document) && active !== documentElement(document);
}

const closedRoots = new WeakMap<Element, ShadowRoot>();

/**
 * Returns the shadow root of an element: an open one, or a closed one that the service has passed to an observation; null
 * if there is none. `findShadowRoot` in `injected/scrape` does the same for the scraper: it is another bundle, which has
 * its own state.
 */
export function shadowRootOf(element: Element): ShadowRoot | null {
  const root = openShadowRoot(element) ?? closedRoots.get(element) ?? null;
  if (root !== null) foundRoots().add(root);
  return root;
}

const foundRoots = observation.value(() => new Set<ShadowRoot>());

export const hasShadowTrees = (): boolean => foundRoots().size > 0;

export const foundShadowRoots = (): readonly ShadowRoot[] => [...foundRoots()];

/** Stores `node` if it is a closed shadow root, and the closed shadow roots around it, for `shadowRootOf`. */
export function addClosedRoots(node: Node): void {
  let root = nodeType(node) === Node.DOCUMENT_FRAGMENT_NODE ? node : getRootNode(node);
  while (isShadowRoot(root)) {
    const host = root.host;
    if (openShadowRoot(host) === null) closedRoots.set(host, root);
    if (composedParent(host) === null) return;
    root = getRootNode(host);
  }
}

/** Custom elements that an observation has reported to the service. Each is reported only once, even if it gets a closed tree later. */
const reportedHosts = new WeakSet<Element>();
/** Maximum number of custom elements that one observation reports as possible hosts of closed shadow trees. */
const MAX_CLOSED_HOSTS = 64;

/** Adds a custom element to `hosts` if it may have a closed shadow tree that the service has not requested yet. */
export function collectClosedHost(element: Element, tag: string, hosts: Element[]): void {
  if (!tag.includes('-') || hosts.length >= MAX_CLOSED_HOSTS || shadowRootOf(element) !== null) return;
  if (reportedHosts.has(element)) return;
  reportedHosts.add(element);
  hosts.push(element);
}
