/** The content of a page that is not an article: a home page, a listing, results, an application, a form. */
import { unfoldDrawings } from './drawings.ts';
import { isRemark, nameWords } from './names.ts';
import { Weights } from './weights.ts';

const MAIN = 'main,[role=main]';
const CONTENT_IDS = '#main,#content,#main-content,#mainContent,#bodyContent,.main-content,#primary';
const FURNITURE =
  'nav,[role=navigation],[role=banner],[role=contentinfo],[role=search],[role=complementary],aside,footer,header,[class*=skip-link i],[class*=skip-to i]';
const CONSENT = /(^|[-_\s])(cookie|consent|gdpr|onetrust)/i;
const SECTIONS = 'article,section,main,[role=main]';
const SHOWS = 'img,input,button,select,textarea,canvas,video';
/** A part with more than this share of the text is never furniture, whatever it is called. */
const MOST_DROPPED = 0.6;

/** Picks the content root in the copy and drops the furniture in it. */
export function landmarkContent(copy: Document): Element {
  const body = copy.body;
  unfoldDrawings(body);
  const whole = new Weights(body);
  const root = contentRoot(body, whole);
  const weights = root === body ? whole : new Weights(root);
  const before = weights.text(root);
  for (const element of root.querySelectorAll(`${FURNITURE},div,section`)) {
    if (!weights.has(element) || weights.text(element) > MOST_DROPPED * before) continue;
    if (element.matches('div,section') && !element.matches(FURNITURE)) {
      if (CONSENT.test(nameWords(element)) && element.querySelector('main,article,h1') === null)
        weights.drop(element);
    } else if (!belongsToContent(element, root)) weights.drop(element);
  }
  return root;
}

function contentRoot(body: HTMLElement, weights: Weights): Element {
  const total = Math.max(1, weights.text(body));
  const mains = [...body.querySelectorAll(MAIN)].filter(
    element => (element.parentElement?.closest(MAIN) ?? null) === null,
  );
  const best = mains.sort((a, b) => weights.text(b) - weights.text(a))[0];
  if (best !== undefined) {
    const text = weights.text(best);
    if (text >= 0.1 * total || text > 200 || best.querySelectorAll(SHOWS).length > 3) return best;
  }
  const named = body.querySelector(CONTENT_IDS);
  return named !== null && weights.text(named) >= 0.4 * total ? named : body;
}

/** A header or footer of a section belongs to the section; a header with the page's first heading is its title. */
function belongsToContent(element: Element, root: Element): boolean {
  if (isRemark(element)) return true;
  if (!/^(header|footer)$/.test(element.localName)) return false;
  const section = element.closest(SECTIONS);
  if (section !== null && section !== root && root.contains(section)) return true;
  return element.localName === 'header' && root.localName !== 'body' && element.querySelector('h1') !== null;
}
