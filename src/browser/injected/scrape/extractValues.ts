/** Reads the values that a plan names, on the flat copy of the visible page; where that has none, on the live document. */

import type { ExtractPlan } from '../../../domain/extractPlan.ts';
import type { Json } from '../../../domain/json.ts';
import { flatten } from './flatten.ts';
import { attribute, ownText, rootOf, selectIn } from './liveDom.ts';
import type { ExtractResponse } from './scraperProtocol.ts';
import { takeRequestedHosts } from './shadowRoots.ts';
import { collapseWhitespace } from './textStats.ts';

/** Items of one list, and values in all. */
const MAX_ITEMS = 1_000;
const MAX_VALUES = 20_000;
/** A value is cut after this many characters. */
const MAX_VALUE_CHARACTERS = 20_000;
/** Of all values together. Characters. */
const MAX_TOTAL_CHARACTERS = 5_000_000;

interface ExtractState {
  /** The whole live document, for what is not visible: `meta`, attributes of hidden parts. */
  readonly liveRoot: Element | null;
  remainingValues: number;
  remainingCharacters: number;
  truncated: boolean;
}

export function extractValues(page: Document, plan: ExtractPlan): ExtractResponse {
  const badSelectors = findInvalidSelectors(plan);
  if (badSelectors.length > 0)
    return { invalidSelectors: badSelectors, value: null, closedRootHosts: 0, truncated: false };
  const { document, truncated } = flatten(page, { fullPage: true, onVisible: null });
  const reader = {
    liveRoot: rootOf(page),
    remainingValues: MAX_VALUES,
    remainingCharacters: MAX_TOTAL_CHARACTERS,
    truncated,
  };
  const value = readValue(plan, document.body, reader);
  return {
    invalidSelectors: badSelectors,
    value,
    closedRootHosts: takeRequestedHosts(),
    truncated: reader.truncated,
  };
}

/** Paths of the parts whose selector this browser does not take. */
function findInvalidSelectors(plan: ExtractPlan): string[] {
  const inner = [
    ...plan.properties.map(({ plan: part }) => part),
    ...(plan.items === null ? [] : [plan.items]),
  ];
  const own = plan.selector === null || isValidSelector(plan.selector) ? [] : [plan.path];
  return [...own, ...inner.flatMap(findInvalidSelectors)];
}

function isValidSelector(selector: string): boolean {
  try {
    new DocumentFragment().querySelector(selector);
    return true;
  } catch {
    return false;
  }
}

function readValue(plan: ExtractPlan, scope: Element, reader: ExtractState): Json {
  if (plan.type === 'array') return readList(plan, scope, reader);
  const found = findElement(plan, scope, reader);
  if (plan.type === 'object') return found === null ? null : readObject(plan, found, reader);
  if (found === null) return null;
  const words = readText(plan, found);
  const kept = words?.slice(0, Math.min(MAX_VALUE_CHARACTERS, reader.remainingCharacters)) ?? null;
  reader.remainingCharacters -= kept?.length ?? 0;
  const fits = reader.remainingValues-- > 0 && (kept === null || kept.length === words?.length);
  if (!fits) reader.truncated = true;
  return reader.remainingValues < 0 ? null : kept;
}

function readObject(plan: ExtractPlan, element: Element, reader: ExtractState): Json {
  const value: Record<string, Json> = Object.create(null);
  for (const { name, plan: inner } of plan.properties) value[name] = readValue(inner, element, reader);
  return value;
}

/** A list repeats its own selector, or its items'. */
function readList(plan: ExtractPlan, scope: Element, reader: ExtractState): Json {
  const items = plan.items;
  if (items === null) return null;
  const elements = findAll(plan.selector ?? items.selector, scope, reader);
  const own = plan.selector === null ? { ...items, selector: null, label: null } : { ...items, label: null };
  if (elements.length > MAX_ITEMS) reader.truncated = true;
  return elements.slice(0, MAX_ITEMS).map(element => readValue(own, element, reader));
}

function findElement(plan: ExtractPlan, scope: Element, reader: ExtractState): Element | null {
  if (plan.selector !== null) return findAll(plan.selector, scope, reader)[0] ?? null;
  // An object without a selector groups what stands in its parent.
  if (plan.type === 'object' || plan.label === null) return scope;
  return findByLabel(plan.label, scope);
}

function findAll(selector: string | null, scope: Element, reader: ExtractState): Element[] {
  if (selector === null) return [];
  const shown = [...scope.querySelectorAll(selector)];
  if (shown.length > 0 || reader.liveRoot === null || scope.localName !== 'body') return shown;
  return [...selectIn(reader.liveRoot, selector)];
}

function readText(plan: ExtractPlan, element: Element): string | null {
  if (plan.attribute !== null) return attribute(element, plan.attribute);
  const held = VALUE_ATTRIBUTES[element.localName];
  const value = held === undefined ? null : attribute(element, held);
  if (element.localName === 'input' && /^(checkbox|radio)$/.test(attribute(element, 'type') ?? ''))
    return String(element.hasAttribute('checked'));
  if (element.localName === 'select')
    return collapseWhitespace(element.querySelector('option[selected]')?.textContent ?? '');
  return value ?? collapseWhitespace(ownText(element) ?? '');
}

/** Elements whose value stands in an attribute. */
const VALUE_ATTRIBUTES: Readonly<Record<string, string>> = {
  meta: 'content',
  input: 'value',
  data: 'value',
  meter: 'value',
  progress: 'value',
  img: 'src',
};

/** The value that stands beside a label: `dt`/`dd`, a row's header, a form's label, microdata, "Label: value". */
function findByLabel(label: string, scope: Element): Element | null {
  const wanted = normalizeLabel(label);
  for (const item of scope.querySelectorAll('[itemprop]'))
    if (normalizeLabel(attribute(item, 'itemprop') ?? '') === wanted) return item;
  for (const named of scope.querySelectorAll('dt,th,label,legend,strong,b,span,td,div,p')) {
    const text = named.textContent ?? '';
    if (text.length > 200 || normalizeLabel(text) !== wanted) continue;
    const beside = elementLabelledBy(named);
    if (beside !== null) return beside;
  }
  return null;
}

function elementLabelledBy(label: Element): Element | null {
  if (label.localName === 'label') {
    const target = attribute(label, 'for');
    const control = target === null ? null : label.ownerDocument.getElementById(target);
    if (control !== null) return control;
    const inside = label.querySelector('input,select,textarea');
    if (inside !== null) return inside;
  }
  return label.nextElementSibling;
}

/** `productName`, `Product name:` and `product_name` are one label. */
const normalizeLabel = (label: string): string =>
  label
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[_\-\s:]+/g, ' ')
    .trim()
    .toLowerCase();
