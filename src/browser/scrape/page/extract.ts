/** Reads the values that a plan names, on the flat copy of the visible page; where that has none, on the live document. */

import type { ExtractPlan } from '../../../domain/extractPlan.ts';
import type { Json } from '../../../domain/page.ts';
import type { ExtractAnswer } from '../answer.ts';
import { flatten } from './flatten.ts';
import { attribute, ownText, rootOf, selectIn } from './live.ts';
import { askedHosts } from './shadow.ts';
import { oneLine } from './weights.ts';

/** Items of one list, and values in all. */
const MOST_ITEMS = 1_000;
const MOST_VALUES = 20_000;
/** A value is cut after this many characters. */
const LONGEST_VALUE = 20_000;
/** Of all values together. Characters. */
const MOST_TEXT = 5_000_000;

interface Reader {
  /** The whole live document, for what is not visible: `meta`, attributes of hidden parts. */
  readonly hidden: Element | null;
  values: number;
  characters: number;
  cut: boolean;
}

export function extract(page: Document, plan: ExtractPlan): ExtractAnswer {
  const badSelectors = badSelectorsIn(plan);
  if (badSelectors.length > 0) return { badSelectors, value: null, hosts: 0, cut: false };
  const { document, cut } = flatten(page, { whole: true, onSeen: null });
  const reader = { hidden: rootOf(page), values: MOST_VALUES, characters: MOST_TEXT, cut };
  const value = valueAt(plan, document.body, reader);
  return { badSelectors, value, hosts: askedHosts(), cut: reader.cut };
}

/** Paths of the parts whose selector this browser does not take. */
function badSelectorsIn(plan: ExtractPlan): string[] {
  const inner = [
    ...plan.properties.map(({ plan: part }) => part),
    ...(plan.items === null ? [] : [plan.items]),
  ];
  const own = plan.selector === null || isSelector(plan.selector) ? [] : [plan.path];
  return [...own, ...inner.flatMap(badSelectorsIn)];
}

function isSelector(selector: string): boolean {
  try {
    new DocumentFragment().querySelector(selector);
    return true;
  } catch {
    return false;
  }
}

function valueAt(plan: ExtractPlan, scope: Element, reader: Reader): Json {
  if (plan.type === 'array') return listIn(plan, scope, reader);
  const found = elementFor(plan, scope, reader);
  if (plan.type === 'object') return found === null ? null : objectIn(plan, found, reader);
  if (found === null) return null;
  const words = wordsOf(plan, found);
  const kept = words?.slice(0, Math.min(LONGEST_VALUE, reader.characters)) ?? null;
  reader.characters -= kept?.length ?? 0;
  const fits = reader.values-- > 0 && (kept === null || kept.length === words?.length);
  if (!fits) reader.cut = true;
  return reader.values < 0 ? null : kept;
}

function objectIn(plan: ExtractPlan, element: Element, reader: Reader): Json {
  const value: Record<string, Json> = Object.create(null);
  for (const { name, plan: inner } of plan.properties) value[name] = valueAt(inner, element, reader);
  return value;
}

/** A list repeats its own selector, or its items'. */
function listIn(plan: ExtractPlan, scope: Element, reader: Reader): Json {
  const items = plan.items;
  if (items === null) return null;
  const elements = allFor(plan.selector ?? items.selector, scope, reader);
  const own = plan.selector === null ? { ...items, selector: null, label: null } : { ...items, label: null };
  if (elements.length > MOST_ITEMS) reader.cut = true;
  return elements.slice(0, MOST_ITEMS).map(element => valueAt(own, element, reader));
}

function elementFor(plan: ExtractPlan, scope: Element, reader: Reader): Element | null {
  if (plan.selector !== null) return allFor(plan.selector, scope, reader)[0] ?? null;
  // An object without a selector groups what stands in its parent.
  if (plan.type === 'object' || plan.label === null) return scope;
  return besideLabel(plan.label, scope);
}

function allFor(selector: string | null, scope: Element, reader: Reader): Element[] {
  if (selector === null) return [];
  const shown = [...scope.querySelectorAll(selector)];
  if (shown.length > 0 || reader.hidden === null || scope.localName !== 'body') return shown;
  return [...selectIn(reader.hidden, selector)];
}

function wordsOf(plan: ExtractPlan, element: Element): string | null {
  if (plan.attribute !== null) return attribute(element, plan.attribute);
  const held = HELD[element.localName];
  const value = held === undefined ? null : attribute(element, held);
  if (element.localName === 'input' && /^(checkbox|radio)$/.test(attribute(element, 'type') ?? ''))
    return String(element.hasAttribute('checked'));
  if (element.localName === 'select')
    return oneLine(element.querySelector('option[selected]')?.textContent ?? '');
  return value ?? oneLine(ownText(element) ?? '');
}

/** Elements whose value stands in an attribute. */
const HELD: Readonly<Record<string, string>> = {
  meta: 'content',
  input: 'value',
  data: 'value',
  meter: 'value',
  progress: 'value',
  img: 'src',
};

/** The value that stands beside a label: `dt`/`dd`, a row's header, a form's label, microdata, "Label: value". */
function besideLabel(label: string, scope: Element): Element | null {
  const wanted = normal(label);
  for (const item of scope.querySelectorAll('[itemprop]'))
    if (normal(attribute(item, 'itemprop') ?? '') === wanted) return item;
  for (const named of scope.querySelectorAll('dt,th,label,legend,strong,b,span,td,div,p')) {
    const text = named.textContent ?? '';
    if (text.length > 200 || normal(text) !== wanted) continue;
    const beside = valueOfLabel(named);
    if (beside !== null) return beside;
  }
  return null;
}

function valueOfLabel(label: Element): Element | null {
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
const normal = (label: string): string =>
  label
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[_\-\s:]+/g, ' ')
    .trim()
    .toLowerCase();
