import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scrapePage } from '../../../src/browser/scrape/scrapePage.ts';
import { mainFrameWorld } from '../../support/mainFrameWorld.ts';
import { ALL_PARTS, ScrapeHarness } from '../../support/scrapeHarness.ts';

let harness: ScrapeHarness;
beforeAll(async () => {
  harness = await ScrapeHarness.start();
});
afterAll(() => harness[Symbol.asyncDispose]());

const PROSE =
  'A sentence with enough words, commas, and clauses, that a reader takes it for a paragraph of an article. ';
const article = (title: string) =>
  `<article><h1>${title}</h1>${`<p>${PROSE}${PROSE}</p>`.repeat(6)}</article>`;

/** HTML that could run, load or send something. */
const UNSAFE =
  /<(script|style|iframe|object|embed|form|base|meta|link|template)\b|<[^>]+\s(on\w+|action|formaction|srcdoc|ping)\s*=|(java|vb)script:|data:text/i;

const EVIL = `<body onload="x()"><main><p onclick="x()">words <a href="java&#10;script:x()">a</a> <a href="data:text/html,x">b</a></p>
<form action="javascript:x()"><button formaction="javascript:x()" onfocus="x()" autofocus>go</button></form>
<svg onload="x()" width="90" height="90"><script>x()</script><use href="data:image/svg+xml,<svg/>"/><a xlink:href="javascript:x()"><text>t</text></a><foreignObject><iframe srcdoc="x"></iframe></foreignObject><style>*{}</style></svg>
<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=x()&gt;"></mglyph></table></mtext></math>
<img src=x onerror="x()" srcset="javascript:x() 2x"><video poster="javascript:x()"><source src="javascript:x()"></video>
<noscript><p title="</noscript><img src=x onerror=x()>"></noscript><a href="/ok" ping="/spy" target="_blank">ok</a></main>`;

/** Hostile elements and attributes without drawings and formulas. */
const PLAIN = `<p onclick="x()" class=" a  b " data-x="1" is="x-p" title=" told ">words <a href="java&#10;script:x()" ping="/spy" for="y">a</a>
<a href="/ok" target="_blank" rel="noopener" hreflang="en" aria-label="Note: b" aria-odd="c">b</a></p><!-- c -->
<form action="javascript:x()" name="f"><label for="i">d</label><input id="i" value=" v " placeholder=" p " formaction="javascript:x()" autofocus>
<button formaction="javascript:x()" onfocus="x()" tabindex="1">go</button></form><table background="/spy" width="9"><tr><td colspan="2" nowrap>e</td></tr></table>
<img src="/i.png" onerror="x()" srcset="javascript:x() 2x" alt=" f " usemap="#m" lang="x:y"><video poster="javascript:x()" controls autoplay><source src="javascript:x()"></video>
<template><b>g</b></template><unknown-element onclick="x()">h</unknown-element><details open><summary>k</summary>l</details><script>x()</script><iframe srcdoc="x"></iframe>`;

