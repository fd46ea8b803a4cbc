import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scrapePage } from '../../../src/browser/scrape/scrapePage.ts';
import { mainFrameWorld } from '../../support/mainFrameWorld.ts';
import { ALL_PARTS, ScrapeHarness } from '../../support/scrapeHarness.ts';

let harness: ScrapeHarness;
beforeAll(async () => {
  harness = await ScrapeHarness.start();
  harness.serve(
    '/wide.svg',
    '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><rect width="300" height="200"/></svg>',
    { 'content-type': 'image/svg+xml' },
  );
});
afterAll(() => harness[Symbol.asyncDispose]());

describe('the images of scrapePage', () => {
  const images = async (markup: string) => (await harness.scrapeMarkup(markup)).images ?? [];

  it('have an id, an absolute URL, the text alternative and the natural size', async () => {
    expect(await images('<p>x</p><img src="/wide.svg" alt="Wide" width="150">')).toEqual([
      {
        id: 'IMG1',
        url: harness.address('/wide.svg'),
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

  it('leave out hidden images and have the real URL of lazy images', async () => {
    const found = await images(
      '<img src="/a.png" style="display:none"><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" data-src="/lazy.jpg" alt="L">',
    );
    expect(found.map(image => image.url)).toEqual([harness.address('/lazy.jpg')]);
  });

  it('are in the Markdown once if a figure shows nothing but a `noscript` with one, but not a tracking pixel', async () => {
    const { markdown } = await harness.scrapeMarkup(
      `<figure><div></div><noscript><img src=/a.jpg alt='A &quot;B&quot;'></noscript></figure><figure><noscript><img src=/b.jpg alt=B></noscript><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" data-src=/b.jpg alt=B></figure><figure><pre>let c;</pre><noscript><img src=/c.gif></noscript></figure><figure><noscript><img height=1 width=1 src=/d.gif></noscript>D</figure>`,
    );
    const found = [...(markdown ?? '').matchAll(/!\[(.*?)\]\(\S*\/(.*?)\)/g)];
    expect(found.map(([, alt, file]) => [alt, file])).toEqual([
      ['A "B"', 'a.jpg'],
      ['B', 'b.jpg'],
    ]);
  });

  it('are not fetched again', async () => {
    const url = harness.serve('/once', '<img src="/wide.svg"><p>x</p>');
    const asked: string[] = [];
    const watched = await harness.context.newPage();
    watched.on('request', request => asked.push(request.url()));
    await watched.goto(url);
    const before = asked.length;
    await scrapePage(await mainFrameWorld(watched), ALL_PARTS);
    expect(asked).toHaveLength(before);
    await watched.close();
  });
});

describe('the links of scrapePage', () => {
  it('have each URL once, absolute, with its text, in document order', async () => {
    const { links } = await harness.scrapeMarkup(
      '<a href="/b">B</a> <a href="a#x">A  one</a> <a href="/b">again</a> <a href="mailto:x@y.z">mail</a>',
    );
    expect(links).toEqual([
      { url: harness.address('/b'), text: 'B' },
      { url: harness.address('/dir/a#x'), text: 'A one' },
      { url: 'mailto:x@y.z', text: 'mail' },
    ]);
  });

  it('have the text alternative of a linked image as text', async () => {
    const { links } = await harness.scrapeMarkup('<a href="/p"><img src="/a.png" alt="Product"></a>');
    expect(links).toEqual([{ url: harness.address('/p'), text: 'Product' }]);
  });

  it('leave out schemes that run or load something', async () => {
    const { links } = await harness.scrapeMarkup(
      '<a href="javascript:x()">a</a><a href="data:text/html,x">b</a><a href="file:///etc">c</a><a href="blob:x">d</a>',
    );
    expect(links).toEqual([]);
  });
});

describe('the structured data of scrapePage', () => {
  const structured = async (markup: string) => (await harness.scrapeMarkup(markup)).structured;

  it('has JSON-LD unchanged, with lists flattened and invalid blocks skipped', async () => {
    expect(
      await structured(
        '<script type="application/ld+json">[{"@type":"A"},{"@type":"B"}]</script><script type="application/ld+json">{broken</script><script type="application/ld+json"><!--{"@type":"C","d":"line\nbreak"}--></script>',
      ),
    ).toEqual([{ '@type': 'A' }, { '@type': 'B' }, { '@type': 'C', d: 'line break' }]);
  });

  it('has microdata with nested items, repeated properties and absolute URLs', async () => {
    expect(
      await structured(
        `<div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Tea</h1><img itemprop="image" src="/t.png"><span itemprop="tag">a</span><span itemprop="tag">b</span>
        <div itemprop="offers" itemscope itemtype="http://schema.org/Offer"><meta itemprop="price" content="3.50"><time itemprop="until" datetime="2026-01-02">soon</time></div></div>`,
      ),
    ).toEqual([
      {
        '@type': 'Product',
        name: 'Tea',
        image: harness.address('/t.png'),
        tag: ['a', 'b'],
        offers: { '@type': 'Offer', price: '3.50', until: '2026-01-02' },
      },
    ]);
  });

  it('has OpenGraph as one object', async () => {
    expect(
      await structured(
        '<meta property="og:title" content="T"><meta property="og:image" content="a"><meta property="og:image" content="b"><meta name="twitter:card" content="summary">',
      ),
    ).toEqual([{ 'og:title': 'T', 'og:image': ['a', 'b'], 'twitter:card': 'summary' }]);
  });

  it('reads a microdata property named __proto__ like any other', async () => {
    expect(
      JSON.stringify(
        await structured('<div itemscope><b itemprop="__proto__">x</b><b itemprop="a">y</b></div>'),
      ),
    ).toContain('"a":"y"');
  });
});

describe('the metadata of scrapePage', () => {
  it('is what the page declares', async () => {
    const { metadata } =
      await harness.scrapeMarkup(`<html lang="de"><title>T</title><meta property="og:site_name" content="The Daily"><meta name="description" content="What it says">
      <link rel="canonical" href="/canonical"><script type="application/ld+json">{"@graph":[{"@type":"NewsArticle","author":[{"name":"Ann"},{"name":"Bob"}],"datePublished":"2026-03-01T10:00:00Z"}]}</script><p>x</p>`);
    expect(metadata).toEqual({
      byline: 'Ann, Bob',
      published: '2026-03-01T10:00:00Z',
      lang: 'de',
      siteName: 'The Daily',
      canonical: harness.address('/canonical'),
      excerpt: 'What it says',
    });
  });

  it('is null for what the page does not declare', async () => {
    const { metadata } = await harness.scrapeMarkup('<p>x</p>');
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

describe('the list items of a text', () => {
  const cases = [
    ['a dash', '<ul><li>One</li><li><p>Two</p><p>More</p></li></ul>', '- One\n- Two\n\nMore'],
    [
      'their number',
      '<ol><li>One</li><li>Two</li></ol><ol start="3"><li>Three</li><li value="7">Seven</li><li>Eight</li></ol><ol reversed><li>b</li><li>a</li></ol>',
      '1. One\n2. Two\n\n3. Three\n7. Seven\n8. Eight\n\n2. b\n1. a',
    ],
    [
      'one marker where a list begins an item',
      '<ul><li><ul><li>Inner</li></ul></li><li></li><li>Outer</li></ul>',
      '- Inner\n\n- Outer',
    ],
    [
      'the marker that their text has',
      '<ul><li>• One</li><li>– Two</li></ul><ol><li>1) Three</li><li>2.5 km</li></ol>',
      '• One\n– Two\n\n1) Three\n2. 2.5 km',
    ],
  ] as const;
  it('begin with a dash, their number, one marker, or the marker that their text has', async () => {
    const parts = await harness.scrapeParts(cases.map(([, markup]) => markup));
    for (const [at, [what, , text]] of cases.entries()) expect(parts[at]?.text, what).toBe(text);
  });
});

describe('the words of a text', () => {
  const cases = [
    [
      'words that only style separates',
      '<a style="display:block">One</a><a style="display:block">Two</a>',
      'One Two',
    ],
    [
      'words of their own without white space between them',
      '<p><span>Drama</span><span>2026</span><span>1h 54m</span></p><p><a href="/a">Jobs</a><a href="/b">offers</a></p>',
      'Drama 2026 1h 54m\n\nJobs offers',
    ],
    [
      'words between which only an element with white space stands',
      '<p>a link for<b> </b><a href="/a">easy boards</a></p><p>You<span> </span>scroll</p>',
      'a link for easy boards\n\nYou scroll',
    ],
    [
      'labels and values in elements of their own',
      '<p>Published by:<span>Rockstar</span></p><p><span>Item number:</span><b>326432</b></p><p>10:<b>30</b> std::<i>Max</i></p>',
      'Published by: Rockstar\n\nItem number: 326432\n\n10:30 std::Max',
    ],
    [
      'text after an inline element that is a block by its style',
      '<p><b style="display:block">global</b>partners</p><p><i style="display:block">one</i><b>two</b></p><p><b>T</b>he</p>',
      'global partners\n\none two\n\nThe',
    ],
    [
      'lines of code that only style separates',
      '<pre><code><span style="display:block">let a;</span><span style="display:block">let b;</span></code></pre>',
      'let a;\nlet b;',
    ],
    [
      'boxes by style within a line, and out of the flow',
      '<p>Take <span style="display:inline-block"><span style="display:block">12</span><span style="display:block">May</span></span> off, <b>all</b> <i style="display:block;position:absolute">each</i> of it.</p>',
      'Take 12 May off, all each of it.',
    ],
    [
      'words of several parts',
      '<p><b>un</b><i>seen</i> H<sub>2</sub><b>O</b> <span>O</span><span>K</span> <code><b>user</b><b>Name</b></code></p>',
      'unseen H2O OK userName',
    ],
  ] as const;
  it('are apart or together as the page shows them', async () => {
    const parts = await harness.scrapeParts(cases.map(([, markup]) => markup));
    for (const [at, [what, , text]] of cases.entries()) expect(parts[at]?.text, what).toBe(text);
  });
});
