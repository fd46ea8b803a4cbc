/** Finds shadow roots: open ones directly, closed ones after the host has added them. */

import { openShadowRoot } from '../../dom/domGetters.ts';
import { documentState } from '../../dom/lifetimes.ts';

/** Maximum number of elements per scrape whose closed root is requested: each takes a round trip, although all are sent at once. */
const MAX_REQUESTED_HOSTS = 64;

const hosts = documentState.value(() => ({
  closedRoots: new WeakMap<Element, ShadowRoot>(),
  requested: new Set<Element>(),
  /** Those requested since the last `takeRequestedHosts`, and those that it counted. */
  pending: [] as Element[],
  taken: [] as readonly Element[],
}));

/**
 * Returns the shadow root of an element: an open one, or a closed one that the host has added. The bundle
 * `agent` has its own function (injected/perceive/shadowRootOf.ts), because each bundle keeps its own closed roots.
 */
export const findShadowRoot = (element: Element): ShadowRoot | null =>
  openShadowRoot(element) ?? hosts().closedRoots.get(element) ?? null;

/** Forgets which elements were requested. Call it at the start of a scrape: the page may have attached roots since the last one. */
export function resetRequestedHosts(): void {
  const state = hosts();
  state.requested.clear();
  state.pending = [];
}

/**
 * Records an element, so that the host searches for its closed root, once per scrape. Ignores elements that are not
 * custom elements: they are many and rarely have one.
 * @param name local name of the element
 */
export function requestClosedRoot(element: Element, name: string): void {
  if (!name.includes('-')) return;
  const { requested, pending } = hosts();
  if (requested.size >= MAX_REQUESTED_HOSTS || requested.has(element)) return;
  requested.add(element);
  pending.push(element);
}

/** Returns the number of elements that `requestClosedRoot` has recorded since the last call. `closedHost` returns each of them. */
export function takeRequestedHosts(): number {
  const state = hosts();
  state.taken = state.pending;
  state.pending = [];
  return state.taken.length;
}

/** Returns one of the elements that the last `takeRequestedHosts` counted; null if there is no such index. */
export const closedHost = (index: number): Element | null => hosts().taken[index] ?? null;

/** Adds closed roots; `findShadowRoot` returns them from now on. */
export function addClosedRoots(roots: readonly ShadowRoot[]): void {
  for (const root of roots) hosts().closedRoots.set(root.host, root);
}
