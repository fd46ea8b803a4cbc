import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ScrapeHarness } from '../../support/scrapeHarness.ts';

let bench: ScrapeHarness;
beforeAll(async () => {
  bench = await ScrapeHarness.start();
});
afterAll(() => bench[Symbol.asyncDispose]());

const PARAGRAPH =
  '<p>A sentence with enough words, commas, and clauses, that a reader takes it for a paragraph of an article, which it is.</p>';
const fixture = (name: string) =>
  readFileSync(new URL(`../../fixtures/scrape/${name}.html`, import.meta.url), 'utf8');

describe('of an article', () => {
  it('the body stays and the furniture goes', async () => {
    const { text } = await bench.scrapeMarkup(fixture('article'));
    expect(text).toContain('The first paragraph');
    expect(text).toContain('The third paragraph');
    for (const furniture of [
      'Related',
      'Advertisement',
      'Share',
      'Follow us',
      'Most read',
      'I liked it',
      'Home',
    ])
      expect(text).not.toContain(furniture);
  });

  it('captions and images stay in the markup', async () => {
    const { mainContent } = await bench.scrapeMarkup(fixture('article'));
    expect(mainContent).toContain(`<img src="${bench.address('/road.jpg')}" alt="A road">`);
    expect(mainContent).toContain('<figcaption>The road in spring</figcaption>');
  });

  it('a caption by name becomes a caption in the markup, with its picture', async () => {
    const photo = '<img src="/p.png" alt="P"><div class="photo-credit">Photo by Ann</div>';
    const { mainContent } = await bench.scrapeMarkup(
      `<article>${PARAGRAPH.repeat(3)}${photo}${PARAGRAPH.repeat(3)}</article>`,
    );
    expect(mainContent).toMatch(/<figure>.*<img [^>]*>.*<figcaption>Photo by Ann<\/figcaption><\/figure>/);
  });

  it('a quoted post stays, with its links', async () => {
    const post = `<div class="embed-social"><blockquote class="twitter-tweet"><p>Short words</p><a href="https://social.example/1">Someone, today</a></blockquote></div>`;
    const { mainContent } = await bench.scrapeMarkup(
      `<title>A</title><article>${PARAGRAPH.repeat(4)}${post}${PARAGRAPH.repeat(4)}</article>`,
    );
    expect(mainContent).toContain('Short words');
    expect(mainContent).toContain('<a href="https://social.example/1">');
  });

  it('classes, ids and styles are not content', async () => {
    const { mainContent } = await bench.scrapeMarkup(
      `<article class="c" id="i" style="color:red">${PARAGRAPH.repeat(6)}</article>`,
    );
    expect(mainContent).not.toMatch(/class=|id=|style=/);
  });
});

