/** Sanitizes the copy with the browser's sanitizer or DOMPurify, so that the result cannot run or load anything. */

import type { Config } from 'dompurify';
import createDOMPurify from 'dompurify';
import { implementationOf } from '../../dom/domGetters.ts';
import { documentState } from '../../dom/lifetimes.ts';

type SetHtml = (html: string, options: { readonly sanitizer: object }) => void;

/**
 * Parses HTML into an element of an inert document. `setHTML` is not subject to Trusted Types and removes everything
 * that could run; with an empty configuration it keeps the rest. Older browsers have only `innerHTML`; the result is
 * sanitized later anyway.
 */
export function parseHtmlInto(element: Element, html: string): void {
  const setHtml: SetHtml | undefined = Reflect.get(element, 'setHTML');
  if (setHtml === undefined) element.innerHTML = html;
  else setHtml.call(element, html, { sanitizer: {} });
}

/**
 * Elements of plain HTML: those that DOMPurify keeps, without those whose text has its own rules. The most frequent ones first: a selector tries
 * one name after another.
 */
const PLAIN_ELEMENTS =
  'div a span p li td tr abbr acronym address area article aside audio b bdi bdo big blockquote br button canvas caption center cite code col colgroup data datalist dd del details dfn dir dl dt em fieldset figcaption figure font footer h1 h2 h3 h4 h5 h6 header hgroup hr i img input ins kbd label legend main map mark marquee menu meter nav nobr ol optgroup option output picture pre progress q rp rt ruby s samp search section select small source strike strong sub summary sup table tbody tfoot th thead time track tt u ul var video wbr'.split(
    ' ',
  );
/** Elements of plain HTML that are replaced by their children. */
const UNWRAPPED_ELEMENTS = ['form'];
/** Attributes that the visible page keeps, beside those of main content and `aria-…`. */
const FULL_PAGE_ATTRIBUTES = ['id', 'name', 'style', 'tabindex', 'draggable', 'contenteditable'];
/** Attributes that main content and the visible page keep. */
const ATTRIBUTES =
  'accept align alt alttext aria-label autocapitalize autocomplete autopictureinpicture autoplay bgcolor border capture cellpadding cellspacing checked cite class clear color cols colspan command commandfor controls controlslist coords crossorigin datetime decoding default dir disabled disablepictureinpicture disableremoteplayback download enctype enterkeyhint exportparts face headers height hidden high href hreflang inert inputmode integrity ismap kind label lang list loading loop low max maxlength media method min minlength multiple muted nonce noshade novalidate nowrap open optimum part pattern placeholder playsinline popover popovertarget popovertargetaction poster preload pubdate radiogroup readonly rel required rev reversed role rows rowspan spellcheck scope selected shape size sizes span srclang start src srcset step summary title translate type valign value width wrap xmlns accent accentunder bevelled close columnalign columnlines columnspacing columnspan denomalign depth display displaystyle encoding fence frame largeop length linethickness lquote lspace mathbackground mathcolor mathsize mathvariant maxsize minsize movablelimits notation numalign rowalign rowlines rowspacing rspace rquote scriptlevel scriptminsize scriptsizemultiplier selection separator separators stretchy subscriptshift supscriptshift symmetric voffset'.split(
    ' ',
  );
/** Elements on which `for` names a control. On others it can link a declarative patch. */
const LABELLING_ELEMENTS = ['label', 'output'];

const NOT_PLAIN = `:not(${[...PLAIN_ELEMENTS, ...UNWRAPPED_ELEMENTS].join()})`;
/** Attributes whose value is never a URL, so that a colon in it says nothing. */
const TEXT_ATTRIBUTES =
  'alt|class|for|id|label|name|pattern|placeholder|role|style|summary|title|value|data-[\\w-]+';
/** Matches an attribute whose value begins like a URL of a scheme that DOMPurify does not keep everywhere. */
const UNUSUAL_URL = new RegExp(
  ` (?!(?:${TEXT_ATTRIBUTES})="|src="data:image/)[\\w:.-]+="(?!(?:(?:f|ht)tps?|mailto|tel|callto|sms|cid|xmpp|matrix):)[a-z\\s\\0-\\x20\\u180e+.-]+:`,
  'i',
);
/** Matches the end of a comment, of CDATA or of an element with raw text, escaped or not. */
const BREAKOUT =
  /(?:--!?|\])(?:>|&gt;)|(?:<|&lt;)\/(?:style|script|title|xmp|textarea|noscript|iframe|noembed|noframes)/i;

