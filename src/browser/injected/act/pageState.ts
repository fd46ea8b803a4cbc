/** Compares a page before and after a gesture, to report a gesture that changed nothing. */

import {
  boxOf,
  composedParent,
  documentElement,
  getRootNode,
  localName,
  outerHTML,
  queryAllDocument,
  queryAllFragment,
  queryAllIn,
  scrollLeft,
  scrollTop,
  shadowInnerHTML,
  textContent,
  titleOf,
} from '../dom/domGetters.ts';
import { documentState } from '../dom/lifetimes.ts';
import { orNull } from '../dom/skipped.ts';
import { elementByKey } from '../perceive/elementKeys.ts';
import { BLANK_PICTURE, pictureHash } from '../perceive/focusAndPictures.ts';

const MAX_MARKUP = 3_000_000;
/** Matches classes that a page sets while the pointer is over or on an element, with the space before them. */
const POINTER_CLASSES = /[\s"][\w-]*(?:hover|active|focus|drag|press|grab|ghost|chosen)[\w-]*(?=[\s"])/gi;

const MAX_BOXES = 10_000;
const MAX_CANVASES = 8;

/**
 * The change of a document: `nothing`; `looks` if no element moved, came or went, and no text, value or picture changed, so that only attributes such
 * as classes did; `selection` if then text has been selected; `unknown` if only the picture of a canvas can have changed, which cannot be read, or the page is too long.
 */
export type PageChange = 'nothing' | 'looks' | 'selection' | 'more' | 'unknown';

interface PageState {
  /** Values of fields, address, title, scroll positions. */
  readonly values: string;
  readonly markup: string;
  /** Positions and texts of all elements; null if there are too many. */
  readonly layout: string | null;
  /** The pictures of canvases; null if one of them cannot be read. */
  readonly pictures: string | null;
}

interface Before {
  page: PageState | null;
  selection: string;
  /** The place of the element that the gesture starts on; null for none. */
  place: readonly [x: number, y: number] | null;
}

const before = documentState.value((): Before => ({ page: null, selection: '', place: null }));

/** Returns left, top, width and height of an element in the viewport of its document, in CSS pixels; null if it is gone. */
export function elementBox(key: number): readonly [number, number, number, number] | null {
  const element = elementByKey(key);
  if (element === null) return null;
  const { left, top, width, height } = boxOf(element);
  return [left, top, width, height];
}

/** Remembers the state of the document and of the element that a gesture starts on. @param key null for no element */
export function rememberState(key: number | null): void {
  Object.assign(before(), { page: readState(key), selection: selectedText(), place: placeOf(key) });
}

const selectedText = (): string => String(getSelection() ?? '');

export function changeSince(key: number | null): PageChange {
  const now = readState(key);
  const { page: remembered, selection: selectionBefore } = before();
  if (remembered === null || now === null) return now === remembered ? 'unknown' : 'more';
  if (now.values !== remembered.values) return 'more';
  const isSamePicture = now.pictures === remembered.pictures;
  if (!isSamePicture) return 'more';
  if (now.markup !== remembered.markup && (now.layout === null || now.layout !== remembered.layout))
    return 'more';
  if (now.pictures === null) return 'unknown';
  // Every press ends the selection before it: that is no effect.
  const selection = selectedText();
  if (selection !== '' && selection !== selectionBefore) return 'selection';
  return now.markup === remembered.markup ? 'nothing' : 'looks';
}

/** Returns how far the element has moved in its document since `rememberState`, in whole CSS pixels: `still` for not at all; null if it is gone. */
export function movedBy(key: number | null): readonly [x: number, y: number] | 'still' | null {
  const now = placeOf(key);
  const { place } = before();
  if (now === null || place === null) return null;
  const way = [Math.round(now[0] - place[0]), Math.round(now[1] - place[1])] as const;
  return way[0] === 0 && way[1] === 0 ? 'still' : way;
}

function placeOf(key: number | null): readonly [x: number, y: number] | null {
  const element = key === null ? null : elementByKey(key);
  if (element === null) return null;
  const { left, top, width, height } = boxOf(element);
  return width === 0 || height === 0 ? null : [left + scrollX, top + scrollY];
}

/** Returns the state; null when it cannot be read: the element is gone, or the page is too long. */
function readState(key: number | null): PageState | null {
  const root = documentElement(document);
  const element = key === null ? null : elementByKey(key);
  if (root === null || (key !== null && element === null)) return null;
  const markup = outerHTML(root);
  if (markup.length > MAX_MARKUP) return null;
  const tree = element === null ? document : getRootNode(element);
  const shadow = tree instanceof ShadowRoot ? tree : null;
  return {
    values: JSON.stringify([
      location.href,
      titleOf(document),
      controlStates(),
      [scrollX, scrollY],
      element === null ? null : positionOf(element),
    ]),
    markup: JSON.stringify([
      markup.replace(POINTER_CLASSES, ''),
      shadow === null ? '' : shadowInnerHTML(shadow),
    ]),
    layout: layoutOf(root, shadow),
    pictures: picturesIn(element ?? root),
  };
}

/** Returns the texts, and the tags and boxes of all elements; null if there are too many. */
function layoutOf(root: Element, shadow: ShadowRoot | null): string | null {
  const elements = [
    ...queryAllDocument(document, '*'),
    ...(shadow === null ? [] : queryAllFragment(shadow, '*')),
  ];
  if (elements.length > MAX_BOXES) return null;
  const boxes = elements.map(element => {
    const { left, top, width, height } = boxOf(element);
    return `${localName(element)} ${[left + scrollX, top + scrollY, width, height].map(Math.round).join()}`;
  });
  return JSON.stringify([textContent(root), shadow === null ? '' : textContent(shadow), boxes]);
}

/** Returns the pictures of the canvases in an element; null if one of them is blank or cannot be read, as those of WebGL. */
function picturesIn(element: Element): string | null {
  const canvases = localName(element) === 'canvas' ? [element] : Array.from(queryAllIn(element, 'canvas'));
  const hashes = canvases
    .slice(0, MAX_CANVASES)
    .map(canvas => orNull(() => pictureHash(canvas as HTMLCanvasElement)));
  return hashes.length < canvases.length || hashes.includes(null) || hashes.includes(BLANK_PICTURE)
    ? null
    : hashes.join();
}

const controlStates = (): unknown[] =>
  Array.from(queryAllDocument(document, 'input, textarea, select'), control => {
    if (control instanceof HTMLInputElement) return [control.value, control.checked];
    if (control instanceof HTMLTextAreaElement) return control.value;
    return control instanceof HTMLSelectElement ? control.selectedIndex : null;
  });

function positionOf(element: Element): number[] {
  const { left, top, width, height } = boxOf(element);
  const position = [left, top, width, height];
  for (let at = composedParent(element); at !== null; at = composedParent(at))
    if (scrollTop(at) !== 0 || scrollLeft(at) !== 0) position.push(scrollTop(at), scrollLeft(at));
  return position;
}
