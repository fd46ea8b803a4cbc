/** Phrases of several languages that tell what a line or a section is for. */

import { FIRST_IDEOGRAPH } from '../dom/characters.ts';

/** The phrases of one language. */
interface LanguagePhrases {
  /**
   * The words with which a phrase begins, after a number, separated by spaces; in Chinese, Japanese and Korean its first two
   * characters.
   */
  readonly begins: string;
  /** Pattern of the whole phrase, in lower case. */
  readonly pattern: string;
}

/** Phrases by language (BCP 47). */
export type PhraseTable = Readonly<Record<string, LanguagePhrases>>;

/** The characters that end the first word of a text. */
const WORD_ENDS = ' \u00a0.,:;…!?()/|：（？';
/** They end it too, unless the word with them is known: `siga-nos`, `s'abonner`. */
const PARTS_ENDS = '-–—"“”\'’»&@';
const NUMBER = '0123456789.,+ \u00a0';

/** Returns a text in lower case, with `i` for each of the four letters of Turkish that look like it. */
const fold = (text: string): string => text.toLowerCase().replaceAll('\u0307', '').replaceAll('ı', 'i');

function endOfWord(text: string, start: number, ends: string): number {
  let end = start;
  while (end < text.length && !ends.includes(text[end] ?? '')) end++;
  return end;
}

/**
 * Phrases of several languages. The browser compiles a pattern when it is used first, for each page anew and for up to 10 ms if it has all
 * languages: a text is compared only with the languages whose phrases begin with its first word.
 */
export class Phrases {
  readonly table: PhraseTable;
  readonly #end: string;
  readonly #byBeginning = new Map<string, readonly string[]>();
  readonly #compiled = new Map<string, RegExp>();

  /** @param end pattern of what may follow a phrase, and of the end of the text */
  constructor(table: PhraseTable, end: string) {
    this.table = table;
    this.#end = end;
    for (const [language, { begins }] of Object.entries(table))
      for (const word of fold(begins).split(' '))
        this.#byBeginning.set(word, [...(this.#byBeginning.get(word) ?? []), language]);
  }

  /** Returns true if a text is one of the phrases. Its first word is the one after a number ("24 reviews"). */
  test(text: string): boolean {
    let start = 0;
    while (start < text.length && NUMBER.includes(text[start] ?? '')) start++;
    const word = fold(text.slice(start, endOfWord(text, start, WORD_ENDS)));
    const languages =
      this.#languagesOf(word) ?? this.#languagesOf(word.slice(0, endOfWord(word, 0, PARTS_ENDS)));
    if (languages === undefined) return false;
    const phrase = fold(text);
    return languages.some(language => this.#patternOf(language).test(phrase));
  }

  #languagesOf(word: string): readonly string[] | undefined {
    return this.#byBeginning.get(word < FIRST_IDEOGRAPH ? word : word.slice(0, 2));
  }

  #patternOf(language: string): RegExp {
    const known = this.#compiled.get(language);
    if (known !== undefined) return known;
    const pattern = new RegExp(`^(?:${fold(this.table[language]?.pattern ?? '(?!)')})${this.#end}`);
    this.#compiled.set(language, pattern);
    return pattern;
  }
}
