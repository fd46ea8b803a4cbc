import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scrapePage } from '../../../src/browser/scrape/scrapePage.ts';
import { mainFrameWorld } from '../../support/mainFrameWorld.ts';
import { ALL_PARTS, ScrapeHarness } from '../../support/scrapeHarness.ts';

let bench: ScrapeHarness;
beforeAll(async () => {
  bench = await ScrapeHarness.start();
  bench.serve(
    '/wide.svg',
    '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><rect width="300" height="200"/></svg>',
    { 'content-type': 'image/svg+xml' },
  );
});
afterAll(() => bench[Symbol.asyncDispose]());

describe('images', () => {
  const images = async (markup: string) => (await bench.scrapeMarkup(markup)).images ?? [];

  it('have an id, an absolute address, the alternative text and their natural size', async () => {
    expect(await images('<p>x</p><img src="/wide.svg" alt="Wide" width="150">')).toEqual([
      {
        id: 'IMG1',
        url: bench.address('/wide.svg'),
        alt: 'Wide',
        category: 'content_image',
        width: 300,
        height: 200,
      },
    ]);
  });

  it('are numbered in document order, over the whole page', async () => {
    const found = await images(
      '<header><img src="/a.png" alt="A"></header><main><img src="/b.png" alt="B"></main>',
    );
    expect(found.map(({ id, alt }) => [id, alt])).toEqual([
      ['IMG1', 'A'],
      ['IMG2', 'B'],
    ]);
  });

  it.each([
    ['content_image', '<img src="/wide.svg" alt="Wide">'],
    ['icon', '<img src="/wide.svg" alt="Small" width="24" height="24">'],
    ['decorative', '<img src="/wide.svg" alt="" role="presentation">'],
    ['decorative', '<img src="/wide.svg" width="200" height="1">'],
    ['svg_icon', '<button><svg width="16" height="16"><title>Close</title></svg></button>'],
    ['svg_content', '<svg width="200" height="100" aria-label="Chart"></svg>'],
  ])('%s: %s', async (category, markup) => {
    expect((await images(markup)).map(image => image.category)).toEqual([category]);
  });

  it('hidden ones are left out, lazy ones have their real address', async () => {
    const found = await images(
      '<img src="/a.png" style="display:none"><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" data-src="/lazy.jpg" alt="L">',
    );
    expect(found.map(image => image.url)).toEqual([bench.address('/lazy.jpg')]);
  });

  it('are not fetched again', async () => {
    const url = bench.serve('/once', '<img src="/wide.svg"><p>x</p>');
    const asked: string[] = [];
    const context = await bench.browser.newContext();
    context.on('request', request => asked.push(request.url()));
    const watched = await context.newPage();
    await watched.goto(url);
    const before = asked.length;
    await scrapePage(await mainFrameWorld(watched), ALL_PARTS, new AbortController().signal);
    expect(asked).toHaveLength(before);
    await context.close();
  });
});

describe('links', () => {
  it('each address once, with its text, absolute and in order', async () => {
    const { links } = await bench.scrapeMarkup(
      '<a href="/b">B</a> <a href="a#x">A  one</a> <a href="/b">again</a> <a href="mailto:x@y.z">mail</a>',
    );
    expect(links).toEqual([
      { url: bench.address('/b'), text: 'B' },
      { url: bench.address('/dir/a#x'), text: 'A one' },
      { url: 'mailto:x@y.z', text: 'mail' },
    ]);
  });

  it('a picture that is a link is told by its alternative text', async () => {
    const { links } = await bench.scrapeMarkup('<a href="/p"><img src="/a.png" alt="Product"></a>');
    expect(links).toEqual([{ url: bench.address('/p'), text: 'Product' }]);
  });

  it('schemes that run something are no links', async () => {
    const { links } = await bench.scrapeMarkup(
      '<a href="javascript:x()">a</a><a href="data:text/html,x">b</a><a href="file:///etc">c</a><a href="blob:x">d</a>',
    );
    expect(links).toEqual([]);
  });
});

describe('structured', () => {
  const structured = async (markup: string) => (await bench.scrapeMarkup(markup)).structured;

  it('JSON-LD as it stands, lists laid flat, broken blocks left out', async () => {
    expect(
      await structured(
        '<script type="application/ld+json">[{"@type":"A"},{"@type":"B"}]</script><script type="application/ld+json">{broken</script><script type="application/ld+json"><!--{"@type":"C","d":"line\nbreak"}--></script>',
      ),
    ).toEqual([{ '@type': 'A' }, { '@type': 'B' }, { '@type': 'C', d: 'line break' }]);
  });

  it('microdata with nested items, repeated properties and addresses', async () => {
    expect(
      await structured(
        `<div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Tea</h1><img itemprop="image" src="/t.png"><span itemprop="tag">a</span><span itemprop="tag">b</span>
        <div itemprop="offers" itemscope itemtype="http://schema.org/Offer"><meta itemprop="price" content="3.50"><time itemprop="until" datetime="2026-01-02">soon</time></div></div>`,
      ),
    ).toEqual([
      {
        '@type': 'Product',
        name: 'Tea',
        image: bench.address('/t.png'),
        tag: ['a', 'b'],
        offers: { '@type': 'Offer', price: '3.50', until: '2026-01-02' },
      },
    ]);
  });

  it('OpenGraph as one object', async () => {
    expect(
      await structured(
        '<meta property="og:title" content="T"><meta property="og:image" content="a"><meta property="og:image" content="b"><meta name="twitter:card" content="summary">',
      ),
    ).toEqual([{ 'og:title': 'T', 'og:image': ['a', 'b'], 'twitter:card': 'summary' }]);
  });

  it('a property named __proto__ is a property', async () => {
    expect(
      JSON.stringify(
        await structured('<div itemscope><b itemprop="__proto__">x</b><b itemprop="a">y</b></div>'),
      ),
    ).toContain('"a":"y"');
  });
});

describe('metadata', () => {
  it('comes from what the page declares', async () => {
    const { metadata } =
      await bench.scrapeMarkup(`<html lang="de"><title>T</title><meta property="og:site_name" content="The Daily"><meta name="description" content="What it says">
      <link rel="canonical" href="/canonical"><script type="application/ld+json">{"@graph":[{"@type":"NewsArticle","author":[{"name":"Ann"},{"name":"Bob"}],"datePublished":"2026-03-01T10:00:00Z"}]}</script><p>x</p>`);
    expect(metadata).toEqual({
      byline: 'Ann, Bob',
      published: '2026-03-01T10:00:00Z',
      lang: 'de',
      siteName: 'The Daily',
      canonical: bench.address('/canonical'),
      excerpt: 'What it says',
    });
  });

  it('is null where the page says nothing', async () => {
    const { metadata } = await bench.scrapeMarkup('<p>x</p>');
    expect(metadata).toEqual({
      byline: null,
      published: null,
      lang: null,
      siteName: null,
      canonical: null,
      excerpt: null,
    });
  });
});
