import { Failure, isFailure } from './failure/failures.ts';
import {
  FoldedSecrets,
  isMask,
  isWholeWord,
  MAX_PLACES,
  MIN_LENGTH,
  MIN_LENGTH_IN_WORDS,
  MIN_LONG_BEGINNING,
  PART_LENGTH,
} from './foldedSecrets.ts';
import { MASK } from './space/pageText.ts';
import { SPACE_CATEGORIES } from './space/space.ts';
import type { VaultField } from './vault.ts';

/** Length of the beginning of a secret, as a field with a `maxlength` keeps it, or of its end, that is masked as a whole word if it is more than letters. */
const MIN_BEGINNING = 6;
/** Length of an end of words and signs between them from which it is masked. Common ones, such as `log-out`, are shorter. */
const MIN_TELLING_LENGTH = 8;
/** Maximum length of one character in its longest form: four bytes, each encoded four times. */
const MAX_FORM_LENGTH = 36;
/** The fields of the vault of which parts are masked, too. Parts of the others, such as a user name, are words of many pages. */
const PARTED_FIELDS: ReadonlySet<VaultField> = new Set(['password', 'totp', 'card_number']);
/** Maximum length of a value of the vault of which parts are masked, too. Characters. */
const MAX_PARTED_LENGTH = 64;
/** Maximum number of values that pages have made of what was entered: a hostile page must not cost more time. */
const MAX_PAGE_VALUES = 100;
/** Maximum number of characters that are compared for the ends of secrets in a text. After it, all that follows an ellipsis is masked. */
const MAX_END_STEPS = 1_000_000;

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
 * order, in reverse, in Base64 and in hex. For a secret with other characters, all that are visible are searched in the same way.
 */
export class SecretMask {
  readonly #secrets = new Map<string, Secret>();
  #longestFirst: readonly Secret[] = [];
  readonly #short = new Set<string>();
  readonly #vaulted = new Set<Secret>();
  readonly #folded = new FoldedSecrets();
  readonly #foldedVaulted = new FoldedSecrets();
  #pageValues = 0;
  #hasEntry = false;
  /** Matches the beginning of any of the secrets; null without secrets. */
  #beginnings: RegExp | null = null;
  /** Matches the end of any of the secrets that are longer. */
  #ends: RegExp | null = null;
  #quoted: RegExp | null = null;

