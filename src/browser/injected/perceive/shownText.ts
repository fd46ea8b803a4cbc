/** Finds text that the document shows. */
import {
  bodyOf,
  fieldValue,
  innerText,
  isElement,
  openShadowRoot,
  queryAllDocument,
} from '../dom/domGetters.ts';
import { styleOf } from '../dom/styleOf.ts';

/** Characters that people do not see in a text, and that lists leave out. */
const INVISIBLE = /[\u00AD\u200B\u200E\u200F\u2060\uFEFF]/g;

/** How Chromium writes `transparent`. */
const TRANSPARENT = 'rgba(0, 0, 0, 0)';

/** Maximum number of lists whose options are left out. */
const MAX_LISTS = 50;

/** Double quotes are single ones, as lists write them. */
const normalized = (text: string): string =>
  text.replace(INVISIBLE, '').replace(/\s+/g, ' ').replaceAll('"', "'").toLowerCase();

/** Returns true if the document, or an open shadow tree in it, shows the text. Ignores case and white space. */
export function showsText(text: string): boolean {
  const sought = normalized(text).trim();
  const body = bodyOf(document);
  if (body === null) return false;
  const shown = normalized(innerText(body));
  if (shown.includes(sought) || withoutOptions(shown).includes(sought)) return true;
  for (const host of queryAllDocument(document, '*')) {
    const root = openShadowRoot(host);
    if (root !== null && showsIn(root, sought)) return true;
  }
  return false;
}

/** Leaves the options of lists out, which stand in the middle of sentences: "Show [All|Active] 3 files". */
function withoutOptions(text: string): string {
  let rest = text;
  for (const list of [...queryAllDocument(document, 'select')].slice(0, MAX_LISTS))
    if (list instanceof HTMLElement) rest = rest.replace(normalized(innerText(list)).trim(), '');
  return normalized(rest);
}

/** `innerText` does not include the text of shadow trees. */
function showsIn(root: ShadowRoot, sought: string): boolean {
  for (const child of root.children) {
    if (child instanceof HTMLElement && normalized(innerText(child)).includes(sought)) return true;
    for (const inner of child.querySelectorAll('*')) {
      const nested = isElement(inner) ? openShadowRoot(inner) : null;
      if (nested !== null && showsIn(nested, sought)) return true;
    }
  }
  return false;
}

/**
 * Returns the text that a picture of the document shows, in shadow trees and in fields too. Fields whose text is transparent, such as those
 * that a value of the vault has filled, show none.
 */
export function pictureText(root: Document | ShadowRoot = document): string {
  const parts: string[] = [];
  for (const element of root.querySelectorAll('*')) {
    const inner = openShadowRoot(element);
    if (inner !== null) parts.push(pictureText(inner));
    if (element.parentNode === root && element instanceof HTMLElement) parts.push(innerText(element));
    const value = fieldValue(element) ?? '';
    if (value !== '' && styleOf(element).getPropertyValue('-webkit-text-fill-color') !== TRANSPARENT)
      parts.push(value);
  }
  return parts.join('\n');
}

/** Resolves when the document changes next, at the latest after `maxMs` milliseconds. */
export function nextChange(maxMs: number): Promise<void> {
  return new Promise(resolve => {
    const end = (): void => {
      observer.disconnect();
      clearTimeout(timer);
      resolve();
    };
    const observer = new MutationObserver(end);
    const timer = setTimeout(end, maxMs);
    observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  });
}
