/**
 * Entry point of the bundle `prewarm`: installs `globalThis.__pagespacePrewarm`, which runs the other two scripts once on
 * sample content, so that the process has compiled them before an operation needs them.
 */
import type { ContentSelection } from '../../../domain/scrapeRequest.ts';
import type { PageScraper } from '../scrape/pageScraper.ts';
import type { PageAgent } from './pageAgent.ts';

declare const __pagespace: PageAgent;
declare const __pagespaceScrape: PageScraper;

/** HTML with the common kinds of content (menu, article, list, table, form), so that the code for each kind runs. */
const SAMPLE_HTML = `<header><nav aria-label="Menu"><ul><li><a href="/a">One</a></li><li><a href="/b">Two</a></li></ul></nav></header>
<main><article><h1>A title</h1>${'<p>A paragraph of plain text, with <a href="/c">a link</a>, <b>some weight</b> and enough words to be content of a page.</p>'.repeat(6)}
<ul><li>First</li><li>Second</li></ul><table><tr><th>A</th></tr><tr><td>B</td></tr></table><img alt="An image" width="9" height="9"></article>
<form><label>Name <input name="n"></label><select><option>A</option></select><label><input type="checkbox"> Yes</label><button>Go</button></form></main><footer><p>End</p></footer>`;

/**
 * Runs the agent and the scraper once on sample content, so that the browser process has compiled them. Use it only on a
 * blank page: it leaves the body empty.
 * @param parts the content parts to read from the sample
 */
async function prewarm(parts: ContentSelection): Promise<void> {
  const template = document.createElement('template');
  template.innerHTML = SAMPLE_HTML;
  document.body.append(template.content);
  try {
    __pagespace.markStep();
    await __pagespace.settle(1, 1);
    __pagespace.observe({ listenerTypes: [], top: true });
    __pagespaceScrape.start(parts);
  } finally {
    document.body.replaceChildren();
  }
}

Object.defineProperty(globalThis, '__pagespacePrewarm', { value: prewarm, configurable: true });
