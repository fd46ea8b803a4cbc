/** A warm page rehearses what it will be asked, so that its process has the scripts compiled when it matters. */

import { PAGE_PARTS } from '../../domain/contentParts.ts';
import { emptyLocator } from '../act/elementLocator.ts';
import { injectedScript } from '../cdp/injectedScript.ts';
import type { Tab } from '../tab/tab.ts';

/** A bit of everything that pages hold: each kind takes the scripts through the code that handles it. */
const SAMPLE_HTML = `<header><nav aria-label="Menu"><ul><li><a href="/a">One</a></li><li><a href="/b">Two</a></li></ul></nav></header>
<main><article><h1>A title</h1>${'<p>A paragraph of plain text, with <a href="/c">a link</a>, <b>some weight</b> and enough words to be content of a page.</p>'.repeat(6)}
<ul><li>First</li><li>Second</li></ul><table><tr><th>A</th></tr><tr><td>B</td></tr></table><img alt="An image" width="9" height="9"></article>
<form><label>Name <input name="n"></label><select><option>A</option></select><label><input type="checkbox"> Yes</label><button>Go</button></form></main><footer><p>End</p></footer>`;

const ALL_PARTS = { ...Object.fromEntries(PAGE_PARTS.map(part => [part, true])), onlyMainContent: true };

/** Runs in the isolated world of the tab's blank page, which is as empty afterwards as it was before. */
export async function prewarmPage(tab: Tab): Promise<void> {
  const world = tab.target.worlds.find(tab.mainFrameId);
  if (world === null) return;
  const expression = `${injectedScript('perceive')};${injectedScript('scrape')};(async () => {
    const template = document.createElement('template');
    template.innerHTML = ${JSON.stringify(SAMPLE_HTML)};
    document.body.append(template.content);
    try {
      __pagespace.markStep();
      await __pagespace.settle(1, 1);
      __pagespace.observe({ listenerTypes: [], top: true });
      await globalThis.__pagespaceScrape.start(${JSON.stringify(ALL_PARTS)});
    } finally {
      document.body.replaceChildren();
    }
  })()`;
  await tab.target.channel.session.send('Runtime.evaluate', {
    expression,
    contextId: world.contextId,
    awaitPromise: true,
  });
  await emptyLocator(tab).count();
}
