/**
 * Protects embedded social media posts from Readability, which would remove them as blocks of links: their links become
 * spans until the article is found.
 */

const EMBEDDED_POST =
  'blockquote.twitter-tweet,blockquote.twitter-video,blockquote.instagram-media,blockquote.fb-xfbml-parse-ignore,blockquote.tiktok-embed';
/** Maximum number of elements around a post whose class and id are removed: names such as `social` would make Readability remove the post. */
const MAX_WRAPPERS = 3;

/** Replaces the links of embedded posts by spans that keep the URL, so that Readability keeps the posts. `restoreEmbeds` restores the links. */
export function protectEmbeds(body: Element): void {
  for (const quote of body.querySelectorAll(EMBEDDED_POST)) {
    for (const link of quote.querySelectorAll('a')) {
      const span = body.ownerDocument.createElement('span');
      span.setAttribute('data-pagespace-href', link.getAttribute('href') ?? '');
      span.append(...link.childNodes);
      link.replaceWith(span);
    }
    quote.removeAttribute('class');
    clearWrapperNames(quote);
  }
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
  for (const span of root.querySelectorAll('span[data-pagespace-href]')) {
    const link = root.ownerDocument.createElement('a');
    link.setAttribute('href', span.getAttribute('data-pagespace-href') ?? '');
    link.append(...span.childNodes);
    span.replaceWith(link);
  }
}
