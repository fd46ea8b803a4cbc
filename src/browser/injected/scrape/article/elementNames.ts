/** Recognizes captions and admonitions by the names (class, id, role) that sites give their elements. */
const CAPTION_NAME =
  /(^|[-_\s])(caption\w*|credits?|wp-caption-text|figcaption|img-?caption|(image|photo|media)-?(caption|credit|copyright))($|[-_\s])/i;

/** Returns true if an element's names (see `elementNames`) include one for a caption or credit. */
export const isCaptionName = (names: string): boolean => CAPTION_NAME.test(names);

/** Returns the class, id, data-component and role of an element, separated by spaces; `camelCase` becomes `camel-Case`. */
export function elementNames(element: Element): string {
  const names = ['class', 'id', 'data-component', 'role'].map(name => element.getAttribute(name) ?? '');
  return names
    .join(' ')
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .replace(/__/g, '-');
}

const ADMONITION_NAME =
  /footnote|admonition|callout|(^|[-_\s])(note|tip|hint|warning|caution|danger|important)($|[-_\s])/i;

const ADMONITION_CLASS =
  /admonition|callout|(^|[-_\s])(note|tip|hint|warning|caution|danger|important)($|[-_\s])|(^|\s)alert-(info|success|primary|secondary)($|\s)/i;

/** Returns true for a `div` whose class says that it belongs to the text: a note, tip or warning. */
export const isAdmonitionBox = (element: Element): boolean =>
  element.localName === 'div' && ADMONITION_CLASS.test(element.getAttribute('class') ?? '');

/** Returns true for an `aside` whose names say that it belongs to the text: a note, tip, warning or footnote. */
export const isAdmonition = (element: Element): boolean =>
  element.localName === 'aside' && ADMONITION_NAME.test(elementNames(element));
