import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resourceKind, scrapeResource } from '../../../../src/browser/scrape/resource/scrapeResource.ts';
import { ALL_PARTS, ScrapeHarness } from '../../../support/scrapeHarness.ts';

const url = 'https://site.example/dir/file';
const bytes = (text: string) => new TextEncoder().encode(text);
const never = new AbortController().signal;
const scrape = (contentType: string, body: Uint8Array | string) =>
  scrapeResource({ contentType, body: typeof body === 'string' ? bytes(body) : body, url }, ALL_PARTS, never);

describe('resourceKind maps a content type to a reader', () => {
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

describe('scrapeResource with JSON', () => {
  it('returns its text, and its value as structured', async () => {
    const data = await scrape('application/json', '{"a":["<b>"]}');
    expect(data.text).toBe('{"a":["<b>"]}');
    expect(data.structured).toEqual([{ a: ['<b>'] }]);
    expect(data.markdown).toBe('```json\n{"a":["<b>"]}\n```');
    expect(data.mainContent).toContain('&lt;b&gt;');
  });

  it('returns only its text if it is invalid or nests too deeply', async () => {
    expect((await scrape('application/json', '{"a":')).structured).toEqual([]);
    expect((await scrape('application/json', `${'['.repeat(500)}${']'.repeat(500)}`)).structured).toEqual([]);
  });
});

describe('scrapeResource with text', () => {
  it('decodes the charset of the content type', async () => {
    expect((await scrape('text/plain; charset=iso-8859-1', Uint8Array.of(0xe9))).text).toBe('é');
    expect((await scrape('text/plain; charset=nonsense', 'é')).text).toBe('é');
  });

  it('decodes a text without a charset by its mark, its XML declaration, or its bytes', async () => {
    expect((await scrape('text/plain', 'é')).text).toBe('é');
    expect((await scrape('text/csv', Uint8Array.of(0x61, 0xe9))).text).toBe('aé');
    expect((await scrape('text/plain', Uint8Array.of(0xff, 0xfe, 0xe9, 0))).text).toBe('é');
    const xml = '<?xml version="1.0" encoding="iso-8859-2"?>';
    const bytes = Uint8Array.of(...new TextEncoder().encode(xml), 0xb1);
    expect((await scrape('application/xml', bytes)).text).toBe(`${xml}ą`);
  });

  it('fences it with more backticks than it contains', async () => {
    expect((await scrape('text/plain', 'a\n```\nb\n')).markdown).toBe('````\na\n```\nb\n````');
  });

  it('returns empty text for an empty body', async () => {
    expect(await scrape('text/plain', '')).toMatchObject({ text: '', markdown: '' });
  });

  it('returns Markdown unchanged', async () => {
    expect((await scrape('text/markdown', '# A')).markdown).toBe('# A');
  });
});

describe('scrapeResource with an image', () => {
  it('returns one image', async () => {
    const data = await scrape('image/png', Uint8Array.of(1));
    expect(data.images?.map(image => image.url)).toEqual([url]);
    expect(data.mainContent).toBe(`<img src="${url}">`);
  });
});

describe('scrapeResource with another type', () => {
  it('returns a link to the file', async () => {
    expect((await scrape('application/zip', Uint8Array.of(1))).links).toEqual([{ url, text: 'file' }]);
  });
});

describe('scrapeResource with a PDF', () => {
  let harness: ScrapeHarness;
  beforeAll(async () => {
    harness = await ScrapeHarness.start();
  });
  afterAll(() => harness[Symbol.asyncDispose]());

  it('returns its title, its text in paragraphs, and its links', async () => {
    const page = await harness.context.newPage();
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

  it('fails with NAVIGATION_FAILED if the PDF is broken', async () => {
    await expect(scrape('application/pdf', 'not a pdf')).rejects.toMatchObject({ code: 'NAVIGATION_FAILED' });
  });

  it('stops when the caller aborts', async () => {
    const gone = AbortSignal.abort(new Error('gone'));
    const reading = scrapeResource(
      { contentType: 'application/pdf', body: bytes('x'), url },
      ALL_PARTS,
      gone,
    );
    await expect(reading).rejects.toThrow('gone');
  });
});
