/** Removes the secrets of a session from every text that leaves it. */
import { Failure, isFailure } from './failure/failures.ts';
import { MASK } from './space/pageText.ts';
import { SPACE_CATEGORIES } from './space/space.ts';

/** Minimum length of a secret that is masked wherever it stands. A shorter one is masked only where it stands in quotes alone. Characters. */
const MIN_LENGTH = 4;
/** Length below which a secret is masked only as a whole word: a PIN is part of many numbers. Characters. */
const MIN_LENGTH_IN_WORDS = 6;
/** Length of the beginning of a secret that is masked as a whole word, as a field with a `maxlength` keeps it, if it is more than letters. */
const MIN_BEGINNING = 6;
/** Length of the beginning of a secret that is masked whatever follows. Characters. */
const MIN_LONG_BEGINNING = 24;
/** Maximum length of a value of the vault of which parts are masked, too. Characters. */
const MAX_PARTED_LENGTH = 64;
/** Length of a part of a value of the vault that is masked wherever it stands. Letters and digits. */
const PART_LENGTH = 6;
/** Maximum length of a secret that is looked for among the letters and digits of a text. Characters. */
const MAX_FOLDED_LENGTH = 1_000;
/** Minimum length of the Base64 or hex of a secret that is looked for, so that no other text is taken for it. Characters. */
const MIN_CODED_LENGTH = 8;
/** Maximum number of values that pages have made of what was entered: a hostile page must not cost more time. */
const MAX_PAGE_VALUES = 100;
/** Maximum number of places of a text that are looked at for the beginning of a secret, so that a hostile page cannot take long. */
const MAX_PLACES = 2_000;

/** Fields whose texts are the service's own: ids, kinds and lists that are the same for every page. */
const OWN_FIELDS = new Set(
  'id kind type status layer part action tab tabId actionId downloadId fileId code operation contentType cursor'.split(
    ' ',
  ),
);

/** Parts of a content whose fields are the page's or the caller's. */
const FOREIGN_FIELDS = new Set(['extracted', 'structured']);

/**
 * The secrets of one session, in memory only, and the mask for every text that leaves it. A text is searched without regard to case, for
 * the secret as it is, and as it stands in an address, in HTML, in JSON and in Markdown; a beginning or an end of it beside an ellipsis counts
 * too. Then its letters and digits alone are searched, without what stands between them and without tags, for those of the secret: in their
 * order, in reverse, in Base64 and in hex.
 */
export class SecretMask {
  readonly #secrets = new Map<string, Secret>();
  /** One secret can contain another. */
  #longestFirst: readonly Secret[] = [];
  readonly #short = new Set<string>();
  readonly #vaulted = new Set<string>();
  readonly #folded = new FoldedSecrets();
  #pageValues = 0;
  #hasEntry = false;
  /** Matches the beginning of any of the secrets; null without secrets. */
  #beginnings: RegExp | null = null;
  #quoted: RegExp | null = null;

