import { describe, expect, it } from 'vitest';
import { contentChunk } from '../../src/domain/contentChunk.ts';
import type { ScrapedData } from '../../src/domain/scrapedData.ts';

const data = (parts: Partial<ScrapedData>): ScrapedData => ({
  mainContent: null,
  markdown: null,
  text: null,
  images: null,
  links: null,
  structured: null,
  metadata: null,
  ...parts,
});

/** All parts of a content, put together again. */
function parts(whole: ScrapedData, maxCharacters: number): ScrapedData[] {
  const found: ScrapedData[] = [];
  for (let cursor: string | null = null; ; ) {
    const part = contentChunk(whole, { maxCharacters, cursor });
    found.push(part);
    if (part.truncated !== true) return found;
    cursor = part.cursor ?? null;
  }
}

describe('content in parts', () => {
  const markup = '<p>one two</p>'.repeat(500);
  const text = 'one two\n'.repeat(900);

  it('is whole when it is short', () => {
    expect(contentChunk(data({ text: 'short' }), { maxCharacters: 1_000, cursor: null })).toMatchObject({
      text: 'short',
      markdown: null,
      truncated: false,
      cursor: null,
    });
  });

  it('put together is the whole, each text by itself', () => {
    const told = parts(data({ mainContent: markup, text }), 1_000);
    expect(told.length).toBe(8);
    expect(told.map(part => part.mainContent).join('')).toBe(markup);
    expect(told.map(part => part.text).join('')).toBe(text);
  });

  it('is cut behind a tag, a line or a word', () => {
    const [first] = parts(data({ mainContent: markup, text }), 1_001);
    expect(first?.mainContent).toMatch(/>$/);
    expect(first?.text).toMatch(/\n$/);
  });

  it('is cut anywhere where there is no such place, but not within a character', () => {
    const wide = '😀'.repeat(2_000);
    const told = parts(data({ text: wide }), 1_001);
    expect(told.every(part => part.text?.isWellFormed())).toBe(true);
    expect(told.map(part => part.text).join('')).toBe(wide);
  });

  it('put together is the whole of each list, item by item', () => {
    const links = Array.from({ length: 300 }, (_, n) => ({
      url: `https://a.example/${n}`,
      text: `Link ${n}`,
    }));
    const structured = [{ name: 'x'.repeat(3_000) }, { name: 'y' }];
    const told = parts(data({ links, structured, text: 'short' }), 2_000);
    expect(told.flatMap(part => part.links)).toEqual(links);
    expect(told.flatMap(part => part.structured)).toEqual(structured);
    expect(told.map(part => part.text).join('')).toBe('short');
    for (const part of told) expect(JSON.stringify(part.links).length).toBeLessThanOrEqual(2_001);
  });

  it('with an item that is larger than the bound has it alone', () => {
    const structured = [{ name: 'x'.repeat(3_000) }, { name: 'y' }];
    expect(parts(data({ structured }), 2_000).map(part => part.structured?.length)).toEqual([1, 1]);
  });

  it('that is cut for good is truncated, and no cursor leads on', () => {
    const cut = data({ text: 'short', incomplete: ['text'] });
    const told = contentChunk(cut, { maxCharacters: 1_000, cursor: null });
    expect([told.truncated, told.cursor]).toEqual([true, null]);
  });

  it('past its end is empty', () => {
    const past = contentChunk(data({ text: 'short' }), { maxCharacters: 1_000, cursor: '0-0-9-0-0-0' });
    expect([past.text, past.truncated]).toEqual(['', false]);
  });
});
