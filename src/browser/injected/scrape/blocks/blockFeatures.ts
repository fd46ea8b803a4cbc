/** Features of each block of a page: its text, its place, the elements around it, and what repeats. */

import { NAME_GROUPS } from '../../signals/nameGroups.ts';
import type { BlockHints, ContentBlock } from './contentBlocks.ts';
import {
  ANCESTOR_NAMES,
  type ElementGroup,
  type ElementStats,
  type ElementTree,
  FAR,
  writeDistances,
} from './elementTree.ts';
import { ANCHOR_FEATURES, anchorFeatures, PHRASES, TEXT_FEATURES, textFeatures } from './textFeatures.ts';

/** The phrases that tell what a section is for. */
const KINDS = [
  'related',
  'review',
  'filter',
  'subscribe',
  'specification',
  'share',
  'account',
  'reply',
] as const;
/** The distance to a heading is told apart up to this number of blocks. */
const MAX_DISTANCE = 200;

const HEADING_FEATURES: readonly string[] = [
  'headingLevel',
  'headingDistance',
  ...KINDS.map(kind => `under-${kind}`),
];

/**
 * Writes the features of the headings under which each block stands, in the order of `HEADING_FEATURES`. A heading ends where one of
 * its level, or a higher one, begins.
 * @param rows receives the features of block `at` from `start + at * width`
 */
function headingFeatures(
  blocks: readonly ContentBlock[],
  rows: Float64Array,
  start: number,
  width: number,
): void {
  /** The kinds of the open heading of each level. */
  const open: (readonly boolean[])[] = [];
  let isUnder = KINDS.map(() => false);
  let last = -1;
  let lastLevel = 0;
  for (const [at, { headingLevel, text }] of blocks.entries()) {
    if (headingLevel > 0) {
      open.length = Math.min(open.length, headingLevel);
      const head = text.slice(0, 100);
      open[headingLevel] = KINDS.map(kind => PHRASES[kind]?.test(head) === true);
      isUnder = KINDS.map((_, kind) => open.some(kinds => kinds?.[kind] === true));
      last = at;
      lastLevel = headingLevel;
    }
    let to = start + at * width;
    rows[to++] = lastLevel;
    rows[to++] = last < 0 ? -1 : Math.log2(1 + Math.min(MAX_DISTANCE, at - last));
    for (const under of isUnder) rows[to++] = under ? 1 : 0;
  }
}

/** Number of elements around a block, its container included, that are measured. */
const SIZE_LEVELS = 5;

/** The names of the features that `sizeFeatures` writes. */
const SIZE_FEATURES: readonly string[] = [
  'pageCharacters',
  'pageBlocks',
  'charactersBefore',
  'charactersSinceHeading',
  'proseBefore',
  'proseSinceHeading',
  'proseRank',
  ...Array.from({ length: SIZE_LEVELS }, (_, level) => `characters-up${level}`),
];

/** Minimum length of a block, less than half of it in links, that counts as prose. */
const MIN_RUNNING_CHARACTERS = 100;

const isRunning = ({ text, linkCharacters }: ContentBlock): boolean =>
  text.length >= MIN_RUNNING_CHARACTERS && linkCharacters < text.length / 2;

/**
 * Writes the features of all blocks, in the order of `SIZE_FEATURES`; numbers are logarithms.
 * @param rows receives the features of block `at` from `start + at * width`
 */
function sizeFeatures(
  blocks: readonly ContentBlock[],
  { root, containers }: ElementTree,
  rows: Float64Array,
  start: number,
  width: number,
): void {
  const ranks = proseRanks(blocks);
  const heading = blocks.findIndex(({ headingLevel }) => headingLevel === 1);
  const logs = new Map<ElementStats, number>();
  const sizeOf = (stats: ElementStats): number => {
    const known = logs.get(stats) ?? log(stats.characters);
    logs.set(stats, known);
    return known;
  };
  let characters = 0;
  let prose = 0;
  let charactersToHeading = 0;
  let proseToHeading = 0;
  for (const [at, block] of blocks.entries()) {
    if (at <= heading) {
      charactersToHeading = characters;
      proseToHeading = prose;
    }
    let to = start + at * width;
    rows[to++] = sizeOf(root);
    rows[to++] = log(blocks.length);
    rows[to++] = log(characters);
    rows[to++] = heading < 0 ? 0 : log(characters - charactersToHeading);
    rows[to++] = log(prose);
    rows[to++] = log(prose - proseToHeading);
    rows[to++] = log(ranks[at] ?? 0);
    let stats: ElementStats | null = containers[at] ?? root;
    for (let level = 0; level < SIZE_LEVELS; level++) {
      rows[to++] = sizeOf(stats ?? root);
      stats = stats?.parent ?? null;
    }
    characters += block.text.length;
    if (isRunning(block)) prose++;
  }
}

const log = (value: number): number => Math.log2(1 + value);