  /** Keeps a secret for the rest of the session. Ignores an empty one, and one that is a mask itself. */
  add(secret: string): void {
    const text = secret.trim();
    if (text === '' || /^[•●*·.\s]+$/.test(text)) return;
    this.noteEntry();
    const { length } = [...text];
    if (length < MIN_LENGTH) {
      this.#short.add(text);
      const shorts = [...this.#short].map(one => characters(one).map(sourceOf).join(''));
      this.#quoted = new RegExp(`"(?:${shorts.join('|')})"`, 'gi');
      return;
    }
    if (this.#secrets.has(text)) return;
    this.#secrets.set(text, new Secret(text));
    this.#folded.add(text);
    this.#longestFirst = [...this.#secrets.values()].sort((one, other) => other.length - one.length);
    this.#beginnings = new RegExp([...this.#secrets.values()].map(({ seed }) => seed).join('|'), 'i');
    const digits = text.replace(/\D/g, '');
    if (digits.length >= MIN_LENGTH_IN_WORDS) this.add(digits);
  }

  /** Keeps a value of the vault, each part of it of six letters or digits, and the first and the last four digits of a card number. */
  addVaulted(value: string): void {
    const text = value.trim();
    this.add(text);
    this.#folded.addParts(text);
    const digits = text.replace(/[\s-]/g, '');
    if (/^\d{12,19}$/.test(digits)) for (const end of [digits.slice(0, 4), digits.slice(-4)]) this.add(end);
    this.#vaulted.add(text);
  }

  /** Call it before text is entered that may be a secret, however short. */
  noteEntry(): void {
    this.#hasEntry = true;
  }

  /** True as soon as a secret of the session may stand in a field. */
  get hasEntry(): boolean {
    return this.#hasEntry;
  }

  /** True if the session has filled a value of the vault. */
  get hasVaulted(): boolean {
    return this.#vaulted.size > 0;
  }

  /** Returns true if the text has a value of the vault, or a part of it that the mask knows. */
  holdsVaulted(text: string): boolean {
    return this.hasVaulted && this.mask(text) !== text;
  }

  /** Keeps what a page has made of a secret, at most 100 values. Ignores a single character, such as those of a code in boxes: it tells nothing. */
  addPageValue(value: string): void {
    if (value !== '') this.noteEntry();
    if (
      [...value.trim()].length < 2 ||
      this.#secrets.has(value.trim()) ||
      this.#pageValues >= MAX_PAGE_VALUES
    )
      return;
    this.#pageValues++;
    this.add(value);
  }

  /** Returns the text with the mask in place of each secret. */
  mask(text: string): string {
    if (this.#beginnings === null || text.length < MIN_LENGTH) return text;
    const isCut = text.includes('…');
    const isHere = isCut || this.#beginnings.test(text);
    const without = (before: string, secrets: readonly Secret[]): string =>
      isHere ? secrets.reduce((masked, secret) => secret.maskedIn(masked, isCut), before) : before;
    // A short one, such as the end of a card, can be a part of a long one.
    const shorts = this.#longestFirst.findIndex(({ length }) => length < MIN_LENGTH_IN_WORDS);
    const longs = shorts === -1 ? this.#longestFirst.length : shorts;
    const masked = this.#folded.maskedIn(without(text, this.#longestFirst.slice(0, longs)));
    return without(masked, this.#longestFirst.slice(longs));
  }

  /** Returns the text of a note or a failure with the mask in place of each secret, also of a short one that stands alone in quotes. */
  maskSentence(text: string): string {
    const masked = this.mask(text);
    return this.#quoted === null ? masked : masked.replace(this.#quoted, `"${MASK}"`);
  }

  /** Returns a value that a caller has entered, or the mask if it is a secret, however short. */
  maskValue(value: string): string {
    return this.#short.has(value.trim()) ? MASK : this.mask(value);
  }

  /** Returns a copy of plain data with all its texts masked; the data itself if it has no secret. Leaves ids and kinds as they are. */
  maskAll<T>(data: T): T {
    return this.#beginnings === null ? data : (this.#masked(data) as T);
  }

  /** Returns the failure without secrets in its detail, its data and its cause. Removes secrets from the message and the stack of any other error. */
  maskError(error: unknown): unknown {
    if (this.#beginnings === null && this.#quoted === null) return error;
    if (!isFailure(error)) {
      if (error instanceof Error) this.#maskInPlace(error);
      return error;
    }
    const { cause, ...context } = error.context;
    const detail = this.maskSentence(error.message);
    const data = this.maskAll(context);
    const failure = new Failure(error.code, detail, {
      ...data,
      ...(cause !== undefined && { cause: this.maskError(cause) }),
    });
    if (error.stack !== undefined) failure.stack = this.maskSentence(error.stack);
    return failure;
  }

  #maskInPlace(error: Error): void {
    for (const field of ['message', 'stack'] as const) {
      const text = error[field];
      const masked = text === undefined ? text : this.maskSentence(text);
      if (masked !== text)
        Object.defineProperty(error, field, { value: masked, configurable: true, writable: true });
    }
    if (error.cause !== undefined) this.maskError(error.cause);
  }

  #masked(value: unknown, isForeign = false): unknown {
    if (typeof value === 'string') return this.mask(value);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) {
      const items = value.map(item => this.#masked(item, isForeign));
      return items.some((item, index) => item !== value[index]) ? items : value;
    }
    let copy: Record<string, unknown> | null = null;
    for (const [field, before] of Object.entries(value)) {
      const isOwn = !isForeign && isOwnField(field, before, value);
      const after = isOwn ? before : this.#masked(before, isForeign || FOREIGN_FIELDS.has(field));
      if (after === before) continue;
      copy ??= { ...value };
      copy[field] = after;
    }
    return copy ?? value;
  }
}

/** Returns true for a field of the service: its value is none of the page's texts. */
const isOwnField = (field: string, value: unknown, owner: object): boolean =>
  (OWN_FIELDS.has(field) && typeof value === 'string') ||
  field === 'specialActions' ||
  (field === 'category' && ('width' in owner || (SPACE_CATEGORIES as readonly unknown[]).includes(value))) ||
  // The name of a parameter.
  (field === 'name' && 'default' in owner);

/** Expressions for a secret, in texts with or without characters in another form. */
interface Patterns {
  readonly whole: RegExp;
  readonly beginning: RegExp;
}

/** A secret value that was entered into a page, with what the page made of it. */
class Secret {
  readonly length: number;
  /** The source of an expression for the beginning of the secret. */
  readonly seed: string;
  readonly #plain: Patterns;
  readonly #encoded: Patterns;
  /** An expression for each character. */
  readonly #atoms: readonly RegExp[];
  readonly #characters: readonly string[];

  constructor(text: string) {
    this.#characters = characters(text);
    this.length = this.#characters.length;
    const sources = this.#characters.map(sourceOf);
    this.#atoms = sources.map(source => new RegExp(source, 'iy'));
    this.seed = sources.slice(0, MIN_LENGTH).join('');
    this.#encoded = patternsOf(sources);
    this.#plain = patternsOf(this.#characters.map(plainSourceOf));
  }

  maskedIn(text: string, isCut: boolean): string {
    const { whole, beginning } = /[%&\\_+]/.test(text) ? this.#encoded : this.#plain;
    const isAnywhere = this.length >= MIN_LENGTH_IN_WORDS;
    const masked = text.replace(whole, (found: string, index: number) =>
      isAnywhere || isWholeWord(text, index, index + found.length) ? MASK : found,
    );
    const withoutBeginnings = this.#withoutBeginnings(masked, beginning);
    return isCut ? this.#withoutEnds(withoutBeginnings) : withoutBeginnings;
  }

  /** Masks the beginnings of the secret that a field or a text has cut. */
  #withoutBeginnings(text: string, beginning: RegExp): string {
    let masked = '';
    let from = 0;
    beginning.lastIndex = 0;
    for (let places = 0; places < MAX_PLACES; places++) {
      const index = beginning.exec(text)?.index;
      if (index === undefined) break;
      const end = this.#endOfBeginning(text, index);
      beginning.lastIndex = end ?? index + 1;
      if (end === null) continue;
      masked += text.slice(from, index) + MASK;
      from = end;
    }
    return masked + text.slice(from);
  }

  #endOfBeginning(text: string, index: number): number | null {
    const { matched, end } = this.#follow(text, index, 0);
    const rest = text.slice(end, end + 3);
    if (rest.startsWith('…') || rest === '...' || matched >= MIN_LONG_BEGINNING) return end;
    const isMoreThanLetters = this.#characters
      .slice(0, matched)
      .some(character => /[^\p{L}\s]/u.test(character));
    return matched >= MIN_BEGINNING && isMoreThanLetters && isWholeWord(text, index, end) ? end : null;
  }

  /** Returns how many characters of the secret, from the one with this number on, stand at a place, and where they end. */
  #follow(text: string, index: number, first: number): { matched: number; end: number } {
    let end = index;
    let matched = first;
    for (const atom of this.#atoms.slice(first)) {
      atom.lastIndex = end;
      const found = atom.exec(text);
      if (found === null) break;
      end += found[0].length;
      matched++;
    }
    return { matched, end };
  }

