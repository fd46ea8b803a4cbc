/**
 * Reads custom elements that state their role and state only to the browser (`ElementInternals`), where no script can read them:
 * by the last words of their name and by the states that selectors see.
 */

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
  shadowHost,
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

/** The roles that the last words of a tag name state: `md-radio`, `fluent-menu-item`. */
const ROLE_BY_SUFFIX: ReadonlyArray<readonly [string, string]> = [
  ['-switch', 'switch'],
  ['-toggle', 'switch'],
  ['-checkbox', 'checkbox'],
  ['-radio', 'radio'],
  ['-slider', 'slider'],
  ['-menu-item', 'menuitem'],
  ['-option', 'option'],
  ['-tab', 'tab'],
];
const MARKED_CONTROLS = `${NATIVE_CONTROLS}, [role]:not([role=presentation], [role=none])`;

/** Returns the role of a custom element that is focused itself and has no control inside; null if its name states none. */
export function roleOfCustomElement(element: Element, tag: string): string | null {
  if (!tag.includes('-') || !hasAttribute(element, 'tabindex')) return null;
  const stated = statedTraits(element);
  if (stated !== null) return stated.role;
  const role = ROLE_BY_SUFFIX.find(([suffix]) => tag.endsWith(suffix))?.[1];
  if (role === undefined) return null;
  const root = shadowRootOf(element);
  return root !== null && queryFragment(root, MARKED_CONTROLS) !== null ? null : role;
}

/** Returns whether a custom element is checked, as its states or the parts of its shadow tree say; null if they do not say it. */
export function isCustomChecked(element: Element): boolean | null {
  if (!localName(element).includes('-')) return null;
  const stated = statedTraits(element);
  if (stated !== null) return stated.checked;
  if (hasAttribute(element, 'checked') || hasState(element, 'checked')) return true;
  const root = shadowRootOf(element);
  if (root === null) return null;
  return queryFragment(root, '.checked, .selected') !== null;
}

function hasState(element: Element, state: string): boolean {
  try {
    return matches(element, `:state(${state})`);
  } catch {
    return false;
  }
}

/** Returns the label of a custom element, or of the one whose shadow tree contains the element; null if it has none. */
export function labelOfHost(element: Element): Element | null {
  const root = getRootNode(element);
  const host = localName(element).includes('-') ? element : isShadowRoot(root) ? shadowHost(root) : null;
  if (host === null) return null;
  const id = getAttribute(host, 'id');
  const named = id === null ? null : labelFor(host, id);
  if (named !== null) return named;
  for (const at of around(composedParent(host), WIDGET_LEVELS)) if (localName(at) === 'label') return at;
  return null;
}

const labelFor = (host: Element, id: string): Element | null =>
  elementById(host, id) === host ? queryDocument(document, `label[for="${CSS.escape(id)}"]`) : null;
