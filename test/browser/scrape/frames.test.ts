import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ScrapeHarness } from '../../support/scrapeHarness.ts';

let harness: ScrapeHarness;
beforeAll(async () => {
  harness = await ScrapeHarness.start();
  harness.serve('/sub/inner.html', '<p>Inner words <a href="here">link</a></p>');
  harness.serve('/sub/twin.html', '<p>Twin words</p>');
  harness.serve('/sub/outer.html', `<p>Outer words</p>${frame(harness.address('/sub/inner.html'))}`);
});
afterAll(() => harness[Symbol.asyncDispose]());

const frame = (src: string, more = '') => `<iframe src="${src}" width="300" height="200" ${more}></iframe>`;
const foreign = (path: string) => harness.address(path, 'localhost');

describe('scrapePage reads the content of frames at their place in the page', () => {
  it('for frames of the same site', async () => {
    const { text } = await harness.scrapeMarkup(`<p>Before</p>${frame('/sub/inner.html')}<p>After</p>`);
    expect(text).toBe('Before\n\nInner words link\n\nAfter');
  });

  it('for frames of another process, in document order', async () => {
    const { text } = await harness.scrapeMarkup(
      `<p>Before</p>${frame(foreign('/sub/inner.html'))}<p>Between</p>${frame(foreign('/sub/twin.html'))}<p>After</p>`,
    );
    expect(text).toBe('Before\n\nInner words link\n\nBetween\n\nTwin words\n\nAfter');
  });

  it('for two frames with the same URL', async () => {
    const { text } = await harness.scrapeMarkup(frame(foreign('/sub/twin.html')).repeat(2));
    expect(text).toBe('Twin words\n\nTwin words');
  });

  it('in an article, if their document has only a link and a picture', async () => {
    harness.serve('/sub/chart.html', '<a href="/chart">Open the chart</a><img src="/chart.png" alt="Chart">');
    const prose = `<p>${'A sentence of the article, with commas, and with enough words for a paragraph. '.repeat(4)}</p>`;
    const { text, mainContent } = await harness.scrapeMarkup(
      `<article><h1>Tides</h1>${prose.repeat(3)}${frame('/sub/chart.html')}${prose}</article>`,
    );
    expect(text).toContain('Open the chart');
    expect(mainContent).toContain('/chart.png');
  });

  it('for nested frames', async () => {
    const { text } = await harness.scrapeMarkup(frame(foreign('/sub/outer.html')));
    expect(text).toBe('Outer words\n\nInner words link');
  });

  it('for frames in an open shadow root', async () => {
    const { text } = await harness.scrapeMarkup(
      `<p>Before</p><div id="h"></div><p>After</p><script>h.attachShadow({ mode: 'open' }).innerHTML = '${frame(foreign('/sub/inner.html'))}'</script>`,
    );
    expect(text).toBe('Before\n\nInner words link\n\nAfter');
  });

  it('with URLs resolved by the base of the frame', async () => {
    const { links } = await harness.scrapeMarkup(
      frame('/sub/inner.html') + frame(foreign('/sub/inner.html')),
    );
    expect(links?.map(link => link.url)).toEqual([harness.address('/sub/here'), foreign('/sub/here')]);
  });

  it('with the images of all frames, in document order', async () => {
    harness.serve('/sub/picture.html', '<p>x</p><img src="in.png" alt="Inside">');
    const markup = `<img src="/a.png" alt="Before">${frame(foreign('/sub/picture.html'))}<img src="/b.png" alt="Between">
      ${frame('/sub/picture.html')}<img src="/c.png" alt="After">`;
    for (const request of [{}, { mainContent: false, markdown: false, text: false, links: false }]) {
      const { images } = await harness.scrapeMarkup(markup, request);
      expect(images?.map(({ id, alt, url }) => [id, alt, url])).toEqual([
        ['IMG1', 'Before', harness.address('/a.png')],
        ['IMG2', 'Inside', foreign('/sub/in.png')],
        ['IMG3', 'Between', harness.address('/b.png')],
        ['IMG4', 'Inside', harness.address('/sub/in.png')],
        ['IMG5', 'After', harness.address('/c.png')],
      ]);
    }
  });

  it('for a frameset', async () => {
    const { text } = await harness.scrapeMarkup(
      '<frameset cols="*,*"><frame src="/sub/inner.html"><frame src="/sub/twin.html"></frameset>',
    );
    expect(text).toBe('Inner words link\n\nTwin words');
  });
});

describe('scrapePage leaves out frames without content', () => {
  it.each([
    ['hidden', 'style="display:none"'],
    ['an advertisement', 'title="Advertisement"'],
  ])('%s', async (_, more) => {
    const { text } = await harness.scrapeMarkup(`<p>Page</p>${frame('/sub/inner.html', more)}`);
    expect(text).toBe('Page');
  });

  it('tiny frames', async () => {
    const { text } = await harness.scrapeMarkup(
      '<p>Page</p><iframe src="/sub/inner.html" width="1" height="1"></iframe>',
    );
    expect(text).toBe('Page');
  });

  it('frames that failed to load', async () => {
    const { text } = await harness.scrapeMarkup(`<p>Page</p>${frame('http://localhost:1/')}`);
    expect(text).toBe('Page');
  });

  it('and replaces a video player by a link to the video', async () => {
    const { markdown } = await harness.scrapeMarkup(
      `<p>Watch</p>${frame('https://www.youtube.com/embed/abcdefghijk', 'title="A film"')}`,
    );
    expect(markdown).toBe('Watch\n\n[A film](https://www.youtube.com/watch?v=abcdefghijk)');
  });
});
