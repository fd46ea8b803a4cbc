/** The one vocabulary of the names (class, id, role) that sites give their elements: groups of words, each with one meaning. */

/** The words of each group. A word belongs to the first group that lists it. */
const GROUPS = {
  navigation:
    'nav navbar navigation menu menus submenu megamenu dropdown gnav subnav offcanvas flyout drawer hamburger',
  head: 'header masthead topbar banner hero jumbotron top announcement',
  foot: 'footer colophon bottom copyright legal disclaimer contentinfo siteinfo',
  side: 'sidebar aside rail complementary secondary widget widgets sidecol right left',
  related:
    'related recommend recommended recommendation recommendations recs similar upsell upsells crosssell cross more also recently viewed suggested suggestion suggestions trending popular next previous prev bought together carousel slider swiper slick',
  share: 'share sharing social follow facebook twitter pinterest addthis sns',
  consent: 'cookie cookies consent gdpr onetrust privacy',
  advert:
    'ad ads advert advertisement adsbygoogle sponsor sponsored promo promotion promotional promotions outbrain taboola offer offers',
  subscribe: 'newsletter subscribe subscription signup register registration join',
  account: 'login signin account cart basket bag checkout wishlist favorite favorites minicart user',
  crumb: 'breadcrumb breadcrumbs crumb crumbs path',
  pager: 'pagination pager paging paginator pages pagenav page',
  filter:
    'filter filters facet facets facetwp refine refinement refinements sort sorting sortby orderby toolbar swatch swatches layered',
  overlay: 'modal popup overlay dialog lightbox tooltip popover notification toast alert notice notices',
  form: 'form search searchbox searchform input field fieldset button btn cta control controls action actions quickreply editor',
  hidden: 'hidden sr only screen reader visually visuallyhidden offscreen skip skiplink noprint',
  signature: 'signature sig',
  poster:
    'avatar userinfo userbox username usertitle userstats postprofile author byline profile member memberheader poster extra',
  meta: 'meta metadata info tag tags label labels badge badges date timestamp time stats count counter views likes rank reputation rating ratings stars vote votes',
  comment: 'comment comments reply replies respond disqus answers answer',
  post: 'post posts message messages thread topic discussion conversation bbwrapper postbody postcontent question',
  review: 'review reviews testimonial testimonials feedback yotpo bazaarvoice trustpilot',
  product: 'product products item pdp sku',
  description:
    'description desc summary excerpt overview detail details about intro synopsis feature features highlights',
  specification:
    'spec specs specification specifications attribute attributes properties dimensions technical ingredients materials',
  price: 'price prices pricing cost money amount sale',
  option:
    'variant variants option options quantity qty size sizes color colors selector choose shipping delivery returns availability stock',
  card: 'card cards tile tiles teaser grid results result list listing listings collection collections catalog category categories',
  title: 'title heading headline name h1 h2 h3',
  article: 'article story entry blog prose richtext rte wysiwyg markdown doc docs documentation',
  content: 'content contents main body text copy paragraph primary container section block',
  toc: 'toc tableofcontents outline onthispage',
  faq: 'faq faqs accordion collapse collapsible tab tabs tabpanel panel',
  caption: 'caption figcaption credit credits image img photo gallery media thumbnail thumb video',
  help: 'help support contact chat store stores location locations phone',
} as const satisfies Readonly<Record<string, string>>;

/** The names of the groups, in the order of their indexes. */
export const NAME_GROUPS = Object.keys(GROUPS);

const GROUP_OF_WORD = new Map<string, number>();
for (const [index, words] of Object.values(GROUPS).entries())
  for (const word of words.split(' ')) if (!GROUP_OF_WORD.has(word)) GROUP_OF_WORD.set(word, index);

const NAMING_ATTRIBUTES = ['class', 'id', 'role', 'itemprop', 'data-testid', 'data-component'];
/** Maximum length of the names of an element that are read. */
const MAX_NAME_CHARACTERS = 400;

/** The groups of names that were read before: repeated elements have the same names. */
const KNOWN_NAMES = new Map<string, readonly number[]>();
const MAX_KNOWN_NAMES = 2_000;

/** Returns the indexes of the groups to which the words in an element's class, id, role and test id belong. */
export function nameGroupsOf(element: Element): readonly number[] {
  if (!element.hasAttributes()) return [];
  let names = '';
  for (const attribute of NAMING_ATTRIBUTES) {
    const value = element.getAttribute(attribute);
    if (value !== null && value !== '') names += ` ${value}`;
  }
  return names === '' ? [] : nameGroups(names);
}

export function nameGroups(names: string): readonly number[] {
  const known = KNOWN_NAMES.get(names);
  if (known !== undefined) return known;
  const groups = groupsOfWords(names);
  if (KNOWN_NAMES.size < MAX_KNOWN_NAMES) KNOWN_NAMES.set(names, groups);
  return groups;
}

function groupsOfWords(names: string): readonly number[] {
  const words = names
    .slice(0, MAX_NAME_CHARACTERS)
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase();
  const found: number[] = [];
  for (const word of words.split(/[^a-z0-9]+/)) {
    const group = GROUP_OF_WORD.get(word);
    if (group !== undefined && !found.includes(group)) found.push(group);
  }
  return found;
}

export type NameGroup = keyof typeof GROUPS;

export const hasName = (element: Element, ...groups: readonly NameGroup[]): boolean =>
  nameGroupsOf(element).some(group => groups.some(name => NAME_GROUPS[group] === name));

const CAPTION_NAME =
  /(^|[-_\s])(caption\w*|credits?|wp-caption-text|figcaption|img-?caption|(image|photo|media)-?(caption|credit|copyright))($|[-_\s])/i;

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

/** The groups of names whose elements belong to the page, not to its text. */
const BOILERPLATE_GROUPS = new Set(
  'navigation related share consent advert subscribe crumb pager hidden meta comment'
    .split(' ')
    .map(name => NAME_GROUPS.indexOf(name)),
);

/** Returns true if an element's names include one for boilerplate: related stories, sharing, advertisements, bylines, navigation. */
export const isBoilerplateName = (names: string): boolean =>
  nameGroups(names).some(group => BOILERPLATE_GROUPS.has(group));
