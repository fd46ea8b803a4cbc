/** Custom elements that state their role and state only to the browser (`ElementInternals`): the service reads them over CDP. */

import { around, WIDGET_LEVELS } from '../../dom/around.ts';
import {
  composedParent,
  elementById,
  getAttribute,
  getRootNode,
  hasAttribute,
  isShadowRoot,
  localName,
  matches,
  queryDocument,
  queryFragment,
  queryIn,
} from '../../dom/domGetters.ts';
import { documentState } from '../../dom/lifetimes.ts';
import { NATIVE_CONTROLS } from '../../dom/vocabulary.ts';
import type { StatedTraits } from '../wireFormat.ts';
import { shadowRootOf } from './shadowRootOf.ts';

/** Maximum number of custom elements that one observation reports. Each costs two requests. */
const MAX_HOSTS = 256;
const INNER_CONTROLS = `${NATIVE_CONTROLS}, [tabindex], [role]`;

/** The traits of the reported elements; null for one that states no role, which is not reported again. */
const traits = new WeakMap<Element, StatedTraits | null>();
/** The elements that the last observation reported; the tags of which elements state a role; the number of elements of a tag that state none. */
const report = documentState.value(() => ({
  hosts: [] as readonly Element[],
  stating: new Set<string>(),
  silent: new Map<string, number>(),
}));
/** Number of elements out of the tab order after which no more of a tag are reported: the class of a custom element sets its role. */
const MAX_SILENT = 4;

/** Returns what a custom element states to the browser; null if that is nothing, or not known. */
export const statedTraits = (element: Element): StatedTraits | null => traits.get(element) ?? null;

/** Returns true for a rendered custom element that may be one control, and whose role no script can read. */
export function mayStateRole(element: Element, tag: string): boolean {
  if (!tag.includes('-') || traits.get(element) === null || !matches(element, ':defined')) return false;
  const root = shadowRootOf(element);
  if (root !== null && queryFragment(root, INNER_CONTROLS) !== null) return false;
  return hasAttribute(element, 'tabindex') || queryIn(element, INNER_CONTROLS) === null;
}

/** Stores the elements to report, those without known traits first. @returns their number, and that of those without known traits */
export function reportStatedHosts(found: readonly Element[]): {
  statedHosts: number;
  newStatedHosts: number;
} {
  const silent = new Map(report().silent);
  const mayState = (host: Element): boolean => {
    const tag = localName(host);
    if (hasAttribute(host, 'tabindex') || report().stating.has(tag)) return true;
    silent.set(tag, (silent.get(tag) ?? 0) + 1);
    return (silent.get(tag) ?? 0) <= MAX_SILENT;
  };
  const unknown = found.filter(host => !traits.has(host) && mayState(host));
  const hosts = [...unknown, ...found.filter(host => traits.has(host))].slice(0, MAX_HOSTS);
  report().hosts = hosts;
  return { statedHosts: hosts.length, newStatedHosts: Math.min(unknown.length, MAX_HOSTS) };
}

export const statedHost = (index: number): Element | null => report().hosts[index] ?? null;

/** Stores what the elements that the last observation reported state, in their order. */
export function readStatedTraits(stated: readonly (StatedTraits | null)[]): void {
  const { hosts, stating, silent } = report();
  stated.forEach((one, index) => {
    const host = hosts[index];
    if (host === undefined) return;
    const tag = localName(host);
    if (one !== null) stating.add(tag);
    else silent.set(tag, (silent.get(tag) ?? 0) + 1);
    traits.set(host, one);
  });
}

/** Returns the role that a custom element states to the browser; null if it states none, or that is not known yet. */
export const roleOfCustomElement = (element: Element, tag: string): string | null =>
  tag.includes('-') ? (statedTraits(element)?.role ?? null) : null;

/** Returns whether a custom element is checked; null if neither the browser nor an attribute says it. */
export const isCustomChecked = (element: Element): boolean | null =>
  statedTraits(element)?.checked ?? (hasAttribute(element, 'checked') ? true : null);

/** Returns the label of a custom element, or of the one whose shadow tree contains the element; null if it has none. */
export function labelOfHost(element: Element): Element | null {
  const root = getRootNode(element);
  const host = localName(element).includes('-') ? element : isShadowRoot(root) ? root.host : null;
  if (host === null) return null;
  const id = getAttribute(host, 'id');
  const named = id === null ? null : labelFor(host, id);
  if (named !== null) return named;
  for (const at of around(composedParent(host), WIDGET_LEVELS)) if (localName(at) === 'label') return at;
  return null;
}

const labelFor = (host: Element, id: string): Element | null =>
  elementById(host, id) === host ? queryDocument(document, `label[for="${CSS.escape(id)}"]`) : null;