/** Returns for each block the number of blocks with more characters outside links. */
function proseRanks(blocks: readonly ContentBlock[]): number[] {
  const own = blocks.map(({ text, linkCharacters }) => text.length - linkCharacters);
  const order = own.map((_, at) => at).sort((a, b) => (own[b] ?? 0) - (own[a] ?? 0));
  const ranks: number[] = [];
  for (const [rank, at] of order.entries()) ranks[at] = rank;
  return ranks;
}

/** Number of ancestors above the container whose text is measured. */
const LEVELS = 5;
const PLACE_FEATURES =
  'position blockPosition depth afterHeading fromHeading sameText samePath samePathCharacters samePathLinks repeats repeatDistance repeatCharacters repeatShare repeatLinks repeatProse articleShare foundShare'.split(
    ' ',
  );
const AROUND = ['characters', 'links', 'endsSentence', 'control', 'heading'];

/** The names of the features that `blockFeatures` returns for each block. */
export const BLOCK_FEATURES: readonly string[] = [
  ...TEXT_FEATURES,
  ...HEADING_FEATURES,
  ...ANCHOR_FEATURES,
  ...SIZE_FEATURES,
  ...PLACE_FEATURES,
  ...Array.from({ length: LEVELS }, (_, level) => [`share${level}`, `links${level}`, `size${level}`]).flat(),
  ...[-2, -1, 1, 2].flatMap(step => AROUND.map(name => `${name}At${step}`)),
  ...ANCESTOR_NAMES.map(name => `in-${name}`),
  ...NAME_GROUPS.map(name => `named-${name}`),
];

const WIDTH = BLOCK_FEATURES.length;
/** Steps to the blocks around a block. */
const STEPS = [-2, -1, 1, 2];
const HEADINGS = TEXT_FEATURES.length;
const ANCHORS = HEADINGS + HEADING_FEATURES.length;
const SIZES = ANCHORS + ANCHOR_FEATURES.length;
const PLACE = SIZES + SIZE_FEATURES.length;
const ANCESTORS = PLACE + PLACE_FEATURES.length;
const NEIGHBOURS = ANCESTORS + LEVELS * 3;
const NAMES = NEIGHBOURS + STEPS.length * AROUND.length;
const GROUPS = NAMES + ANCESTOR_NAMES.length;

/**
 * Returns the rows of features of all blocks, one after another, each in the order of `BLOCK_FEATURES`. Linear in the number of blocks.
 */
export function blockFeatures(
  blocks: readonly ContentBlock[],
  tree: ElementTree,
  hints: BlockHints,
): Float64Array {
  const page = new PageStats(blocks, tree, hints);
  const rows = new Float64Array(blocks.length * WIDTH);
  headingFeatures(blocks, rows, HEADINGS, WIDTH);
  anchorFeatures(blocks, tree, rows, ANCHORS, WIDTH);
  sizeFeatures(blocks, tree, rows, SIZES, WIDTH);
  for (const [index, block] of blocks.entries()) {
    const container = tree.containers[index] ?? tree.root;
    const start = index * WIDTH;
    textFeatures(block, rows, start);
    page.place(block, index, container, rows, start + PLACE);
    page.levels(container, rows, start + ANCESTORS);
    page.around(index, rows, start + NEIGHBOURS);
    writeDistances(container.depth, container.names, rows, start + NAMES);
    writeDistances(container.depth, container.groups, rows, start + GROUPS);
  }
  return rows;
}

/** Minimum length of a block without links that counts as prose. */
const MIN_PROSE_CHARACTERS = 100;

const isProse = (block: ContentBlock): boolean =>
  block.text.length - block.linkCharacters >= MIN_PROSE_CHARACTERS && block.controlCharacters === 0;

/** A repeated element, and its distance from an element in it. */
interface Repeated {
  readonly stats: ElementStats;
  /** Its siblings of the same signature, itself included. */
  readonly group: ElementGroup;
  readonly distance: number;
}

interface Group {
  count: number;
  characters: number;
  linkCharacters: number;
}

/** Sums over the whole page that the features of its blocks need. */
class PageStats {
  readonly #blocks: readonly ContentBlock[];
  readonly #tree: ElementTree;
  readonly #hints: BlockHints;
  /** Number of characters before each block. */
  readonly #before: number[] = [];
  readonly #proseBefore: number[] = [0];
  readonly #sameText = new Map<string, number>();
  readonly #samePath = new Map<string, Group>();
  readonly #total: number;
  readonly #heading: number;
  /** The features of each block as a neighbour. */
  readonly #own: readonly (readonly number[])[];
  readonly #repeated = new Map<ElementStats, Repeated | null>();
  constructor(blocks: readonly ContentBlock[], tree: ElementTree, hints: BlockHints) {
    this.#blocks = blocks;
    this.#tree = tree;
    this.#hints = hints;
    let characters = 0;
    for (const [index, block] of blocks.entries()) {
      this.#before.push(characters);
      characters += block.text.length;
      this.#proseBefore.push((this.#proseBefore[index] ?? 0) + (isProse(block) ? 1 : 0));
      this.#sameText.set(block.text, (this.#sameText.get(block.text) ?? 0) + 1);
      const path = tree.paths[index] ?? '';
      const group = this.#samePath.get(path) ?? { count: 0, characters: 0, linkCharacters: 0 };
      group.count++;
      group.characters += block.text.length;
      group.linkCharacters += block.linkCharacters;
      this.#samePath.set(path, group);
    }
    this.#total = Math.max(1, characters);
    this.#own = blocks.map(neighbourFeatures);
    this.#heading = blocks.findIndex(({ headingLevel }) => headingLevel === 1);
  }

