/** Sanitizes the copy with the browser's sanitizer or DOMPurify, so that the result cannot run or load anything. */
import createDOMPurify, { type Config } from 'dompurify';
import { implementationOf } from '../../dom/domGetters.ts';
import { parseHtmlInto } from './parseHtml.ts';
import { parsePlainHtml } from './plainHtml.ts';

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
  // This option protects the document that receives the HTML. Our document is inert, and ids are content of the visible
  // page.
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

const WITH_IDS_CONFIG: Config = {
  ...MAIN_CONTENT_CONFIG,
  FORBID_ATTR: (MAIN_CONTENT_CONFIG.FORBID_ATTR ?? []).filter(name => name !== 'id'),
};

const FULL_PAGE_CONFIG: Config = {
  ...COMMON_CONFIG,
  USE_PROFILES: { html: true, mathMl: true, svg: true, svgFilters: true },
  FORBID_ATTR: FORBIDDEN_ATTRIBUTES,
  ADD_ATTR: ['srcset', 'contenteditable', 'alttext'],
};

/**
 * Removes everything that could run or load. Serializes and parses the HTML first, because scripts can build trees that
 * HTML cannot express.
 * @param root the element whose children are sanitized; empty afterwards
 * @param fullPage true to keep class, id, ARIA, SVG and inline style (docs/contract.md, visible page)
 * @param keepClasses true to keep the ids of main content
 * @returns an element of an inert document with the sanitized nodes
 */
export function sanitizeHtml(root: Element, fullPage: boolean, keepClasses = false): HTMLElement {
  const inert = implementationOf(document).createHTMLDocument('');
  const clean = inert.body.appendChild(inert.createElement('div'));
  const html = root.innerHTML;
  // DOMPurify takes ten times as long as the browser: it reads each node several times.
  if (parsePlainHtml(clean, html, root, fullPage ? 'page' : keepClasses ? 'ids' : 'content')) {
    root.replaceChildren();
    return clean;
  }
  // Free memory: at most two trees of a large page should exist at once.
  root.replaceChildren();
  parseHtmlInto(clean, html);
  createSanitizer(inert).sanitize(clean, {
    ...(fullPage ? FULL_PAGE_CONFIG : keepClasses ? WITH_IDS_CONFIG : MAIN_CONTENT_CONFIG),
    IN_PLACE: true,
  });
  return clean;
}

/**
 * Creates DOMPurify with an artificial window, because named elements of the page's document can shadow the members
 * that DOMPurify calls.
 */
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