type SanitizerClass = new (config: object) => object;

/** The sanitizer of main content; null until it is needed. */
const mainSanitizer = documentState.value(() => ({ made: null as object | null }));

/**
 * Parses HTML into `element`, without what can run or load and without the attributes that the content does not keep.
 * @param root the tree that was serialized to `html`
 * @param kept the attributes that stay: those of main content, also its ids, or those of the visible page
 * @returns false, without parsing, if the HTML is not plain or the browser has no sanitizer
 */
function parsePlainHtml(
  element: Element,
  html: string,
  root: Element,
  kept: 'content' | 'ids' | 'page',
): boolean {
  const setHtml: SetHtml | undefined = Reflect.get(element, 'setHTML');
  const Sanitizer: SanitizerClass | undefined = Reflect.get(globalThis, 'Sanitizer');
  if (setHtml === undefined || Sanitizer === undefined || !isPlain(html, root)) return false;
  const main = mainSanitizer();
  main.made ??= createSanitizer(Sanitizer, []);
  const sanitizer =
    kept === 'page'
      ? createSanitizer(Sanitizer, [...FULL_PAGE_ATTRIBUTES, ...ariaAttributes(html)])
      : kept === 'ids'
        ? createSanitizer(Sanitizer, ['id'])
        : main.made;
  setHtml.call(element, html, { sanitizer });
  return true;
}

const isPlain = (html: string, root: Element): boolean =>
  root.querySelector(NOT_PLAIN) === null && !BREAKOUT.test(html) && !UNUSUAL_URL.test(html);

/** Returns the names of the ARIA attributes in HTML: pages use more than the standard has. */
const ariaAttributes = (html: string): ReadonlySet<string> =>
  new Set(Array.from(html.matchAll(/ (aria-[\w-]+)="/g), ([, name = '']) => name));

const createSanitizer = (Sanitizer: SanitizerClass, attributes: readonly string[]): object =>
  new Sanitizer({
    elements: PLAIN_ELEMENTS.map(name =>
      LABELLING_ELEMENTS.includes(name) ? { name, attributes: ['for'] } : name,
    ),
    replaceWithChildrenElements: UNWRAPPED_ELEMENTS,
    attributes: [...new Set([...ATTRIBUTES, ...attributes])],
    comments: false,
    dataAttributes: false,
  });

const LOADS_RESOURCE =
  /url\(|image-set\(|image\(|src\(|expression|-moz-binding|behavior|@import|javascript:/i;

/** Removes from an element's `style` the declarations that load something, and those with an escape, which could hide a load. */
export function sanitizeInlineStyle(element: Element): void {
  const raw = element.getAttribute('style');
  if (raw === null || !(LOADS_RESOURCE.test(raw) || raw.includes('\\'))) return;
  const style = (element as HTMLElement).style as CSSStyleDeclaration | undefined;
  if (style === undefined) {
    element.removeAttribute('style');
    return;
  }
  for (const property of Array.from(style)) {
    const value = style.getPropertyValue(property);
    // Removing one part of a shorthand leaves its other parts as `initial`, which the page did not write.
    if (LOADS_RESOURCE.test(value) || value.includes('\\') || value === 'initial')
      style.removeProperty(property);
  }
  const tamed = style.cssText;
  if (tamed === '' || LOADS_RESOURCE.test(tamed) || tamed.includes('\\')) element.removeAttribute('style');
  else element.setAttribute('style', tamed);
}

const FORBIDDEN_TAGS = 'style form dialog script template iframe frame object embed link meta base'.split(
  ' ',
);
const FORBIDDEN_ATTRIBUTES = 'action formaction ping background srcdoc usemap autofocus slot'.split(' ');

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
  createPurifier(inert).sanitize(clean, {
    ...(fullPage ? FULL_PAGE_CONFIG : keepClasses ? WITH_IDS_CONFIG : MAIN_CONTENT_CONFIG),
    IN_PLACE: true,
  });
  return clean;
}

/**
 * Creates DOMPurify with an artificial window, because named elements of the page's document can shadow the members
 * that DOMPurify calls.
 */
function createPurifier(inert: Document): ReturnType<typeof createDOMPurify> {
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