  place(
    block: ContentBlock,
    index: number,
    container: ElementStats,
    rows: Float64Array,
    start: number,
  ): void {
    const count = this.#blocks.length;
    const path = this.#samePath.get(this.#tree.paths[index] ?? '');
    const repeated = this.#nearestRepeated(container);
    const around = repeated?.stats.parent ?? null;
    const fromHeading = index - this.#heading;
    let to = start;
    rows[to++] = (this.#before[index] ?? 0) / this.#total;
    rows[to++] = index / count;
    rows[to++] = container.depth;
    rows[to++] = this.#heading < 0 ? -1 : fromHeading >= 0 ? 1 : 0;
    rows[to++] = this.#heading < 0 ? 0 : Math.sign(fromHeading) * Math.log2(1 + Math.abs(fromHeading));
    rows[to++] = Math.log2(this.#sameText.get(block.text) ?? 1);
    rows[to++] = Math.log2(path?.count ?? 1);
    rows[to++] = path === undefined ? 0 : path.characters / path.count;
    rows[to++] = path === undefined ? 0 : path.linkCharacters / Math.max(1, path.characters);
    rows[to++] = Math.log2(1 + (repeated?.group.count ?? 0));
    rows[to++] = repeated?.distance ?? FAR;
    rows[to++] = repeated === null ? 0 : Math.log2(1 + repeated.stats.characters);
    rows[to++] = around === null ? 0 : around.characters / this.#total;
    rows[to++] = repeated === null ? 0 : linkDensity(repeated.stats);
    rows[to++] = around === null ? 0 : this.#proseIn(around) / (around.end - around.first);
    rows[to++] = this.#hints.article?.[index] ?? -1;
    rows[to++] = this.#hints.found?.[index] ?? -1;
  }

  #proseIn({ first, end }: ElementStats): number {
    return (this.#proseBefore[end] ?? 0) - (this.#proseBefore[first] ?? 0);
  }

  levels(container: ElementStats, rows: Float64Array, start: number): void {
    let at: ElementStats | null = container;
    let to = start;
    for (let level = 0; level < LEVELS; level++) {
      const stats = at ?? this.#tree.root;
      rows[to++] = stats.characters / this.#total;
      rows[to++] = linkDensity(stats);
      rows[to++] = size(stats);
      at = at?.parent ?? null;
    }
  }

  around(index: number, rows: Float64Array, start: number): void {
    let to = start;
    for (const step of STEPS) {
      const own = this.#own[index + step] ?? NO_BLOCK;
      for (const value of own) rows[to++] = value;
    }
  }

  /** Returns the nearest repeated element around `container`, or itself. Each element is asked once. */
  #nearestRepeated(container: ElementStats): Repeated | null {
    const known = this.#repeated.get(container);
    if (known !== undefined) return known;
    const found = this.#findRepeated(container);
    this.#repeated.set(container, found);
    return found;
  }

  #findRepeated(stats: ElementStats): Repeated | null {
    const { parent, signature } = stats;
    if (parent === null) return null;
    const group = parent.repeats?.get(signature);
    if (group !== undefined && isRepeated(group, signature)) return { stats, group, distance: 0 };
    const outer = this.#nearestRepeated(parent);
    return outer === null ? null : { ...outer, distance: outer.distance + 1 };
  }
}

function neighbourFeatures({
  text,
  linkCharacters,
  controlCharacters,
  headingLevel,
}: ContentBlock): readonly number[] {
  return [
    Math.log2(1 + text.length),
    linkCharacters / text.length,
    SENTENCE_ENDS.includes(text[text.length - 1] ?? ' ') ? 1 : 0,
    controlCharacters / text.length,
    headingLevel > 0 ? 1 : 0,
  ];
}

const SENTENCE_ENDS = '.!?。！？…';
const NO_BLOCK: readonly number[] = AROUND.map(() => -1);

const linkDensity = (stats: ElementStats): number => stats.linkCharacters / Math.max(1, stats.characters);
const size = ({ first, end }: ElementStats): number => Math.log2(1 + end - first);

/** Minimum number of siblings of one signature that count as repeated. */
const MIN_REPEATS = 3;
/** Matches the signatures of elements that are repeated for each item. */
const REPEATED = /^(div|li|article|section|tr|a|dl)\./;
const isRepeated = ({ count }: ElementGroup, signature: string): boolean =>
  count >= MIN_REPEATS && REPEATED.test(signature);
