import { describe, expect, it } from 'vitest';
import { PAGE_PARTS } from '../../src/domain/content/contentParts.ts';
import { contentChunk, type PageValues, type ScrapedData } from '../../src/domain/content/scrape.ts';

const data = (parts: Partial<ScrapedData>): ScrapedData => ({
  ...(Object.fromEntries(PAGE_PARTS.map(part => [part, null])) as PageValues),
  ...parts,
});

/** All chunks of a content. */
function chunks(whole: ScrapedData, maxCharacters: number): ScrapedData[] {
  const found: ScrapedData[] = [];
  for (let cursor: string | null = null; ; ) {
    const chunk = contentChunk(whole, { maxCharacters, cursor });
    found.push(chunk);
    if (chunk.truncated !== true) return found;
    cursor = chunk.cursor ?? null;
  }
}

describe('contentChunk', () => {
  const markup = '<p>one two</p>'.repeat(500);
  const text = 'one two\n'.repeat(900);

  it('returns short content whole', () => {
    expect(contentChunk(data({ text: 'short' }), { maxCharacters: 1_000, cursor: null })).toMatchObject({
      text: 'short',
      markdown: null,
      truncated: false,
      cursor: null,
    });
  });

  it('splits each text by itself; the chunks joined are the whole', () => {
    const found = chunks(data({ mainContent: markup, text }), 1_000);
    expect(found.length).toBe(8);
    expect(found.map(chunk => chunk.mainContent).join('')).toBe(markup);
    expect(found.map(chunk => chunk.text).join('')).toBe(text);
  });

  it('ends a chunk after a tag, a line or a word', () => {
    const [first] = chunks(data({ mainContent: markup, text }), 1_001);
    expect(first?.mainContent).toMatch(/>$/);
    expect(first?.text).toMatch(/\n$/);
  });

  it('ends a chunk anywhere if there is no such place, but not within a surrogate pair', () => {
    const wide = '😀'.repeat(2_000);
    const found = chunks(data({ text: wide }), 1_001);
    expect(found.every(chunk => chunk.text?.isWellFormed())).toBe(true);
    expect(found.map(chunk => chunk.text).join('')).toBe(wide);
  });

  it('splits each list between items; the chunks joined are the whole', () => {
    const links = Array.from({ length: 300 }, (_, n) => ({
      url: `https://a.example/${n}`,
      text: `Link ${n}`,
    }));
    const structured = [{ name: 'x'.repeat(3_000) }, { name: 'y' }];
    const found = chunks(data({ links, structured, text: 'short' }), 2_000);
    expect(found.flatMap(chunk => chunk.links)).toEqual(links);
    expect(found.flatMap(chunk => chunk.structured)).toEqual(structured);
    expect(found.map(chunk => chunk.text).join('')).toBe('short');
    for (const chunk of found) expect(JSON.stringify(chunk.links).length).toBeLessThanOrEqual(2_001);
  });

  it('returns an item larger than the limit alone', () => {
    const structured = [{ name: 'x'.repeat(3_000) }, { name: 'y' }];
    expect(chunks(data({ structured }), 2_000).map(chunk => chunk.structured?.length)).toEqual([1, 1]);
  });

  it('returns truncated without a cursor for an incomplete part', () => {
    const cut = data({ text: 'short', incomplete: ['text'] });
    const found = contentChunk(cut, { maxCharacters: 1_000, cursor: null });
    expect([found.truncated, found.cursor]).toEqual([true, null]);
  });

  it('returns empty parts for a cursor past the end', () => {
    const past = contentChunk(data({ text: 'short' }), { maxCharacters: 1_000, cursor: '0-0-9-0-0-0' });
    expect([past.text, past.truncated]).toEqual(['', false]);
  });
});
