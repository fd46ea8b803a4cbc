/** Compares a page before and after a gesture, to report a gesture that changed nothing. */
import {
  boxOf,
  composedParent,
  documentElement,
  getRootNode,
  inputValue,
  localName,
  outerHTML,
  queryAllDocument,
  queryIn,
  scrollLeft,
  scrollTop,
  shadowInnerHTML,
  textareaValue,
  titleOf,
} from '../dom/domGetters.ts';
import { elementByKey } from '../perceive/elementKeys.ts';

/** A page with more markup than this is not compared. Characters. */
const MAX_MARKUP = 3_000_000;
/** Matches classes that a page sets while the pointer is over or on an element, with the space before them. */
const POINTER_CLASSES = /[\s"][\w-]*(?:hover|active|focus|drag|press|grab|ghost|chosen)[\w-]*(?=[\s"])/gi;

let remembered: string | null = null;
let rememberedSelection = '';
let rememberedPlace: readonly [x: number, y: number] | null = null;

/** Remembers the state of the document and of the element that a gesture starts on. @param key null for no element */
export function rememberState(key: number | null): void {
  remembered = readState(key);
  rememberedSelection = selectedText();
  rememberedPlace = placeOf(key);
}

const selectedText = (): string => String(getSelection() ?? '');

/** Returns true if the document and the element are as at `rememberState`; false also when that cannot be told. */
export function isUnchanged(key: number | null): boolean {
  // Every press ends the selection before it: that is no effect.
  const selection = selectedText();
  if (selection !== '' && selection !== rememberedSelection) return false;
  return remembered !== null && readState(key) === remembered;
}

/** Returns how far the element has moved in its document since `rememberState`, in whole CSS pixels; null for not at all. */
export function movedBy(key: number | null): readonly [x: number, y: number] | null {
  const now = placeOf(key);
  if (now === null || rememberedPlace === null) return null;
  const way = [Math.round(now[0] - rememberedPlace[0]), Math.round(now[1] - rememberedPlace[1])] as const;
  return way[0] === 0 && way[1] === 0 ? null : way;
}

function placeOf(key: number | null): readonly [x: number, y: number] | null {
  const element = key === null ? null : elementByKey(key);
  if (element === null) return null;
  const { left, top, width, height } = boxOf(element);
  return width === 0 || height === 0 ? null : [left + scrollX, top + scrollY];
}

/** Returns the state as one text; null when it cannot be read: an element is gone, a canvas is drawn, the page is too long. */
function readState(key: number | null): string | null {
  const root = documentElement(document);
  const element = key === null ? null : elementByKey(key);
  if (root === null || (key !== null && element === null)) return null;
  if (element !== null && (localName(element) === 'canvas' || queryIn(element, 'canvas') !== null))
    return null;
  if (key === null && queryIn(root, 'canvas') !== null) return null;
  const markup = outerHTML(root);
  if (markup.length > MAX_MARKUP) return null;
  const tree = element === null ? document : getRootNode(element);
  return JSON.stringify([
    location.href,
    titleOf(document),
    markup.replace(POINTER_CLASSES, ''),
    tree instanceof ShadowRoot ? shadowInnerHTML(tree) : '',
    controlStates(),
    [scrollX, scrollY],
    element === null ? null : positionOf(element),
  ]);
}

const controlStates = (): unknown[] =>
  Array.from(queryAllDocument(document, 'input, textarea, select'), control => {
    if (control instanceof HTMLInputElement) return [inputValue(control), control.checked];
    if (control instanceof HTMLTextAreaElement) return textareaValue(control);
    return control instanceof HTMLSelectElement ? control.selectedIndex : null;
  });

function positionOf(element: Element): number[] {
  const { left, top, width, height } = boxOf(element);
  const position = [left, top, width, height];
  for (let at = composedParent(element); at !== null; at = composedParent(at))
    if (scrollTop(at) !== 0 || scrollLeft(at) !== 0) position.push(scrollTop(at), scrollLeft(at));
  return position;
}
