/** The content of a page that is not an article: a home page, a listing, results, an application, a form. */

import { elementNames, isAdmonition } from './elementNames.ts';
import { expandSvgText } from './svgText.ts';
import { TextStats } from './textStats.ts';

const MAIN = 'main,[role=main]';
const CONTENT_IDS = '#main,#content,#main-content,#mainContent,#bodyContent,.main-content,#primary';
const BOILERPLATE =
  'nav,[role=navigation],[role=banner],[role=contentinfo],[role=search],[role=complementary],aside,footer,header,[class*=skip-link i],[class*=skip-to i]';
const CONSENT_NAME = /(^|[-_\s])(cookie|consent|gdpr|onetrust)/i;
const SECTIONS = 'article,section,main,[role=main]';
const VISIBLE_CONTENT = 'img,input,button,select,textarea,canvas,video';
/** A part with more than this share of the text is never furniture, whatever it is called. */
const MAX_REMOVED_SHARE = 0.6;

/** Picks the content root in the copy and drops the furniture in it. */
export function landmarkContent(copy: Document): Element {
  const body = copy.body;
  expandSvgText(body);
  const whole = new TextStats(body);
  const root = findContentRoot(body, whole);
  const weights = root === body ? whole : new TextStats(root);
  const before = weights.textLength(root);
  for (const element of root.querySelectorAll(`${BOILERPLATE},div,section`)) {
    if (!weights.contains(element) || weights.textLength(element) > MAX_REMOVED_SHARE * before) continue;
    if (element.matches('div,section') && !element.matches(BOILERPLATE)) {
      if (CONSENT_NAME.test(elementNames(element)) && element.querySelector('main,article,h1') === null)
        weights.remove(element);
    } else if (!belongsToContent(element, root)) weights.remove(element);
  }
  return root;
}

function findContentRoot(body: HTMLElement, weights: TextStats): Element {
  const total = Math.max(1, weights.textLength(body));
  const mains = [...body.querySelectorAll(MAIN)].filter(
    element => (element.parentElement?.closest(MAIN) ?? null) === null,
  );
  const best = mains.sort((a, b) => weights.textLength(b) - weights.textLength(a))[0];
  if (best !== undefined) {
    const text = weights.textLength(best);
    if (text >= 0.1 * total || text > 200 || best.querySelectorAll(VISIBLE_CONTENT).length > 3) return best;
  }
  const named = body.querySelector(CONTENT_IDS);
  return named !== null && weights.textLength(named) >= 0.4 * total ? named : body;
}

/** A header or footer of a section belongs to the section; a header with the page's first heading is its title. */
function belongsToContent(element: Element, root: Element): boolean {
  if (isAdmonition(element)) return true;
  if (!/^(header|footer)$/.test(element.localName)) return false;
  const section = element.closest(SECTIONS);
  if (section !== null && section !== root && root.contains(section)) return true;
  return element.localName === 'header' && root.localName !== 'body' && element.querySelector('h1') !== null;
}
