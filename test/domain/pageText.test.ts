import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  cutText,
  normalizeLines,
  normalizeText,
  quote,
  toWellFormedJson,
  truncate,
  truncateQuoting,
} from '../../src/domain/space/pageText.ts';
import { hostileText, UNSAFE_CHARACTERS } from '../support/hostileText.ts';

describe('normalizeText()', () => {
  test.each([
    ['plain text', 'Save as “draft” – 5 €', 'Save as “draft” – 5 €'],
    ['line breaks of all kinds', 'a\nb\r\nc\u0085d\u2028e\u2029f', 'a b c d e f'],
    ['terminal sequences', '\u001B[31mred\u001B[0m \u001B]0;title\u0007x', 'red x'],
    ['blank letters', 'a\u3164\u2800\u115F\uFFA0b', 'ab'],
    ['joiners outside of words that need them', 'S\u200Da\u200Cve', 'Save'],
    ['joined emoji and Persian words', '👩‍💻 می‌خواهم 1️⃣ ❤️', '👩‍💻 می‌خواهم 1️⃣ ❤️'],
    ['variation selectors out of context', 'Sa\uFE0Fve\uFE0E', 'Save'],
    ['halves of surrogate pairs', 'a\uD83D b\uDE00', 'a b'],
    ['a mark that would combine with the quote before it', '\u0338Save', 'Save'],
    ['marks inside words', 'e\u0301te\u0301', 'e\u0301te\u0301'],
  ])('%s', (_, text, expected) => {
    expect(normalizeText(text)).toBe(expected);
  });

  test('returns one line of safe characters for every text, and changes no text twice', () => {
    fc.assert(
      fc.property(hostileText(), text => {
        const line = normalizeText(text);
        expect(line).not.toMatch(UNSAFE_CHARACTERS);
        expect(line).not.toMatch(/[\n\t]|^\s|\s$|\s\s/);
        expect(line.isWellFormed()).toBe(true);
        expect(normalizeText(line)).toBe(line);
      }),
      { numRuns: 2_000 },
    );
  });
});

test('normalizeLines() keeps line breaks and tabs, and nothing else that is unsafe', () => {
  expect(normalizeLines('a\r\n\tb\u2028c\u0000\u200B')).toBe('a\n\tb\nc');
  fc.assert(
    fc.property(hostileText(), text => {
      expect(normalizeLines(text)).not.toMatch(UNSAFE_CHARACTERS);
    }),
  );
});

test('quote() makes a quotation that the text cannot end', () => {
  fc.assert(
    fc.property(hostileText(), text => {
      expect(quote(text)).toMatch(/^"[^"\n\uFF02]*"$/);
    }),
  );
});

test('cutText() and truncate() never leave half of a character', () => {
  expect(cutText('ab😀', 3)).toBe('ab');
  expect(truncate('ab😀cdef', 5)).toBe('ab😀…');
  expect(truncate('ab😀cdef', 4)).toBe('ab…');
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.integer({ min: 2, max: 30 }),
      (text, length) => {
        expect(truncate(text, length).isWellFormed()).toBe(true);
        expect(truncate(text, length).length).toBeLessThanOrEqual(length);
        expect(cutText(text, length).isWellFormed()).toBe(true);
      },
    ),
  );
});

test('toWellFormedJson() replaces halves of characters, and nothing else', () => {
  const text = '\uD83D😀\uDE00 \\ud83d \\\\ud83d "\\"';
  expect(JSON.parse(toWellFormedJson({ [text]: [text] }))).toEqual({
    [text.toWellFormed()]: [text.toWellFormed()],
  });
});

test('truncateQuoting() closes a quotation that it cuts', () => {
  expect(truncateQuoting('button "Save the document"', 16)).toBe('button "Save…"');
  expect(truncateQuoting('button "Save"', 40)).toBe('button "Save"');
});
