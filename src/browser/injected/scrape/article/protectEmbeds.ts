/**
 * Protects embedded social media posts and players from Readability, which would remove them as blocks of links: their links become
 * spans until the article is found.
 */

import { PLAYER_LINK } from '../snapshot/replacedContent.ts';

/** Keeps the URL of a link until the article is found. */
export const HIDDEN_HREF = 'data-pagespace-href';
const EMBEDDED_POST =
  'blockquote.twitter-tweet,blockquote.twitter-video,blockquote.instagram-media,blockquote.fb-xfbml-parse-ignore,blockquote.tiktok-embed';
/** Maximum number of elements around a post whose class and id are removed: names such as `social` would make Readability remove the post. */
const MAX_WRAPPERS = 3;

/** Replaces the links of embedded posts by spans that keep the URL, so that Readability keeps the posts. `restoreEmbeds` restores the links. */
export function protectEmbeds(body: Element): void {
  for (const link of body.querySelectorAll(`a[${PLAYER_LINK}]`)) hideLink(link);
  for (const quote of body.querySelectorAll(EMBEDDED_POST)) {
    for (const link of quote.querySelectorAll('a')) hideLink(link);
    quote.removeAttribute('class');
    clearWrapperNames(quote);
  }
}

function hideLink(link: Element): void {
  const span = link.ownerDocument.createElement('span');
  span.setAttribute(HIDDEN_HREF, link.getAttribute('href') ?? '');
  span.append(...link.childNodes);
  link.replaceWith(span);
}

function clearWrapperNames(quote: Element): void {
  const length = quote.textContent?.length ?? 0;
  let wrapper = quote.parentElement;
  for (let level = 0; level < MAX_WRAPPERS && wrapper?.localName === 'div'; level++) {
    if ((wrapper.textContent?.length ?? 0) > length + 20) return;
    wrapper.removeAttribute('class');
    wrapper.removeAttribute('id');
    wrapper = wrapper.parentElement;
  }
}

/** Undoes `protectEmbeds`: turns each span that it created back into a link. */
export function restoreEmbeds(root: Element): void {
  for (const span of root.querySelectorAll(`span[${HIDDEN_HREF}]`)) {
    const link = root.ownerDocument.createElement('a');
    link.setAttribute('href', span.getAttribute(HIDDEN_HREF) ?? '');
    link.append(...span.childNodes);
    span.replaceWith(link);
  }
}
