/** The search for secrets in what pages make of them: with other characters between their own, in reverse, in Base64 and in hex. */
import { MASK } from './space/pageText.ts';

/** Minimum length of a secret that is masked wherever it stands. A shorter one is masked only where it stands in quotes alone. Characters. */
export const MIN_LENGTH = 4;
/** Length below which a secret is masked only as a whole word: a PIN is part of many numbers. Characters. */
export const MIN_LENGTH_IN_WORDS = 6;
/** Length of the beginning of a secret that is masked whatever follows. Characters. */
export const MIN_LONG_BEGINNING = 24;
/** Length of a part of a value of the vault that is masked wherever it stands, if it is more than letters. Characters. */
export const PART_LENGTH = 6;
/** Maximum number of places of a text that are looked at for the beginning of a secret, so that a hostile page cannot take long. */
export const MAX_PLACES = 2_000;
/** Maximum length of a secret that is looked for among the letters and digits of a text. Characters. */
const MAX_FOLDED_LENGTH = 1_000;
/** Minimum length of the Base64 or hex of a secret that is looked for, so that no other text is taken for it. Characters. */
const MIN_CODED_LENGTH = 8;

/** Returns true for the dots that pages show in place of a secret, and for a line of one sign. */
export const isMask = (text: string): boolean => /^(?:[•●*·.\s]+|([^\p{L}\p{N}])\1*)$/u.test(text);

const TAGS = /<[^<>]*>/g;
/** The alphabets that are searched: letters and digits, or all visible characters without those that pages put between the digits of a code. */
const LETTERS = '[\\p{L}\\p{N}]+';
const VISIBLE = '[^\\s|·,<>\\p{C}]+';

const reversed = (text: string): string => [...text].reverse().join('');

/** Secrets without what stands between their letters and digits, as they are looked for in a text without it. */
export class FoldedSecrets {
  readonly #letters = new FoldedValues(LETTERS);
  readonly #visible = new FoldedValues(VISIBLE);