describe('mainContent of a hostile page', () => {
  it.each([true, false])('contains nothing that runs (onlyMainContent: %s)', async onlyMainContent => {
    const { mainContent } = await harness.scrapeMarkup(EVIL, { onlyMainContent });
    expect(mainContent).toContain('words');
    expect(mainContent).not.toMatch(UNSAFE);
  });

  it('leaves out an address that is too long for a pattern', async () => {
    const address = `/${'x'.repeat(20_000_000)}`;
    const { mainContent } = await harness.scrapeMarkup(
      `<main><p>words <a href="${address}">link</a></p></main>`,
    );
    expect(mainContent).toMatch(/words <a[^>]{0,100}>link/);
  });

  it.each([true, false])(
    'is the same from the sanitizer of the browser and from DOMPurify (onlyMainContent: %s)',
    async onlyMainContent => {
      const formula = '<math><mi>f</mi></math>';
      const scrape = async (markup: string) =>
        (await harness.scrapeMarkup(markup, { onlyMainContent })).mainContent ?? '';
      // A formula anywhere makes DOMPurify sanitize the whole page.
      const plain = await scrape(`<main>${PLAIN}</main>`);
      const withFormula = await scrape(`<main>${PLAIN}${formula}</main>`);
      expect(withFormula).toContain(formula);
      expect(plain).toBe(withFormula.replace(formula, ''));
      expect(plain).toContain('words');
      expect(plain).not.toMatch(UNSAFE);
    },
  );

  it.each([
    ['a comment end', 'alt="--&gt;&lt;img src=x onerror=x()&gt;"'],
    ['the end of raw text', 'alt="&lt;/textarea&gt;&lt;img src=x onerror=x()&gt;"'],
    ['another scheme', 'longdesc="x-unknown:y" rel="x-unknown:y"'],
  ])('has no attribute with %s', async (_, attribute) => {
    const { mainContent } = await harness.scrapeMarkup(`<p>words <img src="/i.png" ${attribute}></p>`);
    expect(mainContent).toMatch(/<img src="http:[^"]+i\.png">/);
  });

  it('keeps code in text as text', async () => {
    const { mainContent, text } = await harness.scrapeMarkup(
      '<p>Write &lt;script&gt;x()&lt;/script&gt; here</p>',
    );
    expect(mainContent).toContain('&lt;script&gt;');
    expect(text).toBe('Write <script>x()</script> here');
  });

  it('removes inline style that loads something, also if escaped, and keeps other style', async () => {
    const { mainContent } = await harness.scrapeMarkup(
      `<p style="color: red; background: url(/spy)">a</p><p style="background: u\\72l(/spy); --x: u\\72l(/spy)">b</p>`,
      { onlyMainContent: false },
    );
    expect(mainContent).toContain('color: red');
    expect(mainContent).not.toMatch(/url|spy|\\/);
  });

  it('removes data URLs that are not images, and long ones', async () => {
    const long = `data:image/png;base64,${'A'.repeat(10_000)}`;
    const { mainContent } = await harness.scrapeMarkup(
      `<p>x</p><img src="${long}"><img src="data:text/html,x">`,
    );
    expect(mainContent).not.toContain('data:');
  });
});

describe('scrapePage works', () => {
  it('when named images shadow properties of the document', async () => {
    const names = [
      'body',
      'implementation',
      'baseURI',
      'documentElement',
      'createElement',
      'querySelectorAll',
      'URL',
      'title',
    ];
    const { text } = await harness.scrapeMarkup(
      `${names.map(name => `<img name="${name}" src="/x.png">`).join('')}<p>seen</p>`,
    );
    expect(text).toBe('seen');
  });

  it.each([true, false])(
    'when named controls shadow properties of their form (onlyMainContent: %s)',
    async only => {
      const names = [
        'attributes',
        'childNodes',
        'firstChild',
        'nextSibling',
        'parentNode',
        'nodeType',
        'tagName',
        'getAttribute',
        'textContent',
        'innerHTML',
        'removeChild',
        'remove',
        'children',
      ];
      const controls = names.map(name => `<input name="${name}" id="${name}" value="v">`).join('');
      const { text } = await harness.scrapeMarkup(`<form><p>asked</p>${controls}</form>`, {
        onlyMainContent: only,
      });
      expect(text).toContain('asked');
    },
  );

  it('when scripts of the page replace built-in functions', async () => {
    const { text, links } = await harness.scrapeMarkup(`<p>true <a href="/l">link</a></p><script>
      Node.prototype.appendChild = Document.prototype.importNode = Element.prototype.getAttribute = () => { throw 1 };
      Object.defineProperty(Node.prototype, 'textContent', { get: () => 'forged' });
      Array.prototype.push = JSON.stringify = () => 'forged'; window.getComputedStyle = null;</script>`);
    expect(text).toBe('true link');
    expect(links).toEqual([{ url: harness.address('/l'), text: 'link' }]);
  });

  it('when Trusted Types forbid all HTML from scripts', async () => {
    const url = harness.serve('/strict', `<title>Strict</title>${article('Strict')}`, {
      'content-security-policy':
        "require-trusted-types-for 'script'; trusted-types 'none'; script-src 'none'",
    });
    const { text } = await harness.scrape(url);
    expect(text).toContain('takes it for a paragraph');
  });

  it('without changing the page', async () => {
    const page = await harness.open(
      harness.serve('/same', `${article('Same')}<form><input name="x"></form>`),
    );
    const before = await page.content();
    await page.evaluate(() => {
      const seen: string[] = [];
      new MutationObserver(records => seen.push(...records.map(record => record.type))).observe(document, {
        subtree: true,
        childList: true,
        attributes: true,
        characterData: true,
      });
      Object.assign(window, { seen });
    });
    await scrapePage(await mainFrameWorld(page), ALL_PARTS);
    expect(await page.content()).toBe(before);
    expect(await page.evaluate(() => Reflect.get(window, 'seen'))).toEqual([]);
    await page.close();
  });
});

