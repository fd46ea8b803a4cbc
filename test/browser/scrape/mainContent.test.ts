import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PAGE_PARTS } from '../../../src/domain/content/contentParts.ts';
import { ScrapeHarness } from '../../support/scrapeHarness.ts';

let harness: ScrapeHarness;
beforeAll(async () => {
  harness = await ScrapeHarness.start();
});
afterAll(() => harness[Symbol.asyncDispose]());

const PARAGRAPH =
  '<p>A sentence with enough words, commas, and clauses, that a reader takes it for a paragraph of an article, which it is.</p>';
const fixture = (name: string) =>
  readFileSync(new URL(`../../fixtures/scrape/${name}.html`, import.meta.url), 'utf8');

describe('main content of an article', () => {
  it('has the body and none of the boilerplate', async () => {
    const { text } = await harness.scrapeMarkup(fixture('article'));
    expect(text).toContain('The first paragraph');
    expect(text).toContain('The third paragraph');
    for (const boilerplate of [
      'Related',
      'Advertisement',
      'Share',
      'Follow us',
      'Most read',
      'I liked it',
      'Home',
    ])
      expect(text).not.toContain(boilerplate);
  });

  it('keeps captions and images', async () => {
    const { mainContent } = await harness.scrapeMarkup(fixture('article'));
    expect(mainContent).toContain(`<img src="${harness.address('/road.jpg')}" alt="A road">`);
    expect(mainContent).toContain('<figcaption>The road in spring</figcaption>');
  });

  it('turns an element with the name of a caption into a figcaption with its image', async () => {
    const photo = '<img src="/p.png" alt="P"><div class="photo-credit">Photo by Ann</div>';
    const { mainContent } = await harness.scrapeMarkup(
      `<article>${PARAGRAPH.repeat(3)}${photo}${PARAGRAPH.repeat(3)}</article>`,
    );
    expect(mainContent).toMatch(/<figure>.*<img [^>]*>.*<figcaption>Photo by Ann<\/figcaption><\/figure>/);
  });

  it.each([
    'Groups of ten book at boats@museum.org before Friday.',
    'Boats: boats@museum.org',
    'The clerk puts the sign © on each copy of the chart.',
    'Eva Holm, who built the quay, is a senior engineer of the town.',
    'North Wind from the sea is a contributing cause of the leak.',
    'Writing by hand is slow.',
  ])('keeps the last line: %s', async line => {
    const { text } = await harness.scrapeMarkup(`<article>${PARAGRAPH.repeat(4)}<p>${line}</p></article>`);
    expect(text).toContain(line);
  });

  it('keeps first lines that begin like bylines', async () => {
    const lines = [
      'By 1912 there were 3 boats.',
      'Credit cards: from 5 € on.',
      'Image 3 shows the quay.',
      'Published charts show 12 wrecks.',
      'The quay opens on 12 May 2024',
      '30 minutes by ferry from Lind',
    ];
    const { text } = await harness.scrapeMarkup(
      `<article>${lines.map(line => `<p>${line}</p>`).join('')}${PARAGRAPH.repeat(4)}</article>`,
    );
    for (const line of lines) expect(text).toContain(line);
  });

  it('keeps an embedded post with its links', async () => {
    const post = `<div class="embed-social"><blockquote class="twitter-tweet"><p>Short words</p><a href="https://social.example/1">Someone, today</a></blockquote></div>`;
    const { mainContent } = await harness.scrapeMarkup(
      `<title>A</title><article>${PARAGRAPH.repeat(4)}${post}${PARAGRAPH.repeat(4)}</article>`,
    );
    expect(mainContent).toContain('Short words');
    expect(mainContent).toContain('<a href="https://social.example/1">');
  });

  it('has the texts of drawings', async () => {
    const chart =
      '<div><svg width="300" height="200"><title>Height</title><text>3 m</text></svg></div><figure><svg width="300" height="200" aria-label="Width"></svg><figcaption>Oak</figcaption></figure>';
    const { markdown } = await harness.scrapeMarkup(
      `<title>A</title><article>${PARAGRAPH.repeat(3)}${chart}${PARAGRAPH.repeat(3)}</article>`,
    );
    expect(markdown).toContain('Height 3 m\n\nWidth\n\n*Oak*');
  });

  it.each([
    ['a heading below which the window stops', '<h2 class="group scroll-mt-24">Kept words</h2>'],
    ['a heading that a page builder names header', '<h3 class="et_pb_module_header">Kept words</h3>'],
    ['a heading with its text as id', '<h2 id="sharing-data-with-comments">Kept words</h2>'],
    [
      'code in a box below which the window stops',
      '<div class="group scroll-mt-2"><div class="highlight"><pre><code>Kept words</code></pre></div></div>',
    ],
    [
      'a warning with links',
      '<div class="alert alert-warning"><div>Kept words: <a href="/a">the manual of the program</a></div></div>',
    ],
  ])('keeps %s', async (_, part) => {
    const { text } = await harness.scrapeMarkup(
      `<title>A</title><article>${PARAGRAPH.repeat(4)}${part}${PARAGRAPH.repeat(4)}</article>`,
    );
    expect(text).toContain('Kept words');
  });

  it('has no class, id and style attributes', async () => {
    const { mainContent } = await harness.scrapeMarkup(
      `<article class="c" id="i" style="color:red">${PARAGRAPH.repeat(6)}</article>`,
    );
    expect(mainContent).not.toMatch(/class=|id=|style=/);
  });
});

