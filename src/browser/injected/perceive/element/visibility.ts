/** Tells which texts people can see, by the computed styles of elements. */

import {
  boxOf,
  composedContains,
  composedParent,
  getAttribute,
  localName,
  queryAllDocument,
  renderedParent,
} from '../../dom/domGetters.ts';
import { reading, remembered } from '../../dom/lifetimes.ts';
import { styleOf } from '../../dom/styleOf.ts';

const RGB = /^rgba?\((\d+), (\d+), (\d+)/;
/** Red is at least this, of 255, and at least this many times as strong as green and blue. */
const MIN_RED = 128;
const MIN_RATIO = 1.7;

/** Returns true for an element whose text is red, the color of errors in nearly all design systems. */
export function isRed(element: Element): boolean {
  const [, red = 0, green = 0, blue = 0] = (RGB.exec(styleOf(element).color) ?? []).map(Number);
  return red >= MIN_RED && red >= Math.max(green, blue) * MIN_RATIO;
}

/** Boxes of at most this width and height show nothing. CSS pixels. */
const MIN_SIZE_PX = 2;
/** Two colors whose red, green and blue differ by at most this (of 255) look the same. */
const SAME_COLOR_DIFFERENCE = 10;
const CANVAS_COLOR = 'rgb(255, 255, 255)';
/** Maximum number of elements around a text that are checked. */
const MAX_ANCESTORS = 300;
/** Maximum number of pictures that are compared with the position of a text. */
const MAX_PICTURES = 200;

const hiddenBoxes = reading.value(() => new WeakMap<Element, boolean>());
const closedBoxes = reading.value(() => new WeakMap<Element, boolean>());
/** The color behind each element, or `unknown`. */
const backgrounds = reading.value(() => new WeakMap<Element, string>());
/** Which parts of a text people can see, apart from the text's own place. */
const parts = reading.value(() => new WeakMap<Element, 'seen' | 'off screen' | 'invisible'>());
const range = document.createRange();

/** Returns true if people can see the text that the element contains. Its `display`, `visibility` and `opacity` are checked elsewhere. */
export function isSeen(element: Element): boolean {
  if (isBoxHidden(element)) return false;
  const area = textArea(element);
  return !isOffScreen(area) && hasVisibleColor(element, styleOf(element), () => area);
}

/** Returns true if people, or screen readers, can see a part of the text of `root`: a text clipped to nothing is for the latter. */
export function isPartSeen(part: Element, root: Element): boolean {
  const state = remembered(parts(), part, stateOfPart);
  return state === 'seen' || (state === 'off screen' && isOffScreen(boxOf(root)));
}

function stateOfPart(part: Element): 'seen' | 'off screen' | 'invisible' {
  const style = styleOf(part);
  if (!hasVisibleColor(part, style, () => textArea(part))) return 'invisible';
  return mayLieApart(style) && isOffScreen(textArea(part)) ? 'off screen' : 'seen';
}

/** Returns true for a part that can be far from its root: parts in the flow are where the root is, and measuring takes ten times as long. */
function mayLieApart({
  position,
  textIndent,
  transform,
  marginLeft,
  marginTop,
}: CSSStyleDeclaration): boolean {
  if (position !== 'static' || textIndent !== '0px' || transform !== 'none') return true;
  return marginLeft.startsWith('-') || marginTop.startsWith('-');
}

function textArea(element: Element): Area {
  range.selectNodeContents(element);
  return range.getBoundingClientRect();
}

const isOffScreen = ({ right, bottom }: Area): boolean => right + scrollX <= 0 || bottom + scrollY <= 0;

const isBoxHidden = (element: Element): boolean => isHiddenBy(element, hiddenBoxes(), hidesContent);

/** Returns true if the element is in a box that shows nothing of its content because it has no height or no width. */
export const isInClosedBox = (element: Element): boolean => isHiddenBy(element, closedBoxes(), isClosedBox);

/** Returns whether the element, or one around it, hides its content. @param known the elements for which that is known; receives the others */
function isHiddenBy(
  element: Element,
  known: WeakMap<Element, boolean>,
  hides: (element: Element) => boolean,
): boolean {
  const unknown: Element[] = [];
  let hidden = false;
  for (
    let at: Element | null = element;
    at !== null && unknown.length < MAX_ANCESTORS;
    at = renderedParent(at)
  ) {
    const before = known.get(at);
    if (before !== undefined) {
      hidden = before;
      break;
    }
    unknown.push(at);
  }
  for (const one of unknown.reverse()) {
    hidden ||= hides(one);
    known.set(one, hidden);
  }
  return hidden;
}

function hidesContent(element: Element): boolean {
  if (getAttribute(element, 'aria-hidden') === 'true') return true;
  const { clipPath, clip, fontSize, position } = styleOf(element);
  if (fontSize === '0px' || /^inset\((?:50|100)%/.test(clipPath)) return true;
  if (clip !== 'auto' && /^rect\([01]px,? [01]px,? [01]px,? [01]px\)$/.test(clip) && position !== 'static')
    return true;
  return isClosedBox(element);
}

function isClosedBox(element: Element): boolean {
  const { width, height } = boxOf(element);
  if (width > MIN_SIZE_PX && height > MIN_SIZE_PX) return false;
  const { overflowX, overflowY, display } = styleOf(element);
  return (
    (overflowX !== 'visible' || overflowY !== 'visible') && display !== 'contents' && display !== 'inline'
  );
}

interface Area {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** @param areaOf returns the place of the text */
function hasVisibleColor(element: Element, style: CSSStyleDeclaration, areaOf: () => Area): boolean {
  const color = parseColor(style.webkitTextFillColor) ?? parseColor(style.color);
  if (color === null) return true;
  if (color.alpha !== 0) {
    const background = backgroundOf(element);
    const behind = background === null ? null : parseColor(background);
    if (behind === null || !looksSame(color, behind)) return true;
  }
  // The background is painted in the shape of the letters.
  if (style.backgroundClip === 'text' || style.textShadow !== 'none') return true;
  return color.alpha !== 0 && hasPictureBehind(element, areaOf());
}

/** Returns the background color behind an element; null if an image, a gradient or a mix of colors is behind it. */
function backgroundOf(element: Element): string | null {
  const seen: Element[] = [];
  let background: string | null = null;
  for (let at: Element | null = element; seen.length < MAX_ANCESTORS; at = composedParent(at)) {
    const known = at === null ? CANVAS_COLOR : (backgrounds().get(at) ?? ownBackground(at));
    if (at === null || known !== 'none') {
      background = known === 'unknown' ? null : known;
      break;
    }
    seen.push(at);
  }
  for (const one of seen) backgrounds().set(one, background ?? 'unknown');
  return background;
}

/** Returns the color that an element paints behind its text; `none` if it paints nothing, `unknown` for images and mixed colors. */
function ownBackground(element: Element): string {
  const { backgroundColor, backgroundImage } = styleOf(element);
  if (backgroundImage !== 'none') return 'unknown';
  const alpha = parseColor(backgroundColor)?.alpha ?? 0.5;
  return alpha === 0 ? 'none' : alpha >= 0.9 ? backgroundColor : 'unknown';
}

interface Color {
  readonly channels: readonly number[];
  readonly alpha: number;
}

/** The colors that were parsed: a page has few. */
const colors = reading.value(() => new Map<string, Color | null>());

const parseColor = (text: string): Color | null => remembered(colors(), text, toColor);

function toColor(text: string): Color | null {
  const match = /^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/.exec(text);
  if (match === null) return null;
  return { channels: match.slice(1, 4).map(Number), alpha: Number(match[4] ?? 1) };
}

function looksSame({ channels: one }: Color, { channels: other }: Color): boolean {
  return one.every((channel, nth) => Math.abs(channel - (other[nth] ?? 0)) <= SAME_COLOR_DIFFERENCE);
}

/** Returns true if something that is not an ancestor is painted behind the text: white words on a photograph can be read. */
function hasPictureBehind(element: Element, { left, top, right, bottom }: Area): boolean {
  const x = (left + right) / 2;
  const y = (top + bottom) / 2;
  const stack = document.elementsFromPoint(x, y);
  if (
    stack.some(
      other => !composedContains(other, element) && !composedContains(element, other) && isPainted(other),
    )
  )
    return true;
  const pictures = Array.from(queryAllDocument(document, 'img, video, canvas, svg, picture')).slice(
    0,
    MAX_PICTURES,
  );
  return pictures.some(picture => {
    const box = boxOf(picture);
    return (
      box.left <= x &&
      box.right >= x &&
      box.top <= y &&
      box.bottom >= y &&
      !composedContains(element, picture)
    );
  });
}

function isPainted(element: Element): boolean {
  if (/^(?:img|video|canvas|svg|picture|iframe)$/.test(localName(element))) return true;
  const { backgroundImage, backgroundColor } = styleOf(element);
  return backgroundImage !== 'none' || (parseColor(backgroundColor)?.alpha ?? 1) > 0;
}

/** The computed style of an element, as far as names need it. Each part is read when it is asked for the first time. */
export class DisplayState {
  readonly #style: CSSStyleDeclaration;
  readonly #known: { display?: string; position?: string; fontSize?: string; color?: string } = {};
  #shown: boolean | undefined;

  constructor(style: CSSStyleDeclaration) {
    this.#style = style;
  }

  #read(name: 'display' | 'position' | 'fontSize' | 'color'): string {
    const value = this.#known[name] ?? this.#style[name];
    this.#known[name] = value;
    return value;
  }

  get display(): string {
    return this.#read('display');
  }

  get position(): string {
    return this.#read('position');
  }

  get color(): string {
    return this.#read('color');
  }

  get shown(): boolean {
    this.#shown ??=
      this.display !== 'none' &&
      this.display !== '' &&
      this.#style.visibility === 'visible' &&
      this.#style.opacity !== '0';
    return this.#shown;
  }

  /** False if the element's own text has the font size 0; the elements in it can have another. */
  get showsText(): boolean {
    return this.#read('fontSize') !== '0px';
  }

  /** True if the element can be far from the elements around it. */
  get isOutOfFlow(): boolean {
    return this.position === 'absolute' || this.position === 'fixed';
  }
}

const states = reading.value(() => new WeakMap<Element, DisplayState>());

/** Returns the computed style of an element, as it was when it was asked for first in this reading. */
export const displayOf = (element: Element): DisplayState => remembered(states(), element, newState);

const newState = (element: Element): DisplayState => new DisplayState(styleOf(element));
