/** Assigns keys: numbers that identify listed elements during the life of the document. */
import { isConnected } from '../dom/domGetters.ts';

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
let lastListed: readonly number[] = [];
let highestKey = 0;

/**
 * Returns a key for each element: its existing key, else the key of the removed element that it replaces, else the next
 * free number.
 * @param listed the elements that are listed now, in document order
 */
export function assignKeys(listed: ReadonlyArray<ElementIdentity & { readonly element: Element }>): number[] {
  const rekeyed = findRekeyedElements(listed);
  const assigned = listed.map(({ element, fingerprint, identity }) => {
    const key = keys.get(element) ?? rekeyed.get(element) ?? ++highestKey;
    keys.set(element, key);
    byKey.set(key, { element: new WeakRef(element), fingerprint, identity });
    return key;
  });
  lastListed = assigned;
  return assigned;
}

/**
 * Finds new elements that replace a removed element after a re-render: both have the same identity, which no other
 * element had or has, and the same number of elements with their fingerprint before them.
 */
function findRekeyedElements(
  listed: ReadonlyArray<ElementIdentity & { readonly element: Element }>,
): ReadonlyMap<Element, number> {
  const rekeyed = new Map<Element, number>();
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
    if (key !== undefined && position?.isUnique && old !== undefined && old.nth === position.nth)
      rekeyed.set(element, key);
  });
  rekeyGrownNames(listed, removed, rekeyed);
  return rekeyed;
}

/**
 * Adds the new elements whose name has only grown or shrunk (`Cart` → `Cart (1)`): between the same neighbours stands one new element
 * where one element was removed, both are alike except for the name, and one name begins with the other.
 */
function rekeyGrownNames(
  listed: ReadonlyArray<ElementIdentity & { readonly element: Element }>,
  removed: readonly number[],
  rekeyed: Map<Element, number>,
): void {
  const found = new Set(rekeyed.values());
  const gone = new Set(removed.filter(key => !found.has(key)));
  const goneAfter = new Map<number, number>();
  lastListed.forEach((key, index) => {
    const before = lastListed[index - 1] ?? 0;
    const after = lastListed[index + 1];
    if (gone.has(key) && !gone.has(before) && (after === undefined || !gone.has(after)))
      goneAfter.set(before, key);
  });
  if (goneAfter.size === 0) return;
  const keyNow = (index: number): number | undefined => {
    const one = listed[index];
    return one === undefined ? 0 : (keys.get(one.element) ?? rekeyed.get(one.element));
  };
  listed.forEach(({ element, fingerprint }, index) => {
    if (keyNow(index) !== undefined) return;
    const before = keyNow(index - 1);
    const key = before === undefined ? undefined : goneAfter.get(before);
    const old = key === undefined ? undefined : byKey.get(key);
    if (key === undefined || old === undefined || keyNow(index + 1) !== keyAfter(key)) return;
    if (differOnlyInGrowth(old.fingerprint, fingerprint)) rekeyed.set(element, key);
  });
}

/** Returns the key that followed a key in the previous list; 0 at its end. */
const keyAfter = (key: number): number => lastListed[lastListed.indexOf(key) + 1] ?? 0;

/** A name of fewer characters is no beginning of another one: `1` and `10` are different pages. */
const MIN_GROWN_NAME = 3;

/** Returns true if two fingerprints have the same role and tag, and the name of one begins with that of the other. */
function differOnlyInGrowth(one: string, other: string): boolean {
  const [a, b] = [one.split('|'), other.split('|')];
  const [nameA, nameB] = [a[1] ?? '', b[1] ?? ''];
  if (a.length !== b.length || Math.min(nameA.length, nameB.length) < MIN_GROWN_NAME) return false;
  if (a.some((part, index) => index !== 1 && part !== b[index])) return false;
  return nameA.startsWith(nameB) || nameB.startsWith(nameA);
}

/** The position of an element among the listed elements that have the same fingerprint. */
interface Position {
  readonly identity: string;
  /** True when no other listed element has this identity. */
  readonly isUnique: boolean;
  /** Number of elements with the same fingerprint before this one. */
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

/** Returns the element with this key; null when it has left the document, or no element has the key. */
export function elementByKey(key: number): Element | null {
  const element = byKey.get(key)?.element.deref();
  return element !== undefined && isConnected(element) ? element : null;
}

/** Returns the key of an element; null if it was never listed. */
export const keyOfElement = (element: Element): number | null => keys.get(element) ?? null;
