/**
 * Entry point of the bundle `prewarm`: installs `globalThis.__pagespacePrewarm`, which runs the other two scripts once on
 * sample content, so that the process has compiled them before an operation needs them.
 */
import type { ContentSelection } from '../../../domain/content/scrape.ts';
import type { PageScraper } from '../scrape/pageScraper.ts';
import type { PageAgent } from './main.ts';

declare const __pagespace: PageAgent;
declare const __pagespaceScrape: PageScraper;

/** Two rows with actions of the same names, whose cells tell them apart. */
const ROWS = ['One', 'Two']
  .map(
    name =>
      `<tr><td>${name}</td><td><a href="/e">Edit</a> <button class="btn icon-bin" title="Bin"><svg width="9" height="9"><path d="M0 0h9v9z"></path></svg></button></td></tr>`,
  )
  .join('');

/** HTML with the common kinds of content (menu, article, list, table, form, notices), so that the code for each kind runs. */
const SAMPLE_HTML = `<style>.a:hover .b { color: red } .c::before { content: "x" } @media (width > 1px) { .d { background: #eee } }</style>
<header style="position:fixed;top:0"><nav aria-label="Menu"><ul><li><a href="/a">One</a></li><li><a href="/b">Two</a></li></ul></nav><img alt=""></header>
<main><article class="a"><h1 class="c">A title</h1>${'<p>A paragraph of plain text, with <a href="https://a.test/c">a link</a>, <b>some weight</b> and enough words to be content of a page.</p>'.repeat(6)}
<ul><li>First <a href="/1">Show</a></li><li>Second <a href="/2">Show</a></li><li style="cursor:pointer" class="d"><span>Third</span></li></ul>
<table><tr><th>Name</th><th>Do</th></tr>${ROWS}</table><img alt="An image" width="9" height="9"></article>
<div class="alert error">Wrong</div><p role="status">Saved</p><p>Loading…</p><div class="skeleton spinner"></div>
<form><label>Name <input name="n" required></label><textarea></textarea><select><option>A</option></select><label><input type="checkbox" style="opacity:0;position:absolute"> Yes</label>
<label><input type="radio" style="display:none"> No</label><div role="button" tabindex="0" aria-expanded="false"><i class="icon-star"></i></div><button>Go</button><div contenteditable>Text</div></form>
<div style="overflow:auto;height:20px"><div style="height:99px">Long</div></div></main><footer><p>End</p></footer>`;

/** A page that is no article and not small, so that the models judge its blocks. */
const CARDS_HTML = `<nav><a href="/a">One</a></nav><main><h1>All cards</h1>${'<div class="card"><h3><a href="/d">A card</a></h3><p>What the card says, with all its words, in one line. <a href="https://a.test/e">More</a></p></div>'.repeat(40)}<button>Go</button><label>Name <input name="n"></label></main>`;

/** Elements of the sample that are observed as if they had event listeners. */
const LISTENING = 'tr, li, [role=button], label, main';

/** Runs the scripts on sample content, so that the process has compiled them. Only for a blank page: it leaves the body empty. */
async function prewarm(parts: ContentSelection): Promise<void> {
  const show = (html: string): void => {
    const template = document.createElement('template');
    template.innerHTML = html;
    document.body.replaceChildren(template.content);
  };
  show(SAMPLE_HTML);
  const observe = (): string => {
    const nodes = [...document.querySelectorAll(LISTENING)];
    const listenerTypes = nodes.map(() => ['click', 'mousedown']);
    return __pagespace.observe({ listenerTypes, top: true }, ...nodes);
  };
  try {
    await __pagespace.settle(1);
    observe();
    void __pagespace.prepareAction(1, '', 'never', false);
    __pagespace.markStep();
    document.querySelector('[role=status]')?.replaceChildren('Changed');
    document.querySelector('h1')?.replaceChildren('Another title');
    document.querySelector('footer')?.remove();
    await __pagespace.settle(9, 1);
    observe();
    __pagespaceScrape.start(parts);
    show(CARDS_HTML);
    __pagespaceScrape.start(parts);
  } finally {
    document.body.replaceChildren();
    // The next observation tells no text of the sample as gone.
    for (let nth = 0; nth < 2; nth++) __pagespace.observe({ listenerTypes: [], top: true });
    __pagespace.endStep(false);
  }
}

Object.defineProperty(globalThis, '__pagespacePrewarm', { value: prewarm, configurable: true });
