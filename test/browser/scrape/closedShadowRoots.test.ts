import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scrapePage } from '../../../src/browser/scrape/scrapePage.ts';
import { mainFrameWorld } from '../../support/mainFrameWorld.ts';
import { ALL_PARTS, ScrapeHarness } from '../../support/scrapeHarness.ts';

let harness: ScrapeHarness;
beforeAll(async () => {
  harness = await ScrapeHarness.start();
  harness.serve('/sub/closed.html', closed('<p>Words in a frame</p>'));
});
afterAll(() => harness[Symbol.asyncDispose]());

/** A custom element whose closed shadow root has this HTML. */
const closed = (markup: string, light = '') =>
  `<x-box id="box">${light}</x-box><script>box.attachShadow({ mode: 'closed' }).innerHTML = ${JSON.stringify(markup)}</script>`;

describe('scrapePage reads the closed shadow root of a custom element', () => {
  it('at its place in the page', async () => {
    const { text, links } = await harness.scrapeMarkup(
      `<p>Before</p>${closed('<p>Inside <a href="in">link</a></p>')}<p>After</p>`,
    );
    expect(text).toBe('Before\n\nInside link\n\nAfter');
    expect(links).toEqual([{ url: harness.address('/dir/in'), text: 'link' }]);
  });

  it('with the content of its slots', async () => {
    const { text } = await harness.scrapeMarkup(
      closed('<p>Above</p><slot></slot><p>Below</p>', '<p>Given</p><p slot="none">Not shown</p>'),
    );
    expect(text).toBe('Above\n\nGiven\n\nBelow');
  });

  it('with its images', async () => {
    const { images } = await harness.scrapeMarkup(closed('<img src="/in.png" alt="Inside">'));
    expect(images?.map(image => image.alt)).toEqual(['Inside']);
  });

  it('inside another closed root', async () => {
    const { text } = await harness.scrapeMarkup(`<x-out id="out"></x-out><script>
      const outer = out.attachShadow({ mode: 'closed' });
      outer.innerHTML = '<p>Outer</p><x-in></x-in>';
      outer.querySelector('x-in').attachShadow({ mode: 'closed' }).innerHTML = '<p>Inner</p>';</script>`);
    expect(text).toBe('Outer\n\nInner');
  });

  it('inside a frame of another process', async () => {
    const src = harness.address('/sub/closed.html', 'localhost');
    const { text } = await harness.scrapeMarkup(`<iframe src="${src}" width="300" height="200"></iframe>`);
    expect(text).toBe('Words in a frame');
  });

  it('if the root was attached after the last scrape', async () => {
    const page = await harness.open(harness.serve('/dir/late.html', '<p>Page</p><x-late>light</x-late>'));
    const world = await mainFrameWorld(page);
    expect((await scrapePage(world, ALL_PARTS)).text).toBe('Page\nlight');
    await page.evaluate(() => {
      const root = document.querySelector('x-late')?.attachShadow({ mode: 'closed' });
      root?.append('attached');
    });
    expect((await scrapePage(world, ALL_PARTS)).text).toBe('Page\nattached');
    await page.close();
  });
});
