/** Headings without the sign that links to themselves. */
const SIGNS = /[\s#¶§⚓🔗\u200b]|\p{Variation_Selector}/gu;

/** Drops permalink signs (`#`, `¶`) from headings. */
export function dropPermalinks(body: Element): void {
  for (const link of body.querySelectorAll('h1 a,h2 a,h3 a,h4 a,h5 a,h6 a'))
    if ((link.textContent ?? '').replace(SIGNS, '') === '' && link.querySelector('img') === null)
      link.remove();
}