  add(secret: string): void {
    for (const values of this.#valuesFor(secret)) values.add(secret);
  }

  addCodes(secret: string): void {
    if (secret.length < MIN_LENGTH_IN_WORDS || secret.length > MAX_FOLDED_LENGTH) return;
    for (const code of codesOf(secret)) this.#letters.addCode(code);
  }

  addParts(secret: string): void {
    for (const values of this.#valuesFor(secret)) values.addParts(secret);
  }

  maskedIn(text: string): string {
    return this.#visible.maskedIn(this.#letters.maskedIn(text));
  }

  #valuesFor(secret: string): readonly FoldedValues[] {
    if (secret.length > MAX_FOLDED_LENGTH) return [];
    return /[^\p{L}\p{N}]/u.test(secret) ? [this.#letters, this.#visible] : [this.#letters];
  }
}

/** Values of one alphabet, and the search for them among the characters of that alphabet in a text. */
class FoldedValues {
  readonly #words: RegExp;
  readonly #wordsAndTags: RegExp;
  readonly #needles = new Set<string>();
  /** Matches the beginning of any of them; null until it is needed. */
  #any: RegExp | null = null;

  /** @param alphabet the source of an expression for a run of its characters */
  constructor(alphabet: string) {
    this.#words = new RegExp(`(${alphabet})`, 'gu');
    this.#wordsAndTags = new RegExp(`<[^<>]*>|(${alphabet})`, 'gu');
  }

  add(secret: string): void {
    const folded = this.#fold(secret);
    // A shorter one is no word of its own in a text.
    const isWhole = folded.length === secret.length;
    if (folded.length < (isWhole ? MIN_LENGTH : MIN_LENGTH_IN_WORDS)) return;
    this.#put(folded);
    if (folded.length >= MIN_LENGTH_IN_WORDS) this.#put(reversed(folded));
  }

  addCode(code: string): void {
    const folded = this.#fold(code);
    if (folded.length >= MIN_CODED_LENGTH) this.#put(folded);
  }

  addParts(secret: string): void {
    const folded = this.#fold(secret);
    for (let from = 0; from + PART_LENGTH <= folded.length; from++) {
      const part = folded.slice(from, from + PART_LENGTH);
      if (/^\p{L}*$/u.test(part) || isMask(part)) continue;
      this.#put(part);
      this.#put(reversed(part));
    }
  }

  maskedIn(text: string): string {
    if (this.#needles.size === 0) return text;
    const masked = this.#masked(text, this.#words, text);
    return masked.includes('<')
      ? this.#masked(masked, this.#wordsAndTags, masked.replace(TAGS, ' '))
      : masked;
  }

  #put(needle: string): void {
    this.#needles.add(needle);
    this.#any = null;
  }

  #fold(text: string): string {
    return (text.match(this.#words) ?? []).join('').toLowerCase();
  }

  /** @param visible the text without the tags that `words` matches beside words */
  #masked(text: string, words: RegExp, visible: string): string {
    const heads = () =>
      [...this.#needles].map(needle =>
        needle.slice(0, MIN_LONG_BEGINNING).replace(/[^\p{L}\p{N}]/gu, '\\$&'),
      );
    this.#any ??= new RegExp([...new Set(heads())].join('|'));
    if (!this.#any.test(this.#fold(visible))) return text;
    const parts: string[] = [];
    // Where each character stands.
    const places: number[] = [];
    for (const { 1: word, index } of text.matchAll(words)) {
      if (word === undefined) continue;
      const small = word.toLowerCase();
      parts.push(small);
      // Some letters have small forms of another length.
      for (let at = 0; at < small.length; at++) places.push(index + Math.min(at, word.length - 1));
    }
    const letters = parts.join('');
    const start = (at: number): number => places[at] ?? text.length;
    const end = (at: number): number => start(at) + 1;
    // Number of the gaps before each character.
    const gaps = new Uint32Array(letters.length);
    for (let at = 1; at < letters.length; at++) {
      const isApart = start(at) > end(at - 1) && text.slice(end(at - 1), start(at)).replace(TAGS, '') !== '';
      gaps[at] = (gaps[at - 1] ?? 0) + (isApart ? 1 : 0);
    }
    const isHidden = new Uint8Array(letters.length);
    const mayBeHidden = new Uint8Array(letters.length);
    for (const needle of this.#needles) {
      const head = needle.slice(0, MIN_LONG_BEGINNING);
      let from = 0;
      for (let hits = 0; ; hits++) {
        const at = letters.indexOf(head, from);
        if (at === -1) break;
        let next = at + head.length;
        // As for a long beginning, the end need not be there.
        while (next - at < needle.length && letters[next] === needle[next - at]) next++;
        // A value can begin within itself; to look at all these places of a hostile page would take too long.
        from = needle.length > head.length || hits > MAX_PLACES ? next : at + 1;
        const apart = (gaps[next - 1] ?? 0) - (gaps[at] ?? 0);
        if (needle.length < MIN_LENGTH_IN_WORDS && apart < needle.length - 1) continue;
        (apart === 0 ? isHidden : mayBeHidden).fill(1, at, next);
      }
    }
    // Letters with others between them are those of the secret if no word goes on before or after them: `used shop` has no `ed shop`.
    for (const [first, last] of runs(letters.length, at => isHidden[at] === 1 || mayBeHidden[at] === 1))
      if (isWholeWord(text, start(first), end(last))) isHidden.fill(1, first, last + 1);
    let masked = '';
    let from = 0;
    for (const [first, last] of runs(letters.length, at => isHidden[at] === 1)) {
      masked += text.slice(from, start(first)) + MASK;
      from = end(last);
    }
    return masked + text.slice(from);
  }
}

/** Returns the first and the last number of each run of numbers below `length` that the test holds for. */
function runs(length: number, holds: (at: number) => boolean): readonly (readonly [number, number])[] {
  const found: [number, number][] = [];
  for (let at = 0; at < length; at++) {
    if (!holds(at)) continue;
    const last = found.at(-1);
    if (last?.[1] === at - 1) last[1] = at;
    else found.push([at, at]);
  }
  return found;
}

/** Returns the forms of a secret in Base64, for each place in a group of three bytes, without the characters that depend on its neighbours; and in hex. */
function codesOf(secret: string): readonly string[] {
  const bytes = new TextEncoder().encode(secret);
  const inBase64 = [0, 1, 2].map(before =>
    btoa('\0'.repeat(before) + String.fromCharCode(...bytes)).slice(
      Math.ceil((before * 4) / 3),
      Math.floor(((before + bytes.length) * 4) / 3),
    ),
  );
  return [...inBase64, [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('')];
}

export function isWholeWord(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 3), start);
  return (
    (!/[\p{L}\p{N}]$/u.test(before) || /%[0-9a-f]{2}$/i.test(before)) &&
    !/^[\p{L}\p{N}]/u.test(text.slice(end, end + 2))
  );
}
