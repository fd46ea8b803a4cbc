/** DOMPurify over the copy: whatever the page wrote, what leaves here runs nothing. */
import createDOMPurify, { type Config } from 'dompurify';
import { implementationOf } from './live.ts';
import { parseInto } from './parse.ts';

const NEVER = [
  'style',
  'form',
  'dialog',
  'script',
  'template',
  'iframe',
  'frame',
  'object',
  'embed',
  'link',
  'meta',
  'base',
];
const NEVER_ATTRIBUTES = [
  'action',
  'formaction',
  'ping',
  'background',
  'srcdoc',
  'usemap',
  'autofocus',
  'slot',
];

const COMMON: Config = {
  FORBID_TAGS: NEVER,
  ALLOW_DATA_ATTR: false,
  // Guards a document that the markup is put into; ours is inert, and ids are content of the visible page.
  SANITIZE_DOM: false,
  RETURN_TRUSTED_TYPE: false,
};

const MAIN: Config = {
  ...COMMON,
  USE_PROFILES: { html: true, mathMl: true },
  FORBID_ATTR: [...NEVER_ATTRIBUTES, 'style', 'id', 'name', 'tabindex', 'draggable'],
  ALLOW_ARIA_ATTR: false,
  ADD_ATTR: ['srcset', 'aria-label', 'alttext'],
};

const WHOLE: Config = {
  ...COMMON,
  USE_PROFILES: { html: true, mathMl: true, svg: true, svgFilters: true },
  FORBID_ATTR: NEVER_ATTRIBUTES,
  ADD_ATTR: ['srcset', 'contenteditable', 'alttext'],
};

/**
 * Markup through the parser and DOMPurify: a tree built by script may be one that markup cannot say, so the copy is
 * written out and parsed before it is judged.
 * @param root used up
 * @param whole keep class, id, ARIA, SVG and inline style, as the contract says of the visible page
 * @returns an element of an inert document that holds the clean nodes
 */
export function sanitise(root: Element, whole: boolean): HTMLElement {
  const inert = implementationOf(document).createHTMLDocument('');
  const clean = inert.body.appendChild(inert.createElement('div'));
  const markup = root.innerHTML;
  // Two trees of a large page at once are enough.
  root.replaceChildren();
  parseInto(clean, markup);
  sanitiser(inert).sanitize(clean, { ...(whole ? WHOLE : MAIN), IN_PLACE: true });
  return clean;
}

/** The sanitiser gets a window of our own making: the page's document can shadow what it would call. */
function sanitiser(inert: Document): ReturnType<typeof createDOMPurify> {
  const view = {
    document: inert,
    DocumentFragment,
    Element,
    HTMLFormElement,
    HTMLTemplateElement,
    NamedNodeMap: window.NamedNodeMap,
    Node,
    NodeFilter,
    DOMParser,
  };
  return createDOMPurify(view as unknown as Parameters<typeof createDOMPurify>[0]);
}
