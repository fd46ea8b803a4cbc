/**
 * Sanitizes plain HTML with the browser's own sanitizer (https://wicg.github.io/sanitizer-api/) while it parses. HTML is plain if it
 * has only elements and attribute values about which DOMPurify and the browser agree: no drawings, no formulas, no elements whose
 * text is not escaped, no value that looks like a URL of another scheme or like markup.
 */

/** Elements of plain HTML: those that DOMPurify keeps, without those whose text has its own rules. */
const PLAIN_ELEMENTS =
  'a abbr acronym address area article aside audio b bdi bdo big blockquote br button canvas caption center cite code col colgroup data datalist dd del details dfn dir div dl dt em fieldset figcaption figure font footer h1 h2 h3 h4 h5 h6 header hgroup hr i img input ins kbd label legend li main map mark marquee menu meter nav nobr ol optgroup option output p picture pre progress q rp rt ruby s samp search section select small source span strike strong sub summary sup table tbody td tfoot th thead time tr track tt u ul var video wbr'.split(
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

type SetHtml = (html: string, options: { readonly sanitizer: object }) => void;
type SanitizerClass = new (config: object) => object;

/** The sanitizer of main content; null until it is needed. */
let mainSanitizer: object | null = null;

/**
 * Parses HTML into `element`, without what can run or load and without the attributes that the content does not keep.
 * @param root the tree that was serialized to `html`
 * @param kept the attributes that stay: those of main content, also its ids, or those of the visible page
 * @returns false, without parsing, if the HTML is not plain or the browser has no sanitizer
 */
export function parsePlainHtml(
  element: Element,
  html: string,
  root: Element,
  kept: 'content' | 'ids' | 'page',
): boolean {
  const setHtml: SetHtml | undefined = Reflect.get(element, 'setHTML');
  const Sanitizer: SanitizerClass | undefined = Reflect.get(globalThis, 'Sanitizer');
  if (setHtml === undefined || Sanitizer === undefined || !isPlain(html, root)) return false;
  mainSanitizer ??= createSanitizer(Sanitizer, []);
  const sanitizer =
    kept === 'page'
      ? createSanitizer(Sanitizer, [...FULL_PAGE_ATTRIBUTES, ...ariaAttributes(html)])
      : kept === 'ids'
        ? createSanitizer(Sanitizer, ['id'])
        : mainSanitizer;
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
