import { describe, expect, it } from 'vitest';
import { contentPart } from '../../src/domain/contentPart.ts';
import type { ScrapedData } from '../../src/domain/page.ts';

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
    const part = contentPart(whole, { maxCharacters, cursor });
    found.push(part);
    if (part.truncated !== true) return found;
    cursor = part.cursor ?? null;
  }
}

describe('content in parts', () => {
  const markup = '<p>one two</p>'.repeat(500);
  const text = 'one two\n'.repeat(900);

  it('is whole when it is short', () => {
    expect(contentPart(data({ text: 'short' }), { maxCharacters: 1_000, cursor: null })).toMatchObject({
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

  it('past its end is empty', () => {
    const past = contentPart(data({ text: 'short' }), { maxCharacters: 1_000, cursor: '0-0-9' });
    expect([past.text, past.truncated]).toEqual(['', false]);
  });
});