describe('scrapePage reads a page with', () => {
  it('20,000 elements', async () => {
    const cell = '<div><span>cell</span><b>x</b><i>y</i></div>';
    const { text } = await harness.scrapeMarkup(cell.repeat(5_000));
    expect(text?.length).toBeGreaterThan(24_000);
  });

  it('300,000 attributes on an element, and attributes of megabytes', async () => {
    const { mainContent } = await harness.scrapeMarkup(
      `<p id="many"></p><b id="long">words</b><script>
      document.getElementById('many').innerHTML = '<i ' + Array.from({ length: 300_000 }, (_, nth) => 'data-a' + nth).join(' ') + '>many</i>';
      for (const name of ['class', 'title', 'aria-label']) document.getElementById('long').setAttribute(name, 'w '.repeat(4e6));</script>`,
      { onlyMainContent: false },
    );
    expect(mainContent).toContain('many');
    expect(mainContent?.length).toBeLessThan(1_000);
  });

  // A text of more than a million characters is converted beside the main thread.
  it('1,500,000 characters, completely', async () => {
    const { markdown } = await harness.scrapeMarkup(`<p>${'word '.repeat(300_000)}</p>`);
    expect(markdown).toMatch(/^(word )+word$/);
  });

  it.each([true, false])('1,000 levels of nesting (onlyMainContent: %s)', async onlyMainContent => {
    const { text } = await harness.scrapeMarkup(
      `<div id="r"></div><script>let e = document.getElementById('r');
      for (let i = 0; i < 1000; i++) e = e.appendChild(document.createElement('div'));
      e.textContent = 'the deepest words';</script>`,
      { onlyMainContent },
    );
    expect(text).toBe('the deepest words');
  });

  it.each([
    ['elements', '<p hidden></p>'.repeat(100_001), ['main_content', 'markdown', 'text', 'links', 'images']],
    ['images', '<svg width="9" height="9"></svg>'.repeat(5_001), ['images']],
    [
      'JSON-LD',
      `<script type="application/ld+json">{"a":"${'x'.repeat(1_000_001)}"}</script><script type="application/ld+json">{"b":1}</script>`,
      ['structured'],
    ],
    ['microdata', '<div itemscope><b itemprop="a">x</b></div>'.repeat(501), ['structured']],
  ])('more %s than the limit, and names the incomplete parts', async (_, markup, incomplete) => {
    const found = await harness.scrapeMarkup(`<p>Words</p>${markup}`);
    expect(found.text).toContain('Words');
    expect(found.incomplete).toEqual(incomplete);
  });

  it('a JSON-LD block that is too large, and still reads the next block', async () => {
    const large = `{"a":"${'x'.repeat(1_000_001)}"}`;
    const { structured } = await harness.scrapeMarkup(
      `<script type="application/ld+json">${large}</script><script type="application/ld+json">{"b":1}</script><p>x</p>`,
    );
    expect(structured).toEqual([{ b: 1 }]);
  });

  it('a JSON-LD block that nests too deeply, and still reads the next block', async () => {
    const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`;
    const { structured } = await harness.scrapeMarkup(
      `<script type="application/ld+json">{"a":${deep}}</script><script type="application/ld+json">{"b":1}</script><p>x</p>`,
    );
    expect(structured).toEqual([{ b: 1 }]);
  });
});
