/**
 * Returns a selector list of the elements whose attribute contains a word as authors write it: `load`, `Load` or `LOAD`;
 * `cookie-banner`, `Cookie-banner`, `Cookie-Banner` or `COOKIE-BANNER`. Chromium needs ten times longer for `[class*="load" i]`.
 */
export function anyCase(attribute: string, word: string): string {
  const capitalized = word.charAt(0).toUpperCase() + word.slice(1);
  const title = word.replace(/(^|-)[a-z]/g, letter => letter.toUpperCase());
  const spellings = new Set([word, capitalized, title, word.toUpperCase()]);
  return [...spellings].map(spelling => `[${attribute}*="${spelling}"]`).join(',');
}
