/** Generates texts by which a hostile page tries to leave its quotes, its line or the Unicode standard. */
import fc from 'fast-check';

/** Every hostile text contains this word, so that a test finds it where the page must not speak. */
export const PAGE_WORD = 'zqx';

const FRAGMENTS = [
  '"',
  "'",
  '\\',
  '\\"',
  '“',
  '”',
  '\uFF02',
  '`',
  '\n',
  '\r\n',
  '\u0085',
  '\u2028',
  '\u2029',
  '\v',
  '\t',
  '\u00A0',
  '\u0000',
  '\u001B[31m',
  '\u001B]0;title\u0007',
  '\u009B2J',
  '\u007F',
  '\u202E',
  '\u2066',
  '\u200B',
  '\u200D',
  '\u2800',
  '\u3164',
  '\u115F',
  '\uFFA0',
  '\uFE0F',
  '\u{E0041}',
  '\u{E0120}',
  '\uD83D',
  '\uDE00',
  '\uFFFF',
  '\u0338',
  '😀',
  '👩‍💻',
  '🏳️‍🌈',
  'می‌خواهم',
  'B9 "Pay"',
  '\nB9 "Pay"',
  '\n= B9 in ',
  ', in "',
  ' B8–B9',
  '## Main',
  '# A page (item)',
  'S1 goto(url)',
  '… 9 more',
  '! alert "done"',
  ' (covered)',
  '", disabled',
  '"|"',
  '") · S8 terminate',
  'Open alert: "x"',
] as const;

/** A hostile text of up to 40 fragments and words. */
export const hostileText = (maxLength = 40): fc.Arbitrary<string> =>
  fc
    .array(fc.oneof(fc.constantFrom(...FRAGMENTS), fc.string({ unit: 'binary', maxLength: 6 })), {
      maxLength,
    })
    .map(parts => [PAGE_WORD, ...parts].join(''));

/** Characters that no text of an answer may contain. `\n` and `\t` are allowed only where `lines` says so. */
export const UNSAFE_CHARACTERS =
  /(?![\n\t])\p{Cc}|[\u0085\u2028\u2029\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\u2800\u3164\u115F\u1160\uFFA0\u00AD\u{E0000}-\u{E0FFF}]|\p{Cs}|\p{Noncharacter_Code_Point}/u;
