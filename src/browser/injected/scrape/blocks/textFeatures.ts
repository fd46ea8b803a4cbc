/** Features of the text of one block. */
import type { ContentBlock } from './contentBlocks.ts';
import type { ElementStats, ElementTree } from './elementTree.ts';

/** The names of the features that `anchorFeatures` writes. */
export const ANCHOR_FEATURES = [
  'headingUp',
  'headingShare',
  'proseUp',
  'proseShare',
  'charactersAfterHeading',
] as const;

/**
 * Writes the features of all blocks, in the order of `ANCHOR_FEATURES`.
 * @param rows receives the features of block `at` from `start + at * width`
 */
export function anchorFeatures(
  blocks: readonly ContentBlock[],
  { root, containers }: ElementTree,
  rows: Float64Array,
  start: number,
  width: number,
): void {
  const heading = blocks.findIndex(({ headingLevel }) => headingLevel === 1);
  const fromHeading = new Ascent(heading);
  const fromProse = new Ascent(longestProse(blocks));
  const total = Math.max(1, root.characters);
  let before = 0;
  let beforeHeading = 0;
  for (const [at, { text }] of blocks.entries()) {
    const container = containers[at] ?? root;
    if (at === heading) beforeHeading = before;
    const up = fromHeading.of(container);
    const proseUp = fromProse.of(container);
    let to = start + at * width;
    rows[to++] = up.steps;
    rows[to++] = up.around === null ? 0 : up.around.characters / total;
    rows[to++] = proseUp.steps;
    rows[to++] = proseUp.around === null ? 0 : proseUp.around.characters / total;
    rows[to++] = at < heading || heading < 0 ? 0 : (before - beforeHeading) / total;
    before += text.length;
  }
}

interface Ascended {
  /** Number of elements from the container up to the one around the target; -1 without a target. */
  readonly steps: number;
  readonly around: ElementStats | null;
}

/** Finds the nearest element around a container that also has a target block. Asks each element once. */
class Ascent {
  readonly #target: number;
  readonly #known = new Map<ElementStats, Ascended>();

  constructor(target: number) {
    this.#target = target;
  }

  of(stats: ElementStats): Ascended {
    const known = this.#known.get(stats);
    if (known !== undefined) return known;
    const found = this.#find(stats);
    this.#known.set(stats, found);
    return found;
  }

