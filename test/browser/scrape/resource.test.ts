import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resourceKind, scrapeResource } from '../../../src/browser/scrape/resource/scrapeResource.ts';
import { ALL_PARTS, ScrapeHarness } from '../../support/scrapeHarness.ts';

const url = 'https://site.example/dir/file';
const bytes = (text: string) => new TextEncoder().encode(text);
const never = new AbortController().signal;
const scrape = (contentType: string, body: Uint8Array | string) =>
  scrapeResource({ contentType, body: typeof body === 'string' ? bytes(body) : body, url }, ALL_PARTS, never);

describe('the content type says what an answer is', () => {
  it.each([
    ['text/html; charset=utf-8', null],
    ['application/xhtml+xml', null],
    ['', null],
    ['application/json', 'json'],
    ['application/ld+json; charset=utf-8', 'json'],
    ['text/plain', 'text'],
    ['application/rss+xml', 'text'],
    ['text/csv', 'text'],
    ['IMAGE/PNG', 'image'],
    ['application/pdf', 'pdf'],
    ['application/zip', 'download'],
  ])('%s is %s', (contentType, kind) => {
    expect(resourceKind(contentType)).toBe(kind);
  });
});

describe('JSON', () => {
  it('is its text, and an object under structured', async () => {
    const data = await scrape('application/json', '{"a":["<b>"]}');
    expect(data.text).toBe('{"a":["<b>"]}');
    expect(data.structured).toEqual([{ a: ['<b>'] }]);
    expect(data.markdown).toBe('```json\n{"a":["<b>"]}\n```');
    expect(data.mainContent).toContain('&lt;b&gt;');
  });

  it('that does not parse, or nests too deep to write, is text alone', async () => {
    expect((await scrape('application/json', '{"a":')).structured).toEqual([]);
    expect((await scrape('application/json', `${'['.repeat(500)}${']'.repeat(500)}`)).structured).toEqual([]);
  });
});

describe('text', () => {
  it('is read in the charset that the answer names', async () => {
    expect((await scrape('text/plain; charset=iso-8859-1', Uint8Array.of(0xe9))).text).toBe('é');
    expect((await scrape('text/plain; charset=nonsense', 'é')).text).toBe('é');
  });

  it('is fenced by more ticks than it has', async () => {
    expect((await scrape('text/plain', 'a\n```\nb\n')).markdown).toBe('````\na\n```\nb\n````');
  });

  it('of nothing is nothing', async () => {
    expect(await scrape('text/plain', '')).toMatchObject({ text: '', markdown: '' });
  });

  it('that is Markdown stays as it is', async () => {
    expect((await scrape('text/markdown', '# A')).markdown).toBe('# A');
  });
});

describe('an image', () => {
  it('is one image', async () => {
    const data = await scrape('image/png', Uint8Array.of(1));
    expect(data.images?.map(image => image.url)).toEqual([url]);
    expect(data.mainContent).toBe(`<img src="${url}">`);
  });
});

describe('anything else', () => {
  it('is a link to itself', async () => {
    expect((await scrape('application/zip', Uint8Array.of(1))).links).toEqual([{ url, text: 'file' }]);
  });
});

describe('a PDF', () => {
  let bench: ScrapeHarness;
  beforeAll(async () => {
    bench = await ScrapeHarness.start();
  });
  afterAll(() => bench[Symbol.asyncDispose]());

  it('gives its title, its text by paragraph, and its links', async () => {
    const page = await bench.browser.newPage();
    await page.setContent(
      '<html lang="en"><title>The paper</title><h1>Findings</h1><p>Water is *wet*.</p><a href="https://linked.example/">source</a>',
    );
    const pdf = await page.pdf();
    await page.close();
    const data = await scrape('application/pdf', pdf);
    expect(data.markdown).toContain('# The paper');
    expect(data.markdown).toContain('Water is \\*wet\\*.');
    expect(data.text).toContain('Findings\n\nWater is *wet*.');
    expect(data.links).toEqual([{ url: 'https://linked.example/', text: 'https://linked.example/' }]);
  });

  it('that is broken is a failure that the caller can read', async () => {
    await expect(scrape('application/pdf', 'not a pdf')).rejects.toMatchObject({ code: 'NAVIGATION_FAILED' });
  });

  it('is given up when the caller goes', async () => {
    const gone = AbortSignal.abort(new Error('gone'));
    const reading = scrapeResource(
      { contentType: 'application/pdf', body: bytes('x'), url },
      ALL_PARTS,
      gone,
    );
    await expect(reading).rejects.toThrow('gone');
  });
});