describe('of a page that is not an article', () => {
  it('the root of a site is a home page, whatever prose is in it', async () => {
    const plans =
      '<section><h2>Pricing</h2><div><h3>Free</h3><p>$0</p></div><div><h3>Team</h3><p>$20</p></div></section>';
    const markup = `<title>Acme: ship faster</title><header>Menu</header><section><h1>Ship faster</h1>${PARAGRAPH.repeat(4)}</section>${plans}`;
    const { text } = await bench.scrape(bench.serve('/', markup));
    for (const words of ['Ship faster', 'Pricing', 'Team', '$20']) expect(text).toContain(words);
    expect(text).not.toContain('Menu');
  });

  it.each([
    ['a product', { '@type': 'Product' }],
    ['a product in a graph', { '@graph': [{ '@type': 'WebPage' }, { '@type': ['Product'] }] }],
  ])('%s that says so keeps what stands around its description', async (_, declared) => {
    const script = `<script type="application/ld+json">${JSON.stringify(declared)}</script>`;
    const { text } = await bench.scrapeMarkup(
      `${script}<main><h1>Tea</h1><p>$12</p><button>Add</button><div>${PARAGRAPH.repeat(5)}</div></main>`,
    );
    for (const words of ['Tea', '$12', 'Add']) expect(text).toContain(words);
  });

  it('a listing keeps every entry', async () => {
    const { text, links } = await bench.scrapeMarkup(fixture('listing'));
    for (const story of ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth'])
      expect(text).toContain(`${story} story`);
    expect(links).toHaveLength(6);
  });

  it('a thread keeps every post', async () => {
    const posts = ['Anna', 'Bert', 'Cleo', 'Dora'].map(
      name => `<div class="comment"><a href="/${name}">${name}</a>${PARAGRAPH}</div>`,
    );
    const { text } = await bench.scrapeMarkup(
      `<title>Thread</title><main><h1>Thread</h1>${posts.join('')}</main>`,
    );
    for (const name of ['Anna', 'Bert', 'Cleo', 'Dora']) expect(text).toContain(name);
  });

  it('a card that is one link is a heading that is a link', async () => {
    const { markdown } = await bench.scrapeMarkup(
      '<main><a href="https://a.example/"><h3>Card</h3><p>Words</p></a></main>',
    );
    expect(markdown).toBe('### [Card](https://a.example/)\n\nWords');
  });

  it('navigation, banners, footers and cookie notices are left out', async () => {
    const { text } = await bench.scrapeMarkup(
      '<header role="banner">Logo</header><nav>Menu</nav><div><h1>Welcome</h1><p>Pick one</p></div><aside>Beside</aside><div class="cookie-banner">We use cookies</div><footer>Imprint</footer>',
    );
    expect(text).toBe('Welcome\n\nPick one');
  });

  it('main wins over what stands around it', async () => {
    const { text } = await bench.scrapeMarkup(
      '<div>Around</div><main><h1>Inbox</h1><ul><li>Mail one</li><li>Mail two</li></ul></main><div>Below</div>',
    );
    expect(text).toBe('Inbox\n\nMail one\n\nMail two');
  });

  it.each([
    ['one word', '<body>Hello', 'Hello'],
    ['boxes without meaning', '<div><div>Score:</div><div>12</div></div>', 'Score:\n\n12'],
    [
      'controls alone',
      '<button>Start</button><input type="submit" value="Stop"><input value="typed">',
      'Start Stop typed',
    ],
    ['a canvas', '<canvas aria-label="The board">old browser</canvas>', 'The board'],
    ['a drawing', '<svg width="200" height="100"><text y="20">Drawn words</text></svg>', 'Drawn words'],
    ['navigation alone', '<nav><a href="/a">Only this</a></nav>', 'Only this'],
    ['a footer alone', '<footer>Only this</footer>', 'Only this'],
    ['a dialog', '<dialog open>Confirm?</dialog>', 'Confirm?'],
    [
      'words set apart by style',
      '<a style="display:block">One</a><a style="display:block">Two</a>',
      'One Two',
    ],
    [
      'custom elements',
      '<x-a style="display:block">One</x-a><x-a style="display:block">Two</x-a>',
      'One\n\nTwo',
    ],
    ['a right-to-left page', '<html dir="rtl"><body><p>שלום</p>', 'שלום'],
  ])('%s is content', async (_, markup, text) => {
    expect((await bench.scrapeMarkup(markup)).text).toBe(text);
  });

  it('an empty page is empty, not a failure', async () => {
    const { text, mainContent, markdown, links, images } = await bench.scrapeMarkup('');
    expect([text, mainContent, markdown, links, images]).toEqual(['', '', '', [], []]);
  });

  it('a page without HTML is read as what it shows', async () => {
    const url = bench.serve(
      '/doc.xml',
      '<?xml version="1.0"?><root><item>First</item><item>Second</item></root>',
      { 'content-type': 'text/xml' },
    );
    expect((await bench.scrape(url)).text).toContain('First');
  });
});

describe('what is not asked for is null', () => {
  it.each(['mainContent', 'markdown', 'text', 'images', 'links', 'structured', 'metadata'] as const)(
    '%s',
    async part => {
      const data = await bench.scrapeMarkup('<p>x</p>', { [part]: false });
      const missing = Object.entries(data)
        .filter(([, value]) => value === null)
        .map(([name]) => name);
      expect(missing).toEqual([part]);
    },
  );
});