  #find(stats: ElementStats): Ascended {
    if (this.#target < 0) return { steps: -1, around: null };
    if (stats.parent === null || (stats.first <= this.#target && this.#target < stats.end))
      return { steps: 0, around: stats };
    const { steps, around } = this.of(stats.parent);
    return { steps: steps + 1, around };
  }
}

/** Returns the index of the block with the most characters outside links; -1 without blocks. */
function longestProse(blocks: readonly ContentBlock[]): number {
  let found = -1;
  let longest = 0;
  for (const [at, { text, linkCharacters }] of blocks.entries())
    if (text.length - linkCharacters > longest) {
      longest = text.length - linkCharacters;
      found = at;
    }
  return found;
}

/** Phrases that tell what a line is for. Each is one feature. */
export const PHRASES: Readonly<Record<string, RegExp>> = {
  price: /[$€£¥₹]\s?\d|\d[\d.,]*\s?(€|£|USD|EUR|kr|zł|Kč|руб)/,
  dateWords: /\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b|\b(19|20)\d\d\b|\d{1,2}:\d\d/i,
  ago: /\b(ago|yesterday|today)\b|\b\d+\s?(min|hour|day|week|month|year)s?\b/i,
  legal: /©|\(c\)|all rights reserved|privacy|terms of|cookie|copyright|trademark/i,
  subscribe: /newsletter|subscribe|sign up|e-?mail address|get \d+% off|unsubscribe/i,
  account:
    /\b(log ?in|sign ?in|register|my account|create an account|password|forgot|cart|basket|checkout|wishlist)\b/i,
  share: /\b(share|tweet|facebook|twitter|instagram|pinterest|linkedin|whatsapp|youtube|follow us)\b/i,
  reply:
    /\b(reply|replies|quote|report|like|likes|upvote|joined|posts|messages|reaction score|member since|registered|join date|location|flair|thanks|views)\b/i,
  related:
    /\b(related|similar|you (may|might) also|also (like|bought|viewed)|recommended|recently viewed|frequently bought|customers|more from|see also|trending|popular|next|previous)\b/i,
  filter:
    /\b(filter|sort|sort by|results?|showing|per page|view all|load more|show more|clear all|page \d+|of \d+|items)\b/i,
  buy: /\b(add to (cart|bag|basket|wishlist)|buy now|in stock|out of stock|sold out|shipping|delivery|returns?|quantity|qty|free shipping|pay)\b/i,
  review: /\b(reviews?|ratings?|stars?|out of 5|verified|helpful)\b/i,
  action:
    /^(read|learn|view|see|show|load|shop|find|get|download|contact|book|start|try|explore|watch|discover|request|skip|open|close|menu|search)\b/i,
  specification:
    /\b(weight|dimensions?|material|size|color|width|height|length|brand|model|sku|warranty|features?|specifications?|details|description|ingredients)\b\s*:?/i,
};

/** The names of the features that `textFeatures` returns. */
export const TEXT_FEATURES: readonly string[] = [
  'characters',
  'words',
  'wordLength',
  'linkDensity',
  'controlDensity',
  'sentences',
  'commas',
  'endsSentence',
  'endsColon',
  'upper',
  'digits',
  'capitals',
  'startsLower',
  ...Object.keys(PHRASES),
];

const PATTERNS = Object.values(PHRASES);
/** A phrase is searched only at the beginning of a block: longer text is prose anyway. */
const MAX_PHRASE_CHARACTERS = 200;
/** Number of words at the beginning of a block of which the capitals are counted. */
const MAX_FIRST_WORDS = 20;
const SENTENCE_ENDS = /[.!?。！？](\s|$)/g;
const COMMAS = /[,;:，；：]/g;
const LAST_CHARACTERS = '.!?。！？…"”»)]';
const UPPER = /^\p{Lu}/u;
const LOWER = /^\p{Ll}/u;

/**
 * Writes the features of a text, in the order of `TEXT_FEATURES`.
 * @param row receives the features
 * @param start index in `row` of the first feature
 */
export function textFeatures(
  { text, linkCharacters, controlCharacters }: ContentBlock,
  row: Float64Array,
  start: number,
): void {
  const { length } = text;
  const words = text.split(' ');
  const head = text.slice(0, MAX_PHRASE_CHARACTERS);
  let upper = 0;
  let digits = 0;
  for (let at = 0; at < head.length; at++) {
    const code = head.charCodeAt(at);
    if (code >= 65 && code <= 90) upper++;
    else if (code >= 48 && code <= 57) digits++;
  }
  const firstWords = Math.min(MAX_FIRST_WORDS, words.length);
  let capitals = 0;
  for (let at = 0; at < firstWords; at++) if (isUpper(words[at] ?? '')) capitals++;
  const last = text[length - 1] ?? '';
  let to = start;
  row[to++] = Math.log2(1 + length);
  row[to++] = Math.log2(1 + words.length);
  row[to++] = length / words.length;
  row[to++] = linkCharacters / length;
  row[to++] = controlCharacters / length;
  row[to++] = Math.log2(1 + count(text, SENTENCE_ENDS));
  row[to++] = Math.log2(1 + count(text, COMMAS));
  row[to++] = LAST_CHARACTERS.includes(last) ? 1 : 0;
  row[to++] = last === ':' ? 1 : 0;
  row[to++] = upper / head.length;
  row[to++] = digits / head.length;
  row[to++] = capitals / firstWords;
  row[to++] = LOWER.test(text) ? 1 : 0;
  for (const [at, pattern] of PATTERNS.entries()) row[to + at] = pattern.test(head) ? 1 : 0;
}

const MAX_ASCII = 127;

function isUpper(word: string): boolean {
  const code = word.charCodeAt(0);
  return code > MAX_ASCII ? UPPER.test(word) : code >= 65 && code <= 90;
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
