/** Content that a page shows or names by other means than the text of its elements: players, formulas of scripts, prices in pieces, symbols. */
import * as dom from '../../dom/domGetters.ts';
import { appendChild, boxOf, queryAllIn, textContent } from '../../dom/domGetters.ts';
import { formulaOf } from '../clean/formulas.ts';
import { isOwnTextVisible, visibilityOf } from './elementVisibility.ts';
import { safeMediaUrl } from './urlAttributes.ts';

/** Minimum width and height, in CSS pixels, of a drawing whose text is read; smaller ones are icons. */
const MIN_DRAWING_PX = 64;
/** Maximum number of `TEXT_ELEMENTS` read from one drawing: one with more is a map, not a chart. */
const MAX_TEXT_ELEMENTS = 300;
/** Drawn text, and HTML in a drawing: diagrams have their labels in it. */
const TEXT_ELEMENTS = 'text,foreignObject';
const PLACEHOLDER_ATTRIBUTE = 'data-pagespace-drawing';

/**
 * Adds a placeholder with a drawing's text in an attribute: a picture, so that no step takes the box around it for empty. `expandSvgText`
 * replaces it when the content has been chosen.
 */
export function appendSvgText(drawing: Element, into: Node, copy: Document): void {
  const { width, height } = boxOf(drawing);
  if (width < MIN_DRAWING_PX || height < MIN_DRAWING_PX) return;
  const text = svgText(drawing);
  if (text === '') return;
  const placeholder = copy.createElement('img');
  // Readability removes pictures that have no address in any attribute.
  placeholder.setAttribute('data-src', '');
  placeholder.setAttribute(PLACEHOLDER_ATTRIBUTE, text);
  appendChild(into, placeholder);
}

/** Returns true for a `pre` with the numbers of the lines, 1, 2, 3 …, of another that stands to its right. */
export function countsLinesBeside(numbers: Element): boolean {
  const code = dom.nextElementSibling(numbers);
  if (code === null || dom.localName(code) !== 'pre') return false;
  const lines = (textContent(numbers) ?? '').trim().split(/\s+/);
  if (lines.length < 2 || lines.some((line, at) => line !== String(at + 1))) return false;
  const [left, right] = [boxOf(numbers), boxOf(code)];
  return (
    (textContent(code) ?? '').trimEnd().split('\n').length === lines.length &&
    left.right <= right.left + 1 &&
    Math.abs(left.top - right.top) <= right.height / lines.length
  );
}

/** Replaces the placeholders that `appendSvgText` added by the text of their drawings. */
export function expandSvgText(root: Element): void {
  for (const placeholder of root.querySelectorAll(`[${PLACEHOLDER_ATTRIBUTE}]`)) {
    const text = root.ownerDocument.createElement('span');
    text.textContent = placeholder.getAttribute(PLACEHOLDER_ATTRIBUTE);
    placeholder.replaceWith(text);
  }
}

function svgText(drawing: Element): string {
  const texts = queryAllIn(drawing, TEXT_ELEMENTS);
  const parts = [labelOf(drawing) ?? titleOf(drawing) ?? ''];
  for (let at = 0; at < Math.min(MAX_TEXT_ELEMENTS, texts.length); at++) {
    const text = texts[at];
    if (text !== undefined) parts.push(textContent(text) ?? '');
  }
  return parts
    .map(part => part.replace(/\s+/g, ' ').trim())
    .filter(Boolean)
    .join(' ');
}

/** Marks the link that stands for a player, so that no step takes it for a link to another page. */
export const PLAYER_LINK = 'data-pagespace-player';

/** Attributes with the name that an element has for people who cannot see it. */
const LABELS = ['aria-label', 'title'];

const labelOf = (element: Element): string | null =>
  LABELS.map(name => dom.getAttribute(element, name)?.trim()).find(Boolean) ?? null;

const titleOf = (drawing: Element): string | null => {
  const title = dom.queryIn(drawing, 'title');
  return title === null ? null : (textContent(title) ?? '').trim();
};

/** Returns a paragraph with a link that stands for a player. @param text null for the name of its file */
export function playerLink(url: string, text: string | null, copy: Document): Element {
  const paragraph = copy.createElement('p');
  const link = copy.createElement('a');
  link.setAttribute('href', url);
  link.setAttribute(PLAYER_LINK, '');
  link.textContent = text ?? fileNameOf(url) ?? 'Video';
  paragraph.append(link);
  return paragraph;
}

