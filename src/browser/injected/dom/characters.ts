/** Judges UTF-16 code units. Most are ASCII and need no pattern, which Chromium would compile for each process anew. */
const LETTER = /\p{L}/u;
const NUMBER = /\p{N}/u;
const MAX_ASCII = 127;

/** Scripts of which two characters tell as much as a word of others begin here in Unicode (CJK radicals). */
export const FIRST_IDEOGRAPH = '\u2e80';

type Character = string | undefined;

const codeOf = (character: Character): number => character?.charCodeAt(0) ?? 0;
const isBetween = (code: number, first: string, last: string): boolean =>
  code >= first.charCodeAt(0) && code <= last.charCodeAt(0);

export function isLetter(character: Character): boolean {
  const code = codeOf(character);
  if (code > MAX_ASCII) return LETTER.test(character ?? '');
  return isBetween(code, 'a', 'z') || isBetween(code, 'A', 'Z');
}

/** Returns true for a digit or another number of any script (Unicode category N). */
export function isNumber(character: Character): boolean {
  const code = codeOf(character);
  return code > MAX_ASCII ? NUMBER.test(character ?? '') : isBetween(code, '0', '9');
}

export const isWordCharacter = (character: Character): boolean => isLetter(character) || isNumber(character);

export const isUpperCase = (character: Character): boolean =>
  isLetter(character) && character?.toLowerCase() !== character;

export const isLowerCase = (character: Character): boolean =>
  isLetter(character) && character?.toUpperCase() !== character;
