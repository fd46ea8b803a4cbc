import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ScrapeHarness } from '../../support/scrapeHarness.ts';

let bench: ScrapeHarness;
beforeAll(async () => {
  bench = await ScrapeHarness.start();
  bench.serve('/sub/inner.html', '<p>Inner words <a href="here">link</a></p>');
  bench.serve('/sub/twin.html', '<p>Twin words</p>');
  bench.serve('/sub/outer.html', `<p>Outer words</p>${frame(bench.address('/sub/inner.html'))}`);
});
afterAll(() => bench[Symbol.asyncDispose]());

const frame = (src: string, more = '') => `<iframe src="${src}" width="300" height="200" ${more}></iframe>`;
const foreign = (path: string) => bench.address(path, 'localhost');

describe('frames are part of the page, at their place', () => {
  it('of the same site', async () => {
    const { text } = await bench.scrapeMarkup(`<p>Before</p>${frame('/sub/inner.html')}<p>After</p>`);
    expect(text).toBe('Before\n\nInner words link\n\nAfter');
  });

  it('of another process, in their order', async () => {
    const { text } = await bench.scrapeMarkup(
      `<p>Before</p>${frame(foreign('/sub/inner.html'))}<p>Between</p>${frame(foreign('/sub/twin.html'))}<p>After</p>`,
    );
    expect(text).toBe('Before\n\nInner words link\n\nBetween\n\nTwin words\n\nAfter');
  });

  it('twice the same address', async () => {
    const { text } = await bench.scrapeMarkup(frame(foreign('/sub/twin.html')).repeat(2));
    expect(text).toBe('Twin words\n\nTwin words');
  });

  it('frames in frames', async () => {
    const { text } = await bench.scrapeMarkup(frame(foreign('/sub/outer.html')));
    expect(text).toBe('Outer words\n\nInner words link');
  });

  it('in an open shadow tree', async () => {
    const { text } = await bench.scrapeMarkup(
      `<p>Before</p><div id="h"></div><p>After</p><script>h.attachShadow({ mode: 'open' }).innerHTML = '${frame(foreign('/sub/inner.html'))}'</script>`,
    );
    expect(text).toBe('Before\n\nInner words link\n\nAfter');
  });

  it('their addresses go by their own base', async () => {
    const { links } = await bench.scrapeMarkup(frame('/sub/inner.html') + frame(foreign('/sub/inner.html')));
    expect(links?.map(link => link.url)).toEqual([bench.address('/sub/here'), foreign('/sub/here')]);
  });

  it('the images of all of them are listed, in the order of the document', async () => {
    bench.serve('/sub/picture.html', '<p>x</p><img src="in.png" alt="Inside">');
    const markup = `<img src="/a.png" alt="Before">${frame(foreign('/sub/picture.html'))}<img src="/b.png" alt="Between">
      ${frame('/sub/picture.html')}<img src="/c.png" alt="After">`;
    for (const request of [{}, { mainContent: false, markdown: false, text: false, links: false }]) {
      const { images } = await bench.scrapeMarkup(markup, request);
      expect(images?.map(({ id, alt, url }) => [id, alt, url])).toEqual([
        ['IMG1', 'Before', bench.address('/a.png')],
        ['IMG2', 'Inside', foreign('/sub/in.png')],
        ['IMG3', 'Between', bench.address('/b.png')],
        ['IMG4', 'Inside', bench.address('/sub/in.png')],
        ['IMG5', 'After', bench.address('/c.png')],
      ]);
    }
  });

  it('a frameset is its frames', async () => {
    const { text } = await bench.scrapeMarkup(
      '<frameset cols="*,*"><frame src="/sub/inner.html"><frame src="/sub/twin.html"></frameset>',
    );
    expect(text).toBe('Inner words link\n\nTwin words');
  });
});

describe('frames that show no content are left out', () => {
  it.each([
    ['hidden', 'style="display:none"'],
    ['adverts', 'title="Advertisement"'],
  ])('%s', async (_, more) => {
    const { text } = await bench.scrapeMarkup(`<p>Page</p>${frame('/sub/inner.html', more)}`);
    expect(text).toBe('Page');
  });

  it('tiny', async () => {
    const { text } = await bench.scrapeMarkup(
      '<p>Page</p><iframe src="/sub/inner.html" width="1" height="1"></iframe>',
    );
    expect(text).toBe('Page');
  });

  it('gone', async () => {
    const { text } = await bench.scrapeMarkup(`<p>Page</p>${frame('http://localhost:1/')}`);
    expect(text).toBe('Page');
  });

  it('a player becomes a link to what it plays', async () => {
    const { markdown } = await bench.scrapeMarkup(
      `<p>Watch</p>${frame('https://www.youtube.com/embed/abcdefghijk', 'title="A film"')}`,
    );
    expect(markdown).toBe('Watch\n\n[A film](https://www.youtube.com/watch?v=abcdefghijk)');
  });
});