const fileNameOf = (url: string): string | null => /\/([^/?#]+\.\w{2,5})(?:[?#]|$)/.exec(url)?.[1] ?? null;

/**
 * Returns the link that stands for a `video`, `audio`, `object` or `embed`; null if it has no address, or is only the background of
 * something else.
 */
export function mediaLink(element: Element, copy: Document, base: string): Element | null {
  const isBackground =
    dom.hasAttribute(element, 'autoplay') &&
    dom.hasAttribute(element, 'muted') &&
    !dom.hasAttribute(element, 'controls');
  if (isBackground) return null;
  const source = dom.queryIn(element, 'source[src]');
  const address =
    dom.getAttribute(element, 'src') ??
    dom.getAttribute(element, 'data') ??
    (source === null ? null : dom.getAttribute(source, 'src')) ??
    '';
  const url = address === '' ? null : safeMediaUrl(address, base);
  return url === null || !/^https?:/.test(url) || /\.swf(\?|$)/i.test(url)
    ? null
    : playerLink(url, labelOf(element), copy);
}

/** Returns true for an `object` that shows its children, because the browser cannot show its data. */
export function showsFallback(object: Element): boolean {
  const first = dom.firstElementChild(object);
  return first !== null && dom.boxOf(first).height > 0;
}

/** Returns the link that stands for an element which becomes a player when it is pressed; null for any other element. */
export function facadeLink(element: Element, name: string, copy: Document): Element | null {
  const site = /^(?:lite|amp)-(youtube|vimeo)(?:-embed)?$/.exec(name)?.[1];
  const id = ['videoid', 'data-videoid'].map(key => dom.getAttribute(element, key)).find(Boolean) ?? '';
  if (site === undefined || !/^[\w-]+$/.test(id)) return null;
  const url = site === 'vimeo' ? `https://vimeo.com/${id}` : `https://www.youtube.com/watch?v=${id}`;
  return playerLink(url, dom.getAttribute(element, 'playlabel') ?? labelOf(element) ?? 'Video', copy);
}

/** Returns a formula with the TeX of a script of MathJax 2; null for another script. */
export function scriptFormula(script: Element, copy: Document): Element | null {
  const type = dom.getAttribute(script, 'type') ?? '';
  if (!/^math\/tex/i.test(type)) return null;
  const tex = (dom.textContent(script) ?? '').trim();
  return tex === '' ? null : formulaOf(tex, /mode\s*=\s*display/i.test(type), copy);
}

/** Returns the formula that a drawing of MathJax 4 names in TeX; null for another element. */
export function drawnFormula(element: Element, name: string, copy: Document): Element | null {
  if (name !== 'mjx-container') return null;
  const named = dom.hasAttribute(element, 'data-latex') ? element : dom.queryIn(element, '[data-latex]');
  const tex = named === null ? '' : (dom.getAttribute(named, 'data-latex') ?? '').trim();
  return tex === '' ? null : formulaOf(tex, dom.getAttribute(element, 'display') === 'true', copy);
}

/** Removes the drawings of MathJax 2 from the end of a copy, before the formula that they draw. */
export function removeDrawings(into: Element): void {
  for (
    let last = into.lastElementChild;
    last !== null && last === into.lastChild;
    last = into.lastElementChild
  ) {
    if (!/\bMathJax/.test(last.getAttribute('class') ?? '')) return;
    last.remove();
  }
}

/** A longer text is not the spoken form of a few pieces. */
const MAX_SPOKEN_CHARACTERS = 60;
const digitsOf = (text: string): string => text.replace(/\D/g, '');

/**
 * Returns the text that a sibling, which only screen readers see, says for an element that is hidden from them: `$24.99` for the pieces
 * `$`, `24`, `99`. Null if no sibling has the same digits.
 */
export function spokenText(element: Element): string | null {
  if (dom.getAttribute(element, 'aria-hidden') !== 'true') return null;
  const shown = (dom.textContent(element) ?? '').trim();
  const digits = digitsOf(shown);
  if (digits === '' || shown.length > MAX_SPOKEN_CHARACTERS) return null;
  for (const sibling of [dom.previousElementSibling(element), dom.nextElementSibling(element)]) {
    if (sibling === null) continue;
    const spoken = (dom.textContent(sibling) ?? '').replace(/\s+/g, ' ').trim();
    if (spoken.length > MAX_SPOKEN_CHARACTERS || digitsOf(spoken) !== digits) continue;
    const isHidden =
      visibilityOf(sibling, dom.boxOf(sibling)) !== 'visible' || !isOwnTextVisible(sibling, null);
    if (isHidden) return spoken;
  }
  return null;
}

const CELLS = 'td,th,dd,[role=cell],[role=gridcell]';

/** Returns the name of a symbol that is all that a cell of a table shows; null if it is not, or has none. */
export function symbolLabel(symbol: Element): string | null {
  const cell = dom.closest(symbol, CELLS);
  if (cell === null || (dom.textContent(cell) ?? '').replace(dom.textContent(symbol) ?? '', '').trim() !== '')
    return null;
  return labelOf(symbol) ?? (dom.localName(symbol) === 'svg' ? titleOf(symbol) : null);
}

/** Returns the name of a symbol without text, also one that is made of parts, such as the stars of a rating; null for another element. */
export function symbolWithoutText(element: Element, name: string): string | null {
  if (name === 'img' || labelOf(element) === null || /\S/.test(textContent(element) ?? '')) return null;
  const isWhole = dom.firstElementChild(element) === null || /^(span|div|i)$/.test(name);
  return isWhole && dom.queryIn(element, 'img,input,select,button,a') === null ? symbolLabel(element) : null;
}

/** Returns true for a text for screen readers alone that is all the text of a cell of a table, beside its symbol. */
export function isLabelOfSymbol(element: Element): boolean {
  const cell = dom.closest(element, CELLS);
  const text = (dom.textContent(element) ?? '').trim();
  if (cell === null || text === '' || text.length > MAX_SPOKEN_CHARACTERS) return false;
  if ((dom.textContent(cell) ?? '').trim() !== text || dom.queryIn(cell, SYMBOLS) === null) return false;
  const { display, visibility } = getComputedStyle(element);
  return display !== 'none' && visibility === 'visible';
}

const SYMBOLS = 'svg,i,img:not([alt]),img[alt=""],[aria-hidden=true],[class*=icon i]';

/** Fonts whose words are drawn as symbols. */
const SYMBOL_FONTS = /\b(material-(icons|symbols)|mat-icon|google-symbols)/;

/** Returns true for an element whose text is the name of a drawing, which no reader sees. */
export const isSymbolOfFont = (element: Element): boolean =>
  SYMBOL_FONTS.test(dom.getAttribute(element, 'class') ?? '');
