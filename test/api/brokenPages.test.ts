import { afterAll, beforeAll, expect, test } from 'vitest';
import { callApi } from '../support/callApi.ts';
import { type Page, type ServedPages, servePages } from '../support/servePages.ts';
import { startTestProduct, type TestProduct } from '../support/startServer.ts';

/** Pages whose document is in a state that no parser makes: no operation on them is an internal error or a line of the log. */

const script = (code: string): string =>
  `<!doctype html><title>Broken</title><body><h1>Broken</h1><a href="/next">Next</a><script>${code}</script>`;
const typed =
  (type: string, body: string): Page =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': type });
    response.end(body);
  };
const SVG = 'http://www.w3.org/2000/svg';

const PAGES: Readonly<Record<string, Page>> = {
  'no-root': script('document.documentElement.remove()'),
  'comment-only': script('document.documentElement.replaceWith(document.createComment("nothing"))'),
  'empty-root': script('document.documentElement.innerHTML = ""; document.documentElement.textContent = ""'),
  'no-body': script('document.body.remove()'),
  'no-head': script('document.head.remove()'),
  'svg-root': script(`document.documentElement.replaceWith(document.createElementNS("${SVG}", "svg"))`),
  'unknown-root': script('document.documentElement.replaceWith(document.createElement("x-root"))'),
  'adopted-root': script(
    'document.implementation.createDocument(null, null).appendChild(document.documentElement)',
  ),
  opened: script('document.open()'),
  'half-written': script('document.open(); document.write("<p>half <a href=/next>Next</a><div")'),
  'root-later': script('setTimeout(() => document.documentElement.remove(), 50)'),
  'broken-frame':
    '<title>Frame</title><iframe srcdoc="<script>document.documentElement.remove()</script>"></iframe><button>Outside</button>',
  'replaced-later': script('setTimeout(() => { location.href = "about:blank" }, 30)'),
  'removed-frame': script(
    'const f = document.body.appendChild(document.createElement("iframe")); setTimeout(() => f.remove(), 20)',
  ),
  'frames-in-frames': script(
    'let inner = document; for (let i = 0; i < 40; i++) inner = inner.body.appendChild(inner.createElement("iframe")).contentDocument; inner.body.innerHTML = "<button>Deep</button>"',
  ),
  frameset:
    '<title>Frames</title><frameset cols="50%,50%"><frame src="/no-root"><frame src="about:blank"></frameset>',
  xml: typed('application/xml', '<list><item>One</item></list>'),
  'broken-xml': typed('application/xml', '<list><item>One</list>'),
  xhtml: typed(
    'application/xhtml+xml',
    '<html xmlns="http://www.w3.org/1999/xhtml"><a href="/next">Next</a></html>',
  ),
  svg: typed('image/svg+xml', `<svg xmlns="${SVG}"><a href="/next"><text y="20">Next</text></a></svg>`),
  'no-bytes': typed('text/html', ''),
  'no-content': (_request, response) => response.writeHead(204).end(),
  'tampered-prototypes': script(
    'for (const type of [Node, Element, Document, HTMLElement, Array, Map, Promise, Object]) for (const name of Object.getOwnPropertyNames(type.prototype)) try { if (name !== "constructor") type.prototype[name] = () => { throw new Error("tampered") } } catch {}',
  ),
  'tampered-globals': script(
    'for (const name of ["JSON", "Map", "Set", "Array", "Promise", "Symbol", "document", "getComputedStyle", "performance", "setTimeout"]) try { window[name] = null } catch {}',
  ),
  'endless-iterators': script(
    'for (const type of [Array, String, Map, Set, NodeList]) type.prototype[Symbol.iterator] = function* () { for (;;) yield 1 }',
  ),
  'endless-promises': script(
    'Object.prototype.then = () => {}; Promise.prototype.then = function () { return this }',
  ),
  'lone-surrogate': script('document.title = "\\ud800"; document.body.firstChild.textContent = "\\udfff"'),
  framed: '<title>Framed</title><iframe src="/next"></iframe>',
  empty: '<title>Empty</title><p>Nothing here',
  next: '<title>Next</title><button>Fine</button>',
};

let product: TestProduct;
let pages: ServedPages;
/** One session for all pages: each of them can be left for another address. */
let session_id: string;
beforeAll(async () => {
  // On a busy machine forty frames in each other take longer than the twenty seconds of a service.
  product = await startTestProduct({ operationTimeoutMs: 60_000 });
  pages = await servePages(
    Object.fromEntries(Object.entries(PAGES).map(([name, page]) => [`/${name}`, page])),
  );
  session_id = (await post('/session/start', {})).body.session_id;
});
afterAll(async () => {
  await product[Symbol.asyncDispose]();
  await pages[Symbol.asyncDispose]();
});

const post = async (path: string, body: object) => {
  const response = await callApi(product.url, 'POST', path, { key: product.key, body });
  expect(response.body?.code).not.toBe('INTERNAL');
  return response;
};

const FORMATS = ['main_content', 'markdown', 'text', 'images', 'links', 'structured', 'metadata'];
const STEPS = [
  { action_id: 'S9' },
  { action_id: 'S11', value: 'Tab' },
  { action_id: 'S16', value: 'B1' },
  { action_id: 'L1' },
];

test.each(Object.keys(PAGES).filter(name => name !== 'next'))(
  'every operation on the page %s has a result or a failure of its own, and the session can be left for another address',
  async name => {
    product.logLines.length = 0;
    const opened = await post('/env/observe', { session_id, url: `${pages.url}/${name}`, screenshot: true });
    // A response without content opens no page.
    expect([200, 502]).toContain(opened.status);
    await post('/env/scrape', {
      session_id,
      formats: FORMATS,
      extract: { properties: { a: { selector: 'a' } } },
    });
    for (const step of STEPS) await post('/step', { session_id, ...step });
    const left = await post('/env/observe', { session_id, url: `${pages.url}/next` });
    expect(left.body.space?.actions).toMatchObject([{ name: 'Fine' }]);
    expect(product.logLines.filter(({ level }) => level >= 50)).toEqual([]);
  },
);

test('the description of a page counts the actions in its frames too', async () => {
  const described = async (name: string) =>
    (await post('/env/observe', { session_id, url: `${pages.url}/${name}` })).body.space.description;
  expect(await described('framed')).toMatch(/It has [^.]*, all in 1 frame\./);
  expect(await described('empty')).toContain('It has no interactive elements.');
});
