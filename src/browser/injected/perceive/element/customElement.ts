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
  queryDocument,
  queryFragment,
} from '../../dom/domGetters.ts';
import { documentState } from '../../dom/lifetimes.ts';
import { NATIVE_CONTROLS } from '../../dom/vocabulary.ts';
import type { StatedTraits } from '../wireFormat.ts';
import { shadowRootOf } from './shadowRootOf.ts';

/** Maximum number of custom elements that one observation reports. */
const MAX_HOSTS = 32;
const INNER_CONTROLS = `${NATIVE_CONTROLS}, [tabindex], [role]`;

/** The traits of the reported elements; null for one that states no role, which is not reported again. */
const traits = new WeakMap<Element, StatedTraits | null>();
const report = documentState.value(() => ({ hosts: [] as readonly Element[] }));

/** Returns what a custom element states to the browser; null if that is nothing, or not known. */
export const statedTraits = (element: Element): StatedTraits | null => traits.get(element) ?? null;

/** Adds a custom element to `hosts` if it takes the focus itself and nothing that a script can read says what it is. */
export function collectStatedHost(element: Element, tag: string, hosts: Element[]): void {
  if (!tag.includes('-') || hosts.length >= MAX_HOSTS || traits.get(element) === null) return;
  const tabindex = getAttribute(element, 'tabindex');
  if (tabindex === null || Number(tabindex) < 0) return;
  const root = shadowRootOf(element);
  if (root === null || queryFragment(root, INNER_CONTROLS) === null) hosts.push(element);
}

export function reportStatedHosts(hosts: readonly Element[]): void {
  report().hosts = hosts;
}

export const statedHost = (index: number): Element | null => report().hosts[index] ?? null;

/** Stores what the elements that the last observation reported state, in their order. */
export function readStatedTraits(stated: readonly (StatedTraits | null)[]): void {
  stated.forEach((one, index) => {
    const host = report().hosts[index];
    if (host !== undefined) traits.set(host, one);
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
