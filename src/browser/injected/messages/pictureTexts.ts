/** Notices that a picture, or a mark without text such as the dot of a state, has got other words: a person sees the change, no text tells it. */
import {
  checkVisibility,
  composedParent,
  getAttribute,
  localName,
  queryAllDocument,
} from '../dom/domGetters.ts';
import { whileTreeStands } from '../dom/whileTreeStands.ts';
import { normalizeText } from '../perceive/element/plainText.ts';
import { listedCandidate } from '../perceive/lastObservation.ts';
import { isBackgroundNode } from '../settle/quiet.ts';
import { VISIBLE } from './textOwners.ts';

/** Pictures with an alternative text, and elements with a name that show no text. */
const PICTURES = 'img[alt], [title]:empty, [role=img][aria-label], [aria-label]:empty';
/** Maximum number of pictures of a document that are compared. */
const MAX_PICTURES = 300;
/** Number of elements around a picture in which a listed control is searched. */
const MAX_ANCESTORS = 4;

type PictureTexts = ReadonlyMap<Element, string>;

/** The words of the pictures of the last observation, and those of the observation with which it was compared. */
let last: PictureTexts = new Map();
let baseline = last;

/** Returns the pictures that have other words than in the observation before, with these. @param repeats true to compare with the same observation as the last call */
export function changedPictures(
  repeats: boolean,
): readonly { readonly element: Element; readonly text: string }[] {
  if (!repeats) baseline = last;
  last = whileTreeStands('pictures', readPictures);
  if (last === baseline) return [];
  return [...last]
    .filter(([element, text]) => {
      const before = baseline.get(element);
      return before !== undefined && before !== text && isOutsideOfControls(element);
    })
    .map(([element, text]) => ({ element, text }));
}

function readPictures(): PictureTexts {
  const texts = new Map<Element, string>();
  for (const element of queryAllDocument(document, PICTURES)) {
    if (texts.size >= MAX_PICTURES) break;
    const isImage = localName(element) === 'img';
    const words = getAttribute(element, isImage ? 'alt' : 'aria-label') || getAttribute(element, 'title');
    const text = normalizeText(words ?? '');
    if (text !== '') texts.set(element, text);
  }
  return texts;
}

/** The line of a listed control tells its own picture. */
function isOutsideOfControls(element: Element): boolean {
  if (isBackgroundNode(element) || !checkVisibility(element, VISIBLE)) return false;
  let at: Element | null = element;
  for (let climbed = 0; at !== null && climbed < MAX_ANCESTORS; climbed++, at = composedParent(at)) {
    const listed = listedCandidate(at);
    if (listed !== null && listed.candidate.basis === 'control') return false;
  }
  return true;
}
