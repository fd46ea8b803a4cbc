/** Assigns keys: numbers that identify listed elements during the life of the document. */

import { isConnected } from '../dom/domGetters.ts';
import { documentState } from '../dom/lifetimes.ts';

/** Recognizes names that have grown or shrunk while they name the same thing: `Inbox` and `Inbox (3)`. */

/** A name of fewer characters is no part of another one: `1` and `1 of 10` are different things. */
const MIN_GROWING_NAME = 4;
/** A number in brackets at the end of a name counts what the thing contains. */
const COUNT_AT_END = /\s*[([]\s*\d[\d.,\s]*\+?\s*[)\]]$/;

/** Returns true if one name is the other one with more words before or after it, or both differ only in a number in brackets at their end. */
export function isGrownName(before: string, now: string): boolean {
  const [a, b] = [before, now].map(name => name.replace(COUNT_AT_END, '').trim());
  if (a === undefined || b === undefined || a === '' || b === '') return false;
  if (a === b) return true;
  const [shorter, longer] = a.length < b.length ? [a, b] : [b, a];
  return shorter.length >= MIN_GROWING_NAME && ` ${longer} `.includes(` ${shorter} `);
}

/** Returns true if two fingerprints differ only in the name, and one name has grown from the other. */
export function isGrownFingerprint(before: string, now: string): boolean {
  const [a, b] = [before.split('|'), now.split('|')];
  if (a.length !== b.length || a.some((part, index) => index !== 1 && part !== b[index])) return false;
  return isGrownName(a[1] ?? '', b[1] ?? '');
}

/** Returns true if each quotation in one text is equal to that in the other or has grown, and the words around them are equal. */
export function haveGrownQuotations(before: string, now: string): boolean {
  const [a, b] = [before.split('"'), now.split('"')];
  return (
    before !== now &&
    a.length === b.length &&
    a.every((part, index) => part === b[index] || (index % 2 === 1 && isGrownName(part, b[index] ?? '')))
  );
}

/** The strings by which a listed element is compared with the elements of the previous observation. */
export interface ElementIdentity {
  /** Role, name, tag, type and target of the element as one string. Several elements can have the same one. */
  readonly fingerprint: string;
  /** The fingerprint, the category and the distinguishing text as one string. Usually no other element has the same one. */
  readonly identity: string;
}

interface KeyedElement extends ElementIdentity {
  readonly element: WeakRef<Element>;
}

const keys = new WeakMap<Element, number>();
const byKey = new Map<number, KeyedElement>();
const assignment = documentState.value(() => ({ lastListed: [] as readonly number[], highest: 0 }));

/** Returns the key of each listed element: its own, else that of the removed one that it replaces, else the next number. */
export function assignKeys(listed: ReadonlyArray<ElementIdentity & { readonly element: Element }>): number[] {
  const given = assignment();
  const rekeyed = findRekeyedElements(listed);
  const assigned = listed.map(({ element, fingerprint, identity }) => {
    const key = keys.get(element) ?? rekeyed.get(element) ?? ++given.highest;
    keys.set(element, key);
    byKey.set(key, { element: new WeakRef(element), fingerprint, identity });
    return key;
  });
  given.lastListed = assigned;
  return assigned;
}

/** Finds the elements that replace removed ones: of the same unique identity, and at the same place among their likes or in the same row. */
function findRekeyedElements(
  listed: ReadonlyArray<ElementIdentity & { readonly element: Element }>,
): ReadonlyMap<Element, number> {
  const rekeyed = new Map<Element, number>();
  const { lastListed } = assignment();
  const removed = lastListed.filter(key => elementByKey(key) === null);
  if (removed.length === 0) return rekeyed;
  const before = positions(lastListed.map(key => byKey.get(key) ?? { fingerprint: '', identity: '' }));
  const now = positions(listed);
  const positionOfKey = new Map(lastListed.map((key, index) => [key, before[index]] as const));
  const removedByIdentity = new Map<string, number>();
  for (const key of removed) {
    const position = positionOfKey.get(key);
    if (position?.isUnique) removedByIdentity.set(position.identity, key);
  }
  listed.forEach(({ element, identity }, index) => {
    if (keys.has(element)) return;
    const key = removedByIdentity.get(identity);
    const old = key === undefined ? undefined : positionOfKey.get(key);
    const position = now[index];
    if (key === undefined || old === undefined || position?.isUnique !== true) return;
    if (old.nth === position.nth || IN_ROW.test(identity)) rekeyed.set(element, key);
  });
  rekeyGrownNames(listed, lastListed, removed, rekeyed);
  return rekeyed;
}

