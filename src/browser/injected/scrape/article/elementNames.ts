/** Recognizes boilerplate, captions and admonitions by the names (class, id, role) that sites give their elements. */
const BOILERPLATE_NAME =
  /(^|[-_\s])(related|recirc\w*|recommend\w*|newsletter\w*|subscri\w*|sign-?up|promo\w*|shar(e|ing)\w*|social\w*|breadcrumbs?|(mw-)?edit-?section|byline\w*|author-?(bio|box|info|card|profile)\w*|bio|about-?(the-?)?author|comments?|disqus\w*|respond|tags?|tag-?list|topics?|advert\w*|ads?|ad-\w+|sponsor\w*|outbrain|taboola|cookie\w*|consent|gdpr|paywall|read-?(more|next)|see-?also|more-?(stories|news|articles|on|from)|most-?(read|popular)|popular|trending|toolbar|print\w*|pagination|pager|widget\w*|skip-?(link|to)\w*|screen-?reader\w*|sr-only|visually-?hidden|hidden|timestamp|date-?(line)?|post-?(meta|info|tags|footer|nav\w*)|entry-?(meta|footer)|article-?(meta|footer|tags|tools|info)|meta(-?data)?|rating\w*|vote\w*|inline-?(related|newsletter|promo)|jp-relatedposts|sharedaddy|nav|navbar|navigation|menu\w*|masthead|copyright|disclaimer)($|[-_\s])/i;

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

/** Returns true if an element's names (see `elementNames`) include one for boilerplate: related stories, sharing, advertisements, bylines, navigation. */
export const isBoilerplateName = (names: string): boolean => BOILERPLATE_NAME.test(names);

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
