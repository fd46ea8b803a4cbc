/** Turns the captions of images into `figcaption`. Recognizes them by name or by position. */

import type { ArticlePass } from './articlePass.ts';
import { elementNames, isCaptionName } from './elementNames.ts';
import type { TextStats } from './textStats.ts';

/** Maximum length of the text in a `figure` for it to become a caption; longer text is content. */
const MAX_FIGURE_TEXT_CHARACTERS = 400;
/** Maximum length of the text in an element with a caption's class or id; longer text is content. */
const MAX_NAMED_CAPTION_CHARACTERS = 600;
const MEDIA = 'img,picture,video,iframe,canvas';
/** Selects elements whose class or id may name a caption; `isCaptionName` then checks the whole name. */
const CAPTION_CANDIDATES =
  ':is(div,span,p,small,cite,em):is([class*=caption i],[class*=credit i],[class*=copyright i],[id*=caption i],[id*=credit i],[id*=copyright i])';
const NEVER_IN_CAPTION = 'table,pre,blockquote,ul,ol';

/**
 * Turns elements whose class or id names a caption into `figcaption`. Call it before Readability, which unwraps small
 * blocks, so that their names are lost.
 */
export function convertNamedCaptions(body: Element): void {
  for (const element of body.querySelectorAll(CAPTION_CANDIDATES)) {
    if (!isCaptionName(elementNames(element))) continue;
    const length = (element.textContent ?? '').length;
    if (length > 0 && length <= MAX_NAMED_CAPTION_CHARACTERS) makeCaption(element);
  }
}

/** The article pass that turns the short text of each `figure` with an image or video into `figcaption`. */
export const captions: ArticlePass = {
  name: 'captions',
  orderReason:
    'Before the boilerplate blocks: a credit line is boilerplate in the text but belongs under its image. As a caption it is not taken for the lead or the tail.',
  run: ({ root, stats }) => {
    for (const figure of root.querySelectorAll('figure')) captionFigure(figure, stats);
  },
};

function captionFigure(figure: Element, stats: TextStats): void {
  const length = stats.textLength(figure);
  if (length === 0 || length > MAX_FIGURE_TEXT_CHARACTERS) return;
  if (figure.querySelector(MEDIA) === null || figure.querySelector(NEVER_IN_CAPTION) !== null) return;
  for (const part of figure.querySelectorAll('p,span,div,small,cite,em'))
    if (stats.textLength(part) > 0) makeCaption(part);
}

/**
 * Replaces an element without images or videos by a `figcaption`, in a `figure` with the image before it. The article
 * passes do not count the text of captions: it is neither prose nor boilerplate.
 */
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
