/** Texts that only style shows as they are written: with their line breaks, or as code. */
import * as dom from '../../dom/domGetters.ts';
import { CODE_MARK } from '../clean/normalizeCodeBlocks.ts';

/** The place of a text in the page and in the copy. */
interface Place {
  readonly into: Element;
  readonly textParent: Element | null;
  readonly verbatim: boolean;
}

/** Returns true if the style of a text keeps its line breaks, and the copy does not keep them anyway. */
export const preservesLines = (text: string, { textParent, verbatim, into }: Place): boolean =>
  !verbatim &&
  textParent !== null &&
  /\S/.test(text) &&
  getComputedStyle(textParent).getPropertyValue('white-space-collapse') !== 'collapse' &&
  dom.closest(into, 'pre,textarea') === null;

/** Matches a text with an indented line. */
export const INDENTED = /^(?: {2}|\t)|\n[ \t]/;

/** Marks the copy of the outermost box that shows its text as it is written, in a font of equal widths: it is code. */
export function markCode(textParent: Element, into: Element): void {
  let code: Element | null = null;
  let copy: Element | null = into;
  for (let at: Element | null = textParent; at !== null && copy !== null; at = dom.parentElement(at)) {
    const style = getComputedStyle(at);
    if (style.getPropertyValue('white-space-collapse') !== 'preserve' || !MONOSPACED.test(style.fontFamily))
      break;
    if (at === dom.bodyOf(document) || dom.localName(at) !== copy.localName) break;
    if (!style.display.startsWith('inline')) code = copy;
    copy = copy.parentElement;
  }
  code?.setAttribute(CODE_MARK, '');
}

const MONOSPACED = /mono|courier|consolas|menlo/i;
