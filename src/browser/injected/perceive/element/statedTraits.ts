/**
 * Keeps the traits that custom elements state only to the browser (`ElementInternals`), where no script can read them: the service reads
 * them over CDP and passes them to the next observation.
 */
import { getAttribute, queryFragment } from '../../dom/domGetters.ts';
import type { StatedTraits } from '../wireFormat.ts';
import { shadowRootOf } from './shadowRootOf.ts';

/** Maximum number of custom elements that one observation reports. */
const MAX_HOSTS = 32;
const CONTROLS = 'input, button, select, textarea, a[href], [tabindex], [role]';

/** The traits of the reported elements; null for one that states no role, which is not reported again. */
const traits = new WeakMap<Element, StatedTraits | null>();
let reported: readonly Element[] = [];

/** Returns what a custom element states to the browser; null if that is nothing, or not known. */
export const statedTraits = (element: Element): StatedTraits | null => traits.get(element) ?? null;

/** Adds a custom element to `hosts` if it takes the focus itself and nothing that a script can read says what it is. */
export function collectStatedHost(element: Element, tag: string, hosts: Element[]): void {
  if (!tag.includes('-') || hosts.length >= MAX_HOSTS || traits.get(element) === null) return;
  const tabindex = getAttribute(element, 'tabindex');
  if (tabindex === null || Number(tabindex) < 0) return;
  const root = shadowRootOf(element);
  if (root === null || queryFragment(root, CONTROLS) === null) hosts.push(element);
}

/** Stores the elements that an observation reports, for `statedHost` and `rememberStatedTraits`. */
export function reportStatedHosts(hosts: readonly Element[]): void {
  reported = hosts;
}

/** Returns a custom element that the last observation reported, by its index; null if there is none. */
export const statedHost = (index: number): Element | null => reported[index] ?? null;

/** Stores what the elements that the last observation reported state, in their order. */
export function rememberStatedTraits(stated: readonly (StatedTraits | null)[]): void {
  stated.forEach((one, index) => {
    const host = reported[index];
    if (host !== undefined) traits.set(host, one);
  });
}
