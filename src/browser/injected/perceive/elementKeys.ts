/** Keys: the number of each listed element, for the life of the document. */
import { isConnected } from '../dom/domGetters.ts';

export interface ElementIdentity {
  readonly fingerprint: string;
  /** The fingerprint, the category and what tells the element apart: equal only for the same element. */
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
 * Returns the key of each element: its own, that of the removed element it replaces, or the next free number.
 * @param listed the elements now listed, in document order
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
 * Finds new elements that replace a removed one after a re-render: their identity was unique and is unique, and the number
 * of elements with the same fingerprint before them is the same.
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
  return rekeyed;
}

interface Position {
  readonly identity: string;
  /** True when no other listed element has this identity. */
  readonly isUnique: boolean;
  /** Number of elements with the same fingerprint before it. */
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

/** The element with this key; null when it has left the document. */
export function elementByKey(key: number): Element | null {
  const element = byKey.get(key)?.element.deref();
  return element !== undefined && isConnected(element) ? element : null;
}

/** The key of an element; null if it was never listed. */
export const keyOfElement = (element: Element): number | null => keys.get(element) ?? null;