  /** Masks the end of the secret after an ellipsis. */
  #withoutEnds(text: string): string {
    const mask = (part: string): string => {
      for (let first = 1; first <= this.length - MIN_LENGTH; first++) {
        const { matched, end } = this.#follow(part, 0, first);
        if (matched === this.length) return MASK + part.slice(end);
      }
      return part;
    };
    const [head = '', ...parts] = text.split(/(?<=…)(?=\S)/);
    return [head, ...parts.map(mask)].join('');
  }
}

const SEPARATORS = /[^\p{L}\p{N}]+/gu;
const TAGS = /<[^<>]*>/g;
const TAGS_AND_WORDS = /<[^<>]*>|[\p{L}\p{N}]+/gu;
const WORDS = /[\p{L}\p{N}]+/gu;

/** Returns the letters and digits of a text, in small letters. */
const fold = (text: string): string => text.replace(SEPARATORS, '').toLowerCase();
const reversed = (text: string): string => [...text].reverse().join('');

/** The letters and digits of secrets, as they are looked for among the letters and digits of a text. */
class FoldedSecrets {
  readonly #needles = new Set<string>();
  /** Matches any of them; null until it is needed. */
  #any: RegExp | null = null;

  add(secret: string): void {
    if (secret.length > MAX_FOLDED_LENGTH) return;
    const letters = fold(secret);
    // A shorter one is no word of its own in a text.
    const isWhole = letters.length === secret.length;
    if (letters.length < (isWhole ? MIN_LENGTH : MIN_LENGTH_IN_WORDS)) return;
    this.#put(letters);
    if (letters.length < MIN_LENGTH_IN_WORDS) return;
    this.#put(reversed(letters));
    for (const coded of codesOf(secret).map(fold)) if (coded.length >= MIN_CODED_LENGTH) this.#put(coded);
  }

