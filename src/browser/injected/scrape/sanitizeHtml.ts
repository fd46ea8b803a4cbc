/** DOMPurify over the copy: whatever the page wrote, what leaves here runs nothing. */
import createDOMPurify, { type Config } from 'dompurify';
import { implementationOf } from '../dom/domGetters.ts';
import { parseHtmlInto } from './parseHtml.ts';

const FORBIDDEN_TAGS = [
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
const FORBIDDEN_ATTRIBUTES = [
  'action',
  'formaction',
  'ping',
  'background',
  'srcdoc',
  'usemap',
  'autofocus',
  'slot',
];

const COMMON_CONFIG: Config = {
  FORBID_TAGS: FORBIDDEN_TAGS,
  ALLOW_DATA_ATTR: false,
  // Guards a document that the markup is put into; ours is inert, and ids are content of the visible page.
  SANITIZE_DOM: false,
  RETURN_TRUSTED_TYPE: false,
};

const MAIN_CONTENT_CONFIG: Config = {
  ...COMMON_CONFIG,
  USE_PROFILES: { html: true, mathMl: true },
  FORBID_ATTR: [...FORBIDDEN_ATTRIBUTES, 'style', 'id', 'name', 'tabindex', 'draggable'],
  ALLOW_ARIA_ATTR: false,
  ADD_ATTR: ['srcset', 'aria-label', 'alttext'],
};

const FULL_PAGE_CONFIG: Config = {
  ...COMMON_CONFIG,
  USE_PROFILES: { html: true, mathMl: true, svg: true, svgFilters: true },
  FORBID_ATTR: FORBIDDEN_ATTRIBUTES,
  ADD_ATTR: ['srcset', 'contenteditable', 'alttext'],
};

/**
 * Markup through the parser and DOMPurify: a tree built by script may be one that markup cannot say, so the copy is
 * written out and parsed before it is judged.
 * @param root used up
 * @param fullPage keep class, id, ARIA, SVG and inline style, as the contract says of the visible page
 * @returns an element of an inert document that holds the clean nodes
 */
export function sanitizeHtml(root: Element, fullPage: boolean): HTMLElement {
  const inert = implementationOf(document).createHTMLDocument('');
  const clean = inert.body.appendChild(inert.createElement('div'));
  const markup = root.innerHTML;
  // Two trees of a large page at once are enough.
  root.replaceChildren();
  parseHtmlInto(clean, markup);
  createSanitizer(inert).sanitize(clean, {
    ...(fullPage ? FULL_PAGE_CONFIG : MAIN_CONTENT_CONFIG),
    IN_PLACE: true,
  });
  return clean;
}

/** The sanitiser gets a window of our own making: the page's document can shadow what it would call. */
function createSanitizer(inert: Document): ReturnType<typeof createDOMPurify> {
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
