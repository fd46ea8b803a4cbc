import { describe, expect, it } from 'vitest';
import {
  isLetter,
  isLowerCase,
  isNumber,
  isUpperCase,
  isWordCharacter,
} from '../../../../src/browser/injected/dom/characters.ts';

const PREDICATES = { isLetter, isLowerCase, isNumber, isUpperCase, isWordCharacter };
const namesOf = (character: string | undefined): string[] =>
  Object.entries(PREDICATES)
    .filter(([, isOne]) => isOne(character))
    .map(([name]) => name);

describe('The character', () => {
  it.each([
    ['a', 'isLetter isLowerCase isWordCharacter'],
    ['É', 'isLetter isUpperCase isWordCharacter'],
    ['ж', 'isLetter isLowerCase isWordCharacter'],
    ['字', 'isLetter isWordCharacter'],
    ['7', 'isNumber isWordCharacter'],
    ['٣', 'isNumber isWordCharacter'],
    ['½', 'isNumber isWordCharacter'],
    ['_', ''],
    ['-', ''],
    ['–', ''],
    ['', ''],
    [undefined, ''],
  ])('%s: %s', (character, expected) => {
    expect(namesOf(character).join(' ')).toBe(expected);
  });
});