  /** Adds each part of a secret. */
  addParts(secret: string): void {
    const letters = secret.length > MAX_PARTED_LENGTH ? '' : fold(secret);
    for (let from = 0; from + PART_LENGTH <= letters.length; from++) {
      const part = letters.slice(from, from + PART_LENGTH);
      this.#put(part);
      this.#put(reversed(part));
    }
  }

  maskedIn(text: string): string {
    const masked = this.#masked(text, WORDS, text);
    return masked.includes('<') ? this.#masked(masked, TAGS_AND_WORDS, masked.replace(TAGS, ' ')) : masked;
  }

  #put(needle: string): void {
    this.#needles.add(needle);
    this.#any = null;
  }

  /** @param visible the text without the tags that `words` matches beside words */
  #masked(text: string, words: RegExp, visible: string): string {
    this.#any ??= new RegExp([...this.#needles].join('|') || '(?!)');
    if (!this.#any.test(fold(visible))) return text;
    const parts: string[] = [];
    // Where each letter or digit stands.
    const places: number[] = [];
    for (const { 0: word, index } of text.matchAll(words)) {
      if (word.startsWith('<')) continue;
      const small = word.toLowerCase();
      parts.push(small);
      // Some letters have small forms of another length.
      for (let at = 0; at < small.length; at++) places.push(index + Math.min(at, word.length - 1));
    }
    const letters = parts.join('');
    const start = (at: number): number => places[at] ?? text.length;
    const end = (at: number): number => start(at) + 1;
    const isApart = (at: number): boolean =>
      start(at) > end(at - 1) && text.slice(end(at - 1), start(at)).replace(TAGS, '') !== '';
    const isHidden = new Uint8Array(letters.length);
    const mayBeHidden = new Uint8Array(letters.length);
    for (const needle of this.#needles)
      for (let at = letters.indexOf(needle); at >= 0; at = letters.indexOf(needle, at + 1)) {
        let gaps = 0;
        for (let next = at + 1; next < at + needle.length; next++) if (isApart(next)) gaps++;
        if (needle.length < MIN_LENGTH_IN_WORDS && gaps < needle.length - 1) continue;
        (gaps === 0 ? isHidden : mayBeHidden).fill(1, at, at + needle.length);
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

const patternsOf = (sources: readonly string[]): Patterns => ({
  whole: new RegExp(sources.join(''), 'gi'),
  beginning: new RegExp(sources.slice(0, MIN_LENGTH).join(''), 'gi'),
});

function isWholeWord(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 3), start);
  return (
    (!/[\p{L}\p{N}]$/u.test(before) || /%[0-9a-f]{2}$/i.test(before)) &&
    !/^[\p{L}\p{N}]/u.test(text.slice(end, end + 2))
  );
}

/** Returns the characters of a secret; white space between words as one space, because texts are told on one line. */
const characters = (text: string): readonly string[] => [...text.replace(/\s+/g, ' ')];

/** Returns the source of an expression for a character. Quotations of the service have single quotes in place of double ones. */
const plainSourceOf = (character: string): string =>
  character === ' ' ? '\\s+' : character === '"' ? '["\']' : character.replace(/[^\w\s]/, '\\$&');

const NAMED: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
};

/** Returns the source of an expression for a character in a text, an address, HTML, JSON and Markdown. */
function sourceOf(character: string): string {
  if (character === ' ') return '(?:\\s+|\\+|%20|&nbsp;|&#160;)';
  const code = character.codePointAt(0) ?? 0;
  const bytes = [...new TextEncoder().encode(character)].map(
    byte => `%${byte.toString(16).padStart(2, '0')}`,
  );
  const forms = [
    bytes.join(''),
    `&#(?:0*${code}|x0*${code.toString(16)});`,
    ...(NAMED[character] === undefined ? [] : [`&${NAMED[character]};`]),
    // In the name of a file.
    ...(/["*<>?|:\\/~]/.test(character) ? ['_'] : []),
    `\\\\?${plainSourceOf(character)}`,
  ];
  return `(?:${forms.join('|')})`;
}
