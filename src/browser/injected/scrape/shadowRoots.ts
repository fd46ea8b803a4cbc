/** Shadow roots: open ones directly, closed ones after the host has found them. */
import { openShadowRoot } from '../dom/domGetters.ts';

/** Per scrape: each request is a round trip, though all are sent at once. */
const MAX_REQUESTED_HOSTS = 64;

const closedRoots = new WeakMap<Element, ShadowRoot>();
const requested = new Set<Element>();
let pending: Element[] = [];

/** The shadow root of an element: an open one, or a closed one that the host has added. */
export const findShadowRoot = (element: Element): ShadowRoot | null =>
  openShadowRoot(element) ?? closedRoots.get(element) ?? null;

/** Call at the start of a scrape: roots may have been attached since the last one. */
export function resetRequestedHosts(): void {
  requested.clear();
  pending = [];
}

/**
 * Requests the closed root of an element, once per scrape. Only of custom elements: others are many and rarely have one.
 * @param name local name of the element
 */
export function requestClosedRoot(element: Element, name: string): void {
  if (!name.includes('-') || requested.size >= MAX_REQUESTED_HOSTS || requested.has(element)) return;
  requested.add(element);
  pending.push(element);
}

/** Returns the number of elements requested since the last call. `closedHost` returns each of them. */
export function takeRequestedHosts(): number {
  takenHosts = pending;
  pending = [];
  return takenHosts.length;
}
let takenHosts: readonly Element[] = [];

/** One of the elements that `takeRequestedHosts` counted last. */
export const closedHost = (index: number): Element | null => takenHosts[index] ?? null;

/** Adds closed roots; `findShadowRoot` returns them from now on. */
export function addClosedRoots(roots: readonly ShadowRoot[]): void {
  for (const root of roots) closedRoots.set(root.host, root);
}
