/** Shadow trees: open ones by themselves, closed ones once the host has handed them over. */
import { shadowRootOf } from './live.ts';

/** Elements that Chromium is asked about in one scrape: each is a round trip, though all go at once. */
const MOST_ASKED = 64;

const closed = new WeakMap<Element, ShadowRoot>();
const asked = new Set<Element>();
let noted: Element[] = [];

/** The shadow tree of an element, open or (where it is known) closed. */
export const shadowTreeOf = (element: Element): ShadowRoot | null =>
  shadowRootOf(element) ?? closed.get(element) ?? null;

/** A new scrape: a tree may have been attached since the last one. */
export function askAnew(): void {
  asked.clear();
  noted = [];
}

/**
 * Notes an element that may have a closed tree which nobody has looked for in this scrape.
 * @param name its local name. Others than custom elements are many and hardly ever have one.
 */
export function noteHost(element: Element, name: string): void {
  if (!name.includes('-') || asked.size >= MOST_ASKED || asked.has(element)) return;
  asked.add(element);
  noted.push(element);
}

/** How many were noted since it was last asked; `closedHost` then gives them. */
export function askedHosts(): number {
  hosts = noted;
  noted = [];
  return hosts.length;
}
let hosts: readonly Element[] = [];

/** One of the elements that `askedHosts` counted. */
export const closedHost = (index: number): Element | null => hosts[index] ?? null;

/** Takes closed trees over. */
export function adoptRoots(roots: readonly ShadowRoot[]): void {
  for (const root of roots) closed.set(root.host, root);
}
