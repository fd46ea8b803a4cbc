/** Headings without the sign that links to themselves. */
const SIGN = /^(?:[\s#¶§⚓\u200b\ufe0e\ufe0f]|🔗)*$/u;

/** Drops permalink signs (`#`, `¶`) from headings. */
export function dropPermalinks(body: Element): void {
  for (const link of body.querySelectorAll('h1 a,h2 a,h3 a,h4 a,h5 a,h6 a'))
    if (SIGN.test(link.textContent ?? '') && link.querySelector('img') === null) link.remove();
}