  /** Keeps a secret for the rest of the session. Ignores an empty one, and one that is a mask itself. */
  add(secret: string): void {
    const text = secret.trim();
    if (text === '' || isMask(text)) return;
    this.noteEntry();
    const { length } = [...text];
    if (length < MIN_LENGTH) {
      this.#short.add(text);
      const shorts = [...this.#short].map(one => characters(one).map(sourceOf).join(''));
      this.#quoted = new RegExp(`"(?:${shorts.join('|')})"`, 'gi');
      return;
    }
    if (this.#secrets.has(text)) return;
    this.#keep(text);
    this.#folded.addCodes(text);
    const digits = text.replace(/\D/g, '');
    if (digits.length >= MIN_LENGTH_IN_WORDS) this.add(digits);
  }

  #keep(text: string): void {
    this.#secrets.set(text, new Secret(text));
    this.#folded.add(text);
    this.#longestFirst = [...this.#secrets.values()].sort((one, other) => other.length - one.length);
    this.#beginnings = new RegExp(this.#longestFirst.map(({ seed }) => seed).join('|'), 'i');
    const ends = this.#longestFirst.filter(({ length }) => length > MIN_BEGINNING).map(({ tail }) => tail);
    this.#ends = ends.length === 0 ? null : new RegExp(ends.join('|'), 'gi');
  }

  /**
   * Keeps a value of the vault. Of a password, a code and a card number of at most 64 characters, also each end of six or more characters and
   * each part of six that is more than letters; of a card number, the first and the last four digits.
   */
  addVaulted(value: string, field: VaultField): void {
    const text = value.trim();
    this.add(text);
    const secret = this.#secrets.get(text);
    if (secret !== undefined) {
      this.#vaulted.add(secret);
      this.#foldedVaulted.add(text);
      this.#foldedVaulted.addCodes(text);
    }
    const all = characters(text);
    if (PARTED_FIELDS.has(field) && all.length <= MAX_PARTED_LENGTH) {
      for (let from = 1; from <= all.length - PART_LENGTH; from++) {
        const end = all.slice(from).join('').trim();
        if (!this.#secrets.has(end) && !isMask(end)) this.#keep(end);
      }
      this.#folded.addParts(text);
    }
    const digits = text.replace(/[\s-]/g, '');
    if (/^\d{12,19}$/.test(digits)) for (const end of [digits.slice(0, 4), digits.slice(-4)]) this.add(end);
  }

  /** Call it before text is entered that may be a secret, however short. */
  noteEntry(): void {
    this.#hasEntry = true;
  }

  /** True as soon as a secret of the session may stand in a field. */
  get hasEntry(): boolean {
    return this.#hasEntry;
  }

  /** True if the session has filled a value of the vault of four or more characters. */
  get hasVaulted(): boolean {
    return this.#vaulted.size > 0;
  }

  /** Returns true if the text has a whole value of the vault. */
  holdsVaulted(text: string): boolean {
    return (
      [...this.#vaulted].some(secret => secret.withoutWhole(text) !== text) ||
      this.#foldedVaulted.maskedIn(text) !== text
    );
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

  mask(text: string): string {
    if (this.#beginnings === null || text.length < MIN_LENGTH) return text;
    const isCut = text.includes('…');
    const forEnds = isCut ? { steps: MAX_END_STEPS } : null;
    const isHere = isCut || this.#beginnings.test(text);
    const without = (before: string, secrets: readonly Secret[]): string =>
      isHere ? secrets.reduce((masked, secret) => secret.maskedIn(masked, forEnds), before) : before;
    const withoutWhole = (before: string, secrets: readonly Secret[]): string =>
      isHere ? secrets.reduce((masked, secret) => secret.withoutWhole(masked), before) : before;
    // A short one, such as the end of a card, can be a part of a long one.
    const shorts = this.#longestFirst.findIndex(({ length }) => length < MIN_LENGTH_IN_WORDS);
    const longs = shorts === -1 ? this.#longestFirst.length : shorts;
    // Markup can divide a secret: its beginnings are masked when it is known that the rest does not follow.
    const masked = this.#folded.maskedIn(withoutWhole(text, this.#longestFirst.slice(0, longs)));
    const withoutParts = without(masked, this.#longestFirst);
    return this.#ends === null ? withoutParts : this.#withoutTails(withoutParts, this.#ends);
  }

  /** Masks the ends of secrets that stand as words of their own, as a page shows the last characters. A part of a user name is a word of many pages. */
  #withoutTails(text: string, ends: RegExp): string {
    const secrets = this.#longestFirst.filter(secret => !this.#vaulted.has(secret));
    let masked = '';
    let from = 0;
    for (const { index, 0: found } of text.matchAll(ends).take(MAX_PLACES)) {
      const end = index + found.length;
      const starts = secrets
        .map(secret => secret.startOfTail(text, index, end) ?? -1)
        .filter(at => at >= from);
      if (starts.length === 0) continue;
      masked += text.slice(from, Math.min(...starts)) + MASK;
      from = end;
    }
    return masked + text.slice(from);
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

/** Expressions for a secret or a long beginning of it, and for a short beginning, in texts with or without characters in another form. */
interface Patterns {
  readonly whole: RegExp;
  readonly beginning: RegExp;
}

/** A secret value that was entered into a page, with what the page made of it. */
class Secret {
  readonly length: number;
  /** The source of an expression for the beginning of the secret. */
  readonly seed: string;
  /** The source of an expression for its end, which begins with no white space: to look for a run of it from each of its characters takes quadratic time. */
  readonly tail: string;
  readonly #plain: Patterns;
  readonly #encoded: Patterns;
  readonly #tail: RegExp;
  readonly #tailLength: number;
  readonly #sources: readonly string[];
  readonly #atoms: readonly RegExp[];
  readonly #characters: readonly string[];

  constructor(text: string) {
    this.#characters = characters(text);
    this.length = this.#characters.length;
    const sources = this.#characters.map(sourceOf);
    this.#atoms = sources.map(source => new RegExp(source, 'iy'));
    this.seed = sources.slice(0, MIN_LENGTH).join('');
    this.#tailLength = this.#characters.at(-MIN_BEGINNING) === ' ' ? MIN_BEGINNING + 1 : MIN_BEGINNING;
    this.tail = sources.slice(-this.#tailLength).join('');
    this.#tail = new RegExp(`^${this.tail}$`, 'i');
    this.#sources = sources;
    this.#encoded = patternsOf(sources);
    this.#plain = patternsOf(this.#characters.map(plainSourceOf));
  }

  /** @param forEnds what may still be done for the ends of secrets; null for a text without an ellipsis */
  maskedIn(text: string, forEnds: { steps: number } | null): string {
    const masked = this.#withoutBeginnings(this.withoutWhole(text));
    return forEnds === null ? masked : this.#withoutEnds(masked, forEnds);
  }

  /** Masks the secret; of a long one, also a long beginning: to look for all of it at each place of a hostile page would take too long. */
  withoutWhole(text: string): string {
    const isAnywhere = this.length >= MIN_LENGTH_IN_WORDS;
    return maskedAt(text, this.#patternsFor(text).whole, Number.POSITIVE_INFINITY, (start, found) => {
      const { end } = this.#follow(text, found, MIN_LONG_BEGINNING);
      return isAnywhere || isWholeWord(text, start, end) ? end : null;
    });
  }

  /** Masks the beginnings of the secret that a field or a text has cut. */
  #withoutBeginnings(text: string): string {
    const { beginning } = this.#patternsFor(text);
    return maskedAt(text, beginning, MAX_PLACES, start => this.#endOfBeginning(text, start));
  }

  /** Returns where the part of the secret begins whose last characters stand at a place; null if that is no part, or no word of its own. */
  startOfTail(text: string, index: number, end: number): number | null {
    if (this.length <= MIN_BEGINNING || !this.#tail.test(text.slice(index, end))) return null;
    let [start, first] = [index, this.length - this.#tailLength];
    for (; first > 0; first--) {
      const before = new RegExp(`${this.#sources[first - 1]}$`, 'i');
      const found = before.exec(text.slice(Math.max(0, start - MAX_FORM_LENGTH), start));
      if (found === null) break;
      start -= found[0].length;
    }
    return this.#isTellingEnd(first) && isWholeWord(text, start, end) ? start : null;
  }

  /** Returns true for an end that is no word of many pages, such as `e-mail` and `log-in`: it has a digit or another sign than between words, or is longer. */
  #isTellingEnd(first: number): boolean {
    const end = this.#characters.slice(first).join('').trim();
    const isCommon = end.length < MIN_TELLING_LENGTH && /^[\p{L}\s._-]+$/u.test(end);
    return !isCommon && this.#isMoreThanLetters(first, this.length);
  }

  #isMoreThanLetters(first: number, end: number): boolean {
    return this.#characters.slice(first, end).some(character => /[^\p{L}\s]/u.test(character));
  }

  #patternsFor(text: string): Patterns {
    return /[%&\\_+]/.test(text) ? this.#encoded : this.#plain;
  }

  #endOfBeginning(text: string, index: number): number | null {
    const { matched, end } = this.#follow(text, index, 0);
    const rest = text.slice(end, end + 3);
    if (rest.startsWith('…') || rest === '...' || matched >= MIN_LONG_BEGINNING) return end;
    const isTelling = matched >= MIN_BEGINNING && this.#isMoreThanLetters(0, matched);
    return isTelling && isWholeWord(text, index, end) ? end : null;
  }

  /** Returns how many characters from the number `first` on stand at a place, and where they end. */
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

  #withoutEnds(text: string, left: { steps: number }): string {
    const mask = (part: string): string => {
      for (let first = 1; first <= this.length - MIN_LENGTH; first++) {
        if (left.steps <= 0) return MASK;
        const { matched, end } = this.#follow(part, 0, first);
        if (matched === this.length) return MASK + part.slice(end);
        left.steps -= matched - first + 1;
      }
      return part;
    };
    const [head = '', ...parts] = text.split(/(?<=…)(?=\S)/);
    return [head, ...parts.map(mask)].join('');
  }
}

/** Masks what begins where the pattern matches, at most at this many places. @param endOf returns where it ends; null for nothing to mask */
function maskedAt(
  text: string,
  pattern: RegExp,
  maxPlaces: number,
  endOf: (start: number, foundEnd: number) => number | null,
): string {
  let masked = '';
  let from = 0;
  pattern.lastIndex = 0;
  for (let places = 0; places < maxPlaces; places++) {
    const found = pattern.exec(text);
    if (found === null) break;
    const end = endOf(found.index, found.index + found[0].length);
    pattern.lastIndex = end ?? found.index + 1;
    if (end === null) continue;
    masked += text.slice(from, found.index) + MASK;
    from = end;
  }
  return masked + text.slice(from);
}

const patternsOf = (sources: readonly string[]): Patterns => ({
  whole: new RegExp(sources.slice(0, MIN_LONG_BEGINNING).join(''), 'gi'),
  beginning: new RegExp(sources.slice(0, MIN_LENGTH).join(''), 'gi'),
});

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
    byte => `%(?:25){0,3}${byte.toString(16).padStart(2, '0')}`,
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
