/** Removes permalinks and wrapper boxes of headings. */

const PERMALINK_SIGNS = /[\s#¶§⚓🔗\u200b]|\p{Variation_Selector}/gu;

/** Removes the links in headings whose only text is a permalink sign (`#`, `¶`). */
export function removeHeadingPermalinks(body: Element): void {
  for (const link of body.querySelectorAll('h1 a,h2 a,h3 a,h4 a,h5 a,h6 a,dt a.headerlink'))
    if ((link.textContent ?? '').replace(PERMALINK_SIGNS, '') === '' && link.querySelector('img') === null)
      link.remove();
}

/**
 * Maximum length of the text beside a heading in its wrapper ("edit", a permalink, "Section titled …"), in addition to
 * the heading's length.
 */
const MAX_CHARACTERS_BESIDE_HEADING = 20;

/**
 * Replaces each box that contains only a heading and a link ("Etymology [edit]") by the heading: Readability would classify them as
 * blocks of links.
 */
export function unwrapHeadings(body: Element): void {
  for (const heading of body.querySelectorAll('div > :is(h2,h3,h4,h5,h6):first-child')) {
    const box = heading.parentElement;
    if (box === null || box.querySelector('p,ul,ol,table,img,h2 ~ h2,h3 ~ h3') !== null) continue;
    const length = (heading.textContent ?? '').trim().length;
    const beside = (box.textContent ?? '').trim().length - length;
    if (box.querySelector('a') !== null && beside <= length + MAX_CHARACTERS_BESIDE_HEADING)
      box.replaceWith(heading);
  }
}
