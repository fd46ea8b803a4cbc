/** Captions as captions: what stands under a picture by name or place becomes its `figcaption`. */

import type { ArticlePass } from './articlePass.ts';
import { elementNames, isCaptionName } from './elementNames.ts';
import type { TextStats } from './textStats.ts';

/** Longer texts in a figure, or by a caption's name, are something else. Characters. */
const MAX_FIGURE_TEXT_CHARACTERS = 400;
const MAX_NAMED_CAPTION_CHARACTERS = 600;
const MEDIA = 'img,picture,video,iframe,canvas';
/** What the browser itself can sort out; the words are then looked at one by one. */
const CAPTION_CANDIDATES =
  ':is(div,span,p,small,cite,em):is([class*=caption i],[class*=credit i],[class*=copyright i],[id*=caption i],[id*=credit i],[id*=copyright i])';
const NEVER_IN_CAPTION = 'table,pre,blockquote,ul,ol';

/** To be done before Readability, which unwraps small blocks and so loses their names. */
export function convertNamedCaptions(body: Element): void {
  for (const element of body.querySelectorAll(CAPTION_CANDIDATES)) {
    if (!isCaptionName(elementNames(element))) continue;
    const length = (element.textContent ?? '').length;
    if (length > 0 && length <= MAX_NAMED_CAPTION_CHARACTERS) makeCaption(element);
  }
}

export const captions: ArticlePass = {
  name: 'captions',
  orderReason:
    'Before the names: a credit line is furniture in the text but belongs under its picture; then nothing takes it for the lead or the tail.',
  run: ({ root, stats }) => {
    for (const figure of root.querySelectorAll('figure')) captionFigure(figure, stats);
  },
};

function captionFigure(figure: Element, weights: TextStats): void {
  const length = weights.textLength(figure);
  if (length === 0 || length > MAX_FIGURE_TEXT_CHARACTERS) return;
  if (figure.querySelector(MEDIA) === null || figure.querySelector(NEVER_IN_CAPTION) !== null) return;
  for (const part of figure.querySelectorAll('p,span,div,small,cite,em'))
    if (weights.textLength(part) > 0) makeCaption(part);
}

/** A caption has no weight for the passes that follow: it is neither prose nor furniture. */
function makeCaption(element: Element): void {
  if (element.closest('figcaption') !== null || element.querySelector(MEDIA) !== null) return;
  const caption = element.ownerDocument.createElement('figcaption');
  caption.append(...element.childNodes);
  if (element.closest('figure') !== null) {
    element.replaceWith(caption);
    return;
  }
  const figure = element.ownerDocument.createElement('figure');
  const before = element.previousElementSibling;
  element.replaceWith(figure);
  if (before !== null && isPicture(before)) figure.append(before);
  figure.append(caption);
}

const isPicture = (element: Element): boolean =>
  (element.matches(MEDIA) || element.querySelector(MEDIA) !== null) && !/\S/.test(element.textContent ?? '');