/** Adds new elements between the same neighbours whose name, or that of their row, has grown or shrunk: `Cart` → `Cart (1)`. */
function rekeyGrownNames(
  listed: ReadonlyArray<ElementIdentity & { readonly element: Element }>,
  lastListed: readonly number[],
  removed: readonly number[],
  rekeyed: Map<Element, number>,
): void {
  const found = new Set(rekeyed.values());
  const gone = new Set(removed.filter(key => !found.has(key)));
  if (gone.size === 0) return;
  const keyNow = ({ element }: { readonly element: Element }) => keys.get(element) ?? rekeyed.get(element);
  const goneRuns = runsBetween(lastListed, key => (gone.has(key) ? null : key));
  for (const [neighbours, added] of runsBetween(listed, one => keyNow(one) ?? null)) {
    const before = goneRuns.get(neighbours);
    if (before === undefined || before.length * added.length > MAX_COMPARISONS) continue;
    const old = before.map(key => ({ key, ...(byKey.get(key) ?? NO_IDENTITY) }));
    for (const one of added) {
      const [from, second] = old.filter(other => hasGrown(other, one));
      if (from === undefined || second !== undefined) continue;
      if (added.filter(other => hasGrown(from, other)).length === 1) rekeyed.set(one.element, from.key);
    }
  }
}

/** Matches an identity with the title of a row, and without a number that counts the elements of a row. */
const IN_ROW = /\|in "[^"]*\p{L}[^"]*"(?:, column "[^"]*")?$/u;

/** Maximum number of comparisons between the removed and the new elements at one place. */
const MAX_COMPARISONS = 2_500;
const NO_IDENTITY: ElementIdentity = { fingerprint: '', identity: '' };

function runsBetween<T>(items: readonly T[], keyOf: (item: T) => number | null): Map<string, readonly T[]> {
  const runs = new Map<string, readonly T[]>();
  let run: T[] = [];
  let before: number | null = null;
  const end = (after: number | null) => {
    if (run.length > 0) runs.set(`${before} ${after}`, run);
    run = [];
    before = after;
  };
  for (const item of items) {
    const key = keyOf(item);
    if (key === null) run.push(item);
    else end(key);
  }
  end(null);
  return runs;
}

/** Returns true if an element can be another one whose name, or that of its row, has grown or shrunk. */
const hasGrown = (before: ElementIdentity, now: ElementIdentity): boolean =>
  before.fingerprint === now.fingerprint
    ? haveGrownQuotations(before.identity, now.identity)
    : isGrownFingerprint(before.fingerprint, now.fingerprint);

interface Position {
  readonly identity: string;
  /** True when no other listed element has this identity. */
  readonly isUnique: boolean;
  readonly nth: number;
}

function positions(list: readonly ElementIdentity[]): Position[] {
  const identities = new Map<string, number>();
  for (const { identity } of list) identities.set(identity, (identities.get(identity) ?? 0) + 1);
  const fingerprints = new Map<string, number>();
  return list.map(({ fingerprint, identity }) => {
    const nth = fingerprints.get(fingerprint) ?? 0;
    fingerprints.set(fingerprint, nth + 1);
    return { identity, isUnique: identities.get(identity) === 1, nth };
  });
}

export function elementByKey(key: number): Element | null {
  const element = byKey.get(key)?.element.deref();
  return element !== undefined && isConnected(element) ? element : null;
}

export const keyOfElement = (element: Element): number | null => keys.get(element) ?? null;
