/** Hides the names of elements that Readability misreads, and restores them after it. */

/** Keeps the class of a heading while Readability reads the page. */
const HIDDEN_CLASS = 'data-pagespace-class';
const HEADINGS = 'h1,h2,h3,h4,h5,h6';
/** Matches class names that say how far the window scrolls; to Readability `scroll` is the name of an endless list. */
const SCROLLING = /(^|\s)\S*(?:scroll-(?:m|p|margin|padding|snap)|overflow-)\S*/g;

/**
 * Hides the names of headings (Readability takes `module_header` for the header of the page, and the id, which is the heading's text, for the
 * name of a box of comments or sharing) and the names that only style how the window scrolls.
 */
export function hideMisleadingNames(body: Element): void {
  for (const heading of body.querySelectorAll(HEADINGS)) {
    const names = heading.getAttribute('class');
    if (names !== null) heading.setAttribute(HIDDEN_CLASS, names);
    heading.removeAttribute('class');
    heading.removeAttribute('id');
  }
  for (const element of body.querySelectorAll('[class*=scroll],[class*=overflow-]'))
    element.setAttribute('class', (element.getAttribute('class') ?? '').replace(SCROLLING, ' '));
}

/** Restores the classes of the headings. Their ids stay away. */
export function restoreHeadingNames(root: Element): void {
  for (const heading of root.querySelectorAll(`[${HIDDEN_CLASS}]`)) {
    heading.setAttribute('class', heading.getAttribute(HIDDEN_CLASS) ?? '');
    heading.removeAttribute(HIDDEN_CLASS);
  }
}