describe('main content of a page that is not an article', () => {
  it('keeps all sections of the root URL of a site, even if one has most of the prose', async () => {
    const plans =
      '<section><h2>Pricing</h2><div><h3>Free</h3><p>$0</p></div><div><h3>Team</h3><p>$20</p></div></section>';
    const markup = `<title>Acme: ship faster</title><header>Menu</header><section><h1>Ship faster</h1>${PARAGRAPH.repeat(4)}</section>${plans}`;
    const { text } = await harness.scrape(harness.serve('/', markup));
    for (const words of ['Ship faster', 'Pricing', 'Team', '$20']) expect(text).toContain(words);
    expect(text).not.toContain('Menu');
  });

  it.each([
    ['a declared product', { '@type': 'Product' }],
    ['a product declared in a graph', { '@graph': [{ '@type': 'WebPage' }, { '@type': ['Product'] }] }],
  ])('keeps everything around the description of %s', async (_, declared) => {
    const script = `<script type="application/ld+json">${JSON.stringify(declared)}</script>`;
    const { text } = await harness.scrapeMarkup(
      `${script}<main><h1>Tea</h1><p>$12</p><button>Add</button><div>${PARAGRAPH.repeat(5)}</div></main>`,
    );
    for (const words of ['Tea', '$12', 'Add']) expect(text).toContain(words);
  });

  it('keeps every entry of a listing', async () => {
    const { text, links } = await harness.scrapeMarkup(fixture('listing'));
    for (const story of ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth'])
      expect(text).toContain(`${story} story`);
    expect(links).toHaveLength(6);
  });

  it('keeps every post of a thread', async () => {
    const posts = ['Anna', 'Bert', 'Cleo', 'Dora'].map(
      name => `<div class="comment"><a href="/${name}">${name}</a>${PARAGRAPH}</div>`,
    );
    const { text } = await harness.scrapeMarkup(
      `<title>Thread</title><main><h1>Thread</h1>${posts.join('')}</main>`,
    );
    for (const name of ['Anna', 'Bert', 'Cleo', 'Dora']) expect(text).toContain(name);
  });

  it('turns a card that is one link into a linked heading', async () => {
    const { markdown } = await harness.scrapeMarkup(
      '<main><a href="https://a.example/"><h3>Card</h3><p>Words</p></a></main>',
    );
    expect(markdown).toBe('### [Card](https://a.example/)\n\nWords');
  });

  it('leaves out navigation, banners, footers and cookie notices', async () => {
    const { text } = await harness.scrapeMarkup(
      '<header role="banner">Logo</header><nav>Menu</nav><div><h1>Welcome</h1><p>Pick one</p></div><aside>Beside</aside><div class="cookie-banner">We use cookies</div><footer>Imprint</footer>',
    );
    expect(text).toBe('Welcome\n\nPick one');
  });

  it('is the main element if there is one', async () => {
    const { text } = await harness.scrapeMarkup(
      '<div>Around</div><main><h1>Inbox</h1><ul><li>Mail one</li><li>Mail two</li></ul></main><div>Below</div>',
    );
    expect(text).toBe('Inbox\n\n- Mail one\n- Mail two');
  });

  const DRAWN = '<text y="20">Drawn</text><foreignObject width="99" height="40">words</foreignObject>';
  it.each([
    ['one word', '<body>Hello', 'Hello'],
    ['generic boxes', '<div><div>Score:</div><div>12</div></div>', 'Score:\n\n12'],
    [
      'form controls on a page without other text',
      '<button>Start</button><input type="submit" value="Stop"><input value="typed">',
      'Start Stop typed',
    ],
    ['a canvas', '<canvas aria-label="The board">old browser</canvas>', 'The board'],
    ['a drawing', `<svg width="200" height="100">${DRAWN}</svg>`, 'Drawn words'],
    ['old elements for text as it is written', '<xmp>a <b></xmp>', 'a <b>'],
    ['navigation on a page without other content', '<nav><a href="/a">Only this</a></nav>', 'Only this'],
    ['a footer on a page without other content', '<footer>Only this</footer>', 'Only this'],
    ['a dialog', '<dialog open>Confirm?</dialog>', 'Confirm?'],
    [
      'custom elements',
      '<x-a style="display:block">One</x-a><x-a style="display:block">Two</x-a>',
      'One\n\nTwo',
    ],
    ['a right-to-left page', '<html dir="rtl"><body><p>שלום</p>', 'שלום'],
  ])('includes %s', async (_, markup, text) => {
    expect((await harness.scrapeMarkup(markup)).text).toBe(text);
  });

  const many = (markup: string) =>
    Array.from({ length: 45 }, (_, at) => markup.replaceAll('#', `${at}`)).join('');
  it.each([
    ['a picture as its main element', '<nav><a href="/a">Only this</a></nav><main><img src="/p.png"></main>'],
    ['a menu of many links', `<nav><ul>${many('<li><a href="/#">Place #</a></li>')}</ul></nav>`],
    ['a footer of many links', `<footer>${many('<p><a href="/#">Imprint #</a></p>')}</footer>`],
    [
      'a notice about cookies',
      `<div class="cookie-consent modal">${many('<p>We use cookie # to remember you.</p>')}</div>`,
    ],
    [
      'reviews of a product',
      `<meta property="og:type" content="product"><div class="reviews"><h2>Reviews</h2>${many('<p>I like it, says customer # here.</p>')}</div>`,
    ],
    ['signatures', `<div class="signature">${many('<p>Sent from my phone # today.</p>')}</div>`],
    ['fields', many('<div><input value="typed #"></div>')],
    ['buttons', many('<div><button>Press #</button></div>')],
    ['the same line again and again', many('<p>Loading</p>')],
    ['signs that are not words', many('<p>→ ★ …</p>')],
    ['words without spaces', many('<p>今日は天気がとても良いです。</p>')],
    ['numbers in a table', `<table>${many('<tr><td>#</td><td>#</td></tr>')}</table>`],
    ['a closed part', `<details><summary>More</summary>${many('<p>Part # of it.</p>')}</details>`],
  ])('is not empty for a page that shows only %s', async (_, markup) => {
    expect((await harness.scrapeMarkup(markup)).text).not.toBe('');
  });

  it('is empty for an empty page', async () => {
    const { text, mainContent, markdown, links, images } = await harness.scrapeMarkup('');
    expect([text, mainContent, markdown, links, images]).toEqual(['', '', '', [], []]);
  });

  it('has the visible text of an XML document', async () => {
    const url = harness.serve(
      '/doc.xml',
      '<?xml version="1.0"?><root><item>First</item><item>Second</item></root>',
      { 'content-type': 'text/xml' },
    );
    expect((await harness.scrape(url)).text).toContain('First');
  });
});

describe('main content has what the page shows only later', () => {
  it.each([
    ['a closed details', '<details><summary>Shipping</summary>In <b>two</b> days<p>From Oslo</p></details>'],
    [
      'a tab that is not chosen',
      '<div role="tablist"><button role="tab" aria-controls="t">Shipping</button></div><div id="t" role="tabpanel" hidden>In <b>two</b> days<p>From Oslo</p></div>',
    ],
    [
      'a closed accordion',
      '<style>.c{display:none}</style><button aria-expanded="false" aria-controls="t">Shipping</button><div id="t" class="c">In <b>two</b> days<p>From Oslo</p></div>',
    ],
    [
      'a closed accordion without an id for its panel',
      `<h3><button aria-expanded="false">Shipping</button></h3><div style="display: none"><div>In <b>two</b> days<p>From Oslo${' by train'.repeat(10)}</p></div></div>`,
    ],
    [
      'an answer that only names tell apart',
      `<div class="faq__question">Shipping</div><div class="faq__answer" hidden>In <b>two</b> days<p>From Oslo${' by train'.repeat(10)}</p></div>`,
    ],
    [
      'a short answer to a question that only names tell apart',
      `<div class="faq-item"><div class="faq-q">Returns?</div><div hidden>No, never, and nowhere.</div></div><div class="faq-item"><div class="faq-q">Shipping?</div><div style="display:none">In <b>two</b> days<p>From Oslo by train.</p></div></div>`,
    ],
    [
      'the rest of a text behind the words "read more"',
      `<p><span class="intro__more-outer">Shipping… <span class="intro__more">Read more</span></span><span class="intro__less-outer" style="display: none">In <b>two</b> days<span> From Oslo${' by train'.repeat(10)}</span></span></p>`,
    ],
    [
      'a segment that was sent ahead of its scripts',
      '<div><p>Shipping</p><!--$?--><template id="B:0"></template><p>Loading</p><!--/$--></div><div hidden id="S:0">In <b>two</b> days<template id="B:0"></template><p>From Oslo</p></div>',
    ],
  ])('in %s', async (_, part) => {
    const { text, markdown } = await harness.scrapeMarkup(`<main><h1>Tea</h1>${part}</main>`);
    for (const words of ['Shipping', 'In two days', 'From Oslo']) expect(text).toContain(words);
    expect(markdown).toContain('**two**');
  });

  it.each([
    [
      'a menu',
      '<nav><button aria-expanded="false" aria-controls="t">More</button><div id="t" hidden>Never</div></nav>',
    ],
    [
      'a dialog',
      '<button aria-controls="t" aria-expanded="false">Ask</button><div id="t" role="dialog" hidden>Never</div>',
    ],
    [
      'a popup',
      '<button aria-haspopup="true" aria-controls="t" aria-expanded="false">Ask</button><div id="t" hidden>Never</div>',
    ],
    ['what no control opens', '<div id="t" hidden>Never</div>'],
    ['a message after a button', '<button>Buy</button><div hidden>Never</div>'],
    [
      'a form after a button',
      `<button>Ask</button><div hidden>Never${' mind'.repeat(20)}<input name="question"></div>`,
    ],
    [
      'links after a button',
      `<button>Share</button><div hidden>${'<a href="/share">Never by a friend</a> '.repeat(9)}</div>`,
    ],
    ['prose after prose', `<p>Black.</p><div hidden>${'Never for breakfast. '.repeat(9)}</div>`],
    ['what an open part hides', '<details open><summary>Ask</summary><p hidden>Never</p></details>'],
    ['a part that a closed part hides', '<details><summary>Ask</summary><p hidden>Never</p></details>'],
  ])('but not %s', async (_, part) => {
    expect((await harness.scrapeMarkup(`<main><h1>Tea</h1><p>Green.</p>${part}</main>`)).text).not.toContain(
      'Never',
    );
  });

  it('which the whole visible page leaves out', async () => {
    const details = '<p>Tea</p><details><summary>Shipping</summary>Later</details>';
    expect((await harness.scrapeMarkup(details, { onlyMainContent: false })).text).not.toContain('Later');
  });
});

describe('scrapePage returns null for a part that is not requested', () => {
  it.each(PAGE_PARTS)('%s', async part => {
    const data = await harness.scrapeMarkup('<p>x</p>', { [part]: false });
    const missing = Object.entries(data)
      .filter(([, value]) => value === null)
      .map(([name]) => name);
    expect(missing).toEqual([part]);
  });
});
