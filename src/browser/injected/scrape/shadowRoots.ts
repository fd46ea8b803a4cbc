/** Finds shadow roots: open ones directly, closed ones after the host has added them. */
import { openShadowRoot } from '../dom/domGetters.ts';

/** Maximum number of requests per scrape: each request is a round trip, although all are sent at once. */
const MAX_REQUESTED_HOSTS = 64;

const closedRoots = new WeakMap<Element, ShadowRoot>();
const requested = new Set<Element>();
let pending: Element[] = [];

/** Returns the shadow root of an element: an open one, or a closed one that the host has added. */
export const findShadowRoot = (element: Element): ShadowRoot | null =>
  openShadowRoot(element) ?? closedRoots.get(element) ?? null;

/** Call it at the start of a scrape: the page may have attached roots since the last one. */
export function resetRequestedHosts(): void {
  requested.clear();
  pending = [];
}

/**
 * Requests the closed root of an element, once per scrape. Only custom elements are requested: others are many and
 * rarely have one.
 * @param name local name of the element
 */
export function requestClosedRoot(element: Element, name: string): void {
  if (!name.includes('-') || requested.size >= MAX_REQUESTED_HOSTS || requested.has(element)) return;
  requested.add(element);
  pending.push(element);
}

/** Returns the number of elements that were requested since the last call. `closedHost` returns each of them. */
export function takeRequestedHosts(): number {
  takenHosts = pending;
  pending = [];
  return takenHosts.length;
}
let takenHosts: readonly Element[] = [];

/** Returns one of the elements that the last `takeRequestedHosts` counted. */
export const closedHost = (index: number): Element | null => takenHosts[index] ?? null;

/** Adds closed roots; `findShadowRoot` returns them from now on. */
export function addClosedRoots(roots: readonly ShadowRoot[]): void {
  for (const root of roots) closedRoots.set(root.host, root);
}
