/** Which number belongs to which element, for as long as the document lives. */
import { isConnected } from '../dom/domGetters.ts';

/** What an element was at the last observation. */
export interface ElementIdentity {
  readonly fingerprint: string;
  /** The fingerprint with what tells it from its like: equal only for what is unmistakably the same. */
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
 * Gives each element its key: its own, a re-rendered twin's, or the next free number.
 * @param listed the elements now listed, in document order
 */
export function assignKeys(listed: ReadonlyArray<ElementIdentity & { readonly element: Element }>): number[] {
  const heirs = findRekeyedElements(listed);
  const given = listed.map(({ element, fingerprint, identity }) => {
    const key = keys.get(element) ?? heirs.get(element) ?? ++highestKey;
    keys.set(element, key);
    byKey.set(key, { element: new WeakRef(element), fingerprint, identity });
    return key;
  });
  lastListed = given;
  return given;
}

/**
 * New elements that are unmistakably the successor of one that is gone: of that identity there was one and is one,
 * and as many elements of its fingerprint stand before it as did.
 */
function findRekeyedElements(
  listed: ReadonlyArray<ElementIdentity & { readonly element: Element }>,
): ReadonlyMap<Element, number> {
  const heirs = new Map<Element, number>();
  const gone = lastListed.filter(key => elementByKey(key) === null);
  if (gone.length === 0) return heirs;
  const before = positions(lastListed.map(key => byKey.get(key) ?? { fingerprint: '', identity: '' }));
  const now = positions(listed);
  const keyAt = new Map(lastListed.map((key, index) => [key, before[index]] as const));
  const byIdentity = new Map<string, number>();
  for (const key of gone) {
    const place = keyAt.get(key);
    if (place?.alone) byIdentity.set(place.identity, key);
  }
  listed.forEach(({ element, identity }, index) => {
    if (keys.has(element)) return;
    const key = byIdentity.get(identity);
    const old = key === undefined ? undefined : keyAt.get(key);
    const place = now[index];
    if (key !== undefined && place?.alone && old !== undefined && old.nth === place.nth)
      heirs.set(element, key);
  });
  return heirs;
}

function positions(list: readonly ElementIdentity[]): { identity: string; alone: boolean; nth: number }[] {
  const identities = new Map<string, number>();
  for (const { identity } of list) identities.set(identity, (identities.get(identity) ?? 0) + 1);
  const fingerprints = new Map<string, number>();
  return list.map(({ fingerprint, identity }) => {
    const nth = fingerprints.get(fingerprint) ?? 0;
    fingerprints.set(fingerprint, nth + 1);
    return { identity, alone: identities.get(identity) === 1, nth };
  });
}

/** The element behind a key; null when it is gone from the document. */
export function elementByKey(key: number): Element | null {
  const element = byKey.get(key)?.element.deref();
  return element !== undefined && isConnected(element) ? element : null;
}

/** The key of an element that was listed at some time; null if it never was. */
export const keyOfElement = (element: Element): number | null => keys.get(element) ?? null;
