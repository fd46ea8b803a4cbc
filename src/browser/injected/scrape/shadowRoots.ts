/** Shadow trees: open ones by themselves, closed ones once the host has handed them over. */
import { shadowRootOf } from './liveDom.ts';

/** Elements that Chromium is asked about in one scrape: each is a round trip, though all go at once. */
const MAX_REQUESTED_HOSTS = 64;

const closedRoots = new WeakMap<Element, ShadowRoot>();
const requested = new Set<Element>();
let pending: Element[] = [];

/** The shadow tree of an element, open or (where it is known) closed. */
export const findShadowRoot = (element: Element): ShadowRoot | null =>
  shadowRootOf(element) ?? closedRoots.get(element) ?? null;

/** A new scrape: a tree may have been attached since the last one. */
export function resetRequestedHosts(): void {
  requested.clear();
  pending = [];
}

/**
 * Notes an element that may have a closed tree which nobody has looked for in this scrape.
 * @param name its local name. Others than custom elements are many and hardly ever have one.
 */
export function requestClosedRoot(element: Element, name: string): void {
  if (!name.includes('-') || requested.size >= MAX_REQUESTED_HOSTS || requested.has(element)) return;
  requested.add(element);
  pending.push(element);
}

/** How many were noted since it was last asked; `closedHost` then gives them. */
export function takeRequestedHosts(): number {
  takenHosts = pending;
  pending = [];
  return takenHosts.length;
}
let takenHosts: readonly Element[] = [];

/** One of the elements that `askedHosts` counted. */
export const closedHost = (index: number): Element | null => takenHosts[index] ?? null;

/** Takes closed trees over. */
export function addClosedRoots(roots: readonly ShadowRoot[]): void {
  for (const root of roots) closedRoots.set(root.host, root);
}
