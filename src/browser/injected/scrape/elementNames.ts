/** Class names and ids by which sites call what stands around an article. Words, not sites. */
const BOILERPLATE_NAME =
  /(^|[-_\s])(related|recirc\w*|recommend\w*|newsletter\w*|subscri\w*|sign-?up|promo\w*|shar(e|ing)\w*|social\w*|breadcrumbs?|(mw-)?edit-?section|byline\w*|author-?(bio|box|info|card|profile)\w*|bio|about-?(the-?)?author|comments?|disqus\w*|respond|tags?|tag-?list|topics?|advert\w*|ads?|ad-\w+|sponsor\w*|outbrain|taboola|cookie\w*|consent|gdpr|paywall|read-?(more|next)|see-?also|more-?(stories|news|articles|on|from)|most-?(read|popular)|popular|trending|toolbar|print\w*|pagination|pager|widget\w*|skip-?(link|to)\w*|screen-?reader\w*|sr-only|visually-?hidden|hidden|timestamp|date-?(line)?|post-?(meta|info|tags|footer|nav\w*)|entry-?(meta|footer)|article-?(meta|footer|tags|tools|info)|meta(-?data)?|rating\w*|vote\w*|inline-?(related|newsletter|promo)|jp-relatedposts|sharedaddy|nav|navbar|navigation|menu\w*|masthead|copyright|disclaimer)($|[-_\s])/i;

const CAPTION_NAME =
  /(^|[-_\s])(caption\w*|credits?|wp-caption-text|figcaption|img-?caption|(image|photo|media)-?(caption|credit|copyright))($|[-_\s])/i;

/** Whether such a name belongs to a caption or credit of a picture. */
export const isCaptionName = (words: string): boolean => CAPTION_NAME.test(words);

/** What the page calls an element: class, id, component and role, as words apart. */
export function elementNames(element: Element): string {
  const names = ['class', 'id', 'data-component', 'role'].map(name => element.getAttribute(name) ?? '');
  return names
    .join(' ')
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .replace(/__/g, '-');
}

/** Whether such a name belongs to furniture: related stories, sharing, adverts, bylines, navigation. */
export const isBoilerplateName = (words: string): boolean => BOILERPLATE_NAME.test(words);

const ADMONITION_NAME =
  /footnote|admonition|callout|(^|[-_\s])(note|tip|hint|warning|caution|danger|important)($|[-_\s])/i;

/** Whether an `aside` is a remark of the text, as documentation has them, not something beside it. */
export const isAdmonition = (element: Element): boolean =>
  element.localName === 'aside' && ADMONITION_NAME.test(elementNames(element));
