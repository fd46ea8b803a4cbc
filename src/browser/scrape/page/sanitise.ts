/** DOMPurify over the copy: whatever the page wrote, what leaves here runs nothing. */
import createDOMPurify, { type Config } from 'dompurify';
import { implementationOf } from './live.ts';

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
const NEVER_ATTRIBUTES = ['action', 'formaction', 'ping', 'background', 'srcdoc', 'usemap', 'autofocus'];

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
  ADD_ATTR: ['srcset', 'aria-label'],
};

const WHOLE: Config = {
  ...COMMON,
  USE_PROFILES: { html: true, mathMl: true, svg: true, svgFilters: true },
  FORBID_ATTR: NEVER_ATTRIBUTES,
  ADD_ATTR: ['srcset', 'contenteditable'],
};

/**
 * The sanitiser gets a window of our own making: the page's document can shadow what it would call, and under Trusted
 * Types it may not make a policy.
 */
function sanitiser(): ReturnType<typeof createDOMPurify> {
  const clean = implementationOf(document).createHTMLDocument('');
  const view = {
    document: clean,
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

/**
 * @param whole keep class, id, ARIA, SVG and inline style, as the contract says of the visible page
 * @returns a body element of an inert document, made by parsing the serialised markup anew, so that no tree that markup
 *   cannot say survives
 */
export function sanitise(root: Element, whole: boolean): HTMLElement {
  const config = { ...(whole ? WHOLE : MAIN), RETURN_DOM: true as const };
  return sanitiser().sanitize(root.innerHTML, config) as HTMLElement;
}
