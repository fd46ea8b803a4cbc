/** Features of each block of a page: its text, its place, the elements around it, and what repeats. */

import { PAGE_TYPES, type TypeShares } from '../pageType/pageTypes.ts';
import type { BlockHints } from './blockHints.ts';
import type { ContentBlock } from './contentBlocks.ts';
import { ANCESTOR_NAMES, distances, type ElementStats, type ElementTree, FAR } from './elementTree.ts';
import { HEADING_FEATURES, headingFeatures } from './headingFeatures.ts';
import { NAME_GROUPS } from './nameGroups.ts';
import { TEXT_FEATURES, textFeatures } from './textFeatures.ts';

/** Number of ancestors above the container whose text is measured. */
const LEVELS = 5;
const PLACE_FEATURES = [
  'position',
  'blockPosition',
  'depth',
  'afterHeading',
  'fromHeading',
  'sameText',
  'samePath',
  'samePathCharacters',
  'samePathLinks',
  'repeats',
  'repeatDistance',
  'repeatCharacters',
  'repeatShare',
  'repeatLinks',
  'repeatProse',
  'siblings',
  'inFirstProse',
  'articleShare',
  'foundShare',
  'inLandmark',
];
const AROUND = ['characters', 'links', 'endsSentence', 'control', 'heading'];

/** The names of the features that `blockFeatures` returns for each block. */
export const BLOCK_FEATURES: readonly string[] = [
  ...TEXT_FEATURES,
  ...HEADING_FEATURES,
  ...PLACE_FEATURES,
  ...Array.from({ length: LEVELS }, (_, level) => [`share${level}`, `links${level}`, `size${level}`]).flat(),
  ...[-2, -1, 1, 2].flatMap(step => AROUND.map(name => `${name}${step}`)),
  ...ANCESTOR_NAMES.map(name => `in-${name}`),
  ...NAME_GROUPS.map(name => `named-${name}`),
  ...PAGE_TYPES.map(type => `type-${type}`),
];

/** Returns the features of each block, in the order of `BLOCK_FEATURES`. Linear in the number of blocks. */
export function blockFeatures(
  blocks: readonly ContentBlock[],
  tree: ElementTree,
  hints: BlockHints,
  types: TypeShares,
): number[][] {
  const page = new PageStats(blocks, tree, hints);
  const texts = blocks.map(block => textFeatures(block.text, block.linkCharacters, block.controlCharacters));
  const headings = headingFeatures(blocks);
  return blocks.map((block, index) => {
    const container = tree.containers[index] ?? tree.root;
    const around = [-2, -1, 1, 2].flatMap(step => page.around(index + step));
    return [
      ...(texts[index] ?? []),
      ...(headings[index] ?? []),
      ...page.place(block, index, container),
      ...page.levels(container),
      ...around,
      ...distances(container, container.names),
      ...distances(container, container.groups),
      ...PAGE_TYPES.map(type => types[type]),
    ];
  });
}

/** Minimum length of a block without links that counts as prose. */
const MIN_PROSE_CHARACTERS = 100;

const isProse = (block: ContentBlock): boolean =>
  block.text.length - block.linkCharacters >= MIN_PROSE_CHARACTERS && block.controlCharacters === 0;

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
  /** Number of blocks of prose before each block. */
  readonly #proseBefore: number[] = [0];
  readonly #sameText = new Map<string, number>();
  readonly #samePath = new Map<string, Group>();
  readonly #total: number;
  readonly #heading: number;
  readonly #isHeading: readonly boolean[];
  readonly #firstProse: ElementStats | null;

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
    this.#isHeading = blocks.map(({ container }) => /^h[1-6]$/.test(container.localName));
    this.#heading = blocks.findIndex(({ container }) => container.localName === 'h1');
    const prose = blocks.findIndex(isProse);
    this.#firstProse = tree.containers[prose]?.parent ?? null;
  }

  place(block: ContentBlock, index: number, container: ElementStats): number[] {
    const count = this.#blocks.length;
    const path = this.#samePath.get(this.#tree.paths[index] ?? '');
    const repeated = nearestRepeated(container);
    const proseIn = (stats: ElementStats) =>
      (this.#proseBefore[stats.end] ?? 0) - (this.#proseBefore[stats.first] ?? 0);
    const around = repeated?.stats.parent ?? null;
    return [
      (this.#before[index] ?? 0) / this.#total,
      index / count,
      container.depth,
      this.#heading < 0 ? -1 : index >= this.#heading ? 1 : 0,
      this.#heading < 0
        ? 0
        : Math.sign(index - this.#heading) * Math.log2(1 + Math.abs(index - this.#heading)),
      Math.log2(this.#sameText.get(block.text) ?? 1),
      Math.log2(path?.count ?? 1),
      path === undefined ? 0 : path.characters / path.count,
      path === undefined ? 0 : path.linkCharacters / Math.max(1, path.characters),
      Math.log2(1 + (repeated?.count ?? 0)),
      repeated?.distance ?? FAR,
      repeated === null ? 0 : Math.log2(1 + repeated.stats.characters),
      around === null ? 0 : around.characters / this.#total,
      repeated === null ? 0 : repeated.stats.linkCharacters / Math.max(1, repeated.stats.characters),
      around === null ? 0 : proseIn(around) / (around.end - around.first),
      container.parent === null ? 0 : Math.log2(1 + container.parent.end - container.parent.first),
      this.#firstProse !== null && isInside(index, this.#firstProse) ? 1 : 0,
      this.#hints.article?.[index] ?? -1,
      this.#hints.found?.[index] ?? -1,
      this.#hints.landmark[index] === true ? 1 : 0,
    ];
  }

  levels(container: ElementStats): number[] {
    const found: number[] = [];
    let at: ElementStats | null = container;
    for (let level = 0; level < LEVELS; level++) {
      const stats = at ?? this.#tree.root;
      found.push(
        stats.characters / this.#total,
        stats.linkCharacters / Math.max(1, stats.characters),
        Math.log2(1 + stats.end - stats.first),
      );
      at = at?.parent ?? null;
    }
    return found;
  }

  around(index: number): number[] {
    const block = this.#blocks[index];
    if (block === undefined) return [-1, -1, -1, -1, -1];
    const { text, linkCharacters, controlCharacters } = block;
    return [
      Math.log2(1 + text.length),
      linkCharacters / text.length,
      /[.!?。！？…]$/.test(text) ? 1 : 0,
      controlCharacters / text.length,
      this.#isHeading[index] === true ? 1 : 0,
    ];
  }
}

const isInside = (index: number, { first, end }: ElementStats): boolean => index >= first && index < end;

/** Minimum number of siblings of one signature that count as repeated. */
const MIN_REPEATS = 3;

function nearestRepeated(
  container: ElementStats,
): { readonly stats: ElementStats; readonly count: number; readonly distance: number } | null {
  let distance = 0;
  for (let at: ElementStats = container; at.parent !== null; at = at.parent) {
    const count = at.parent.repeats.get(at.signature) ?? 0;
    if (count >= MIN_REPEATS && /^(div|li|article|section|tr|a|dl)\./.test(at.signature))
      return { stats: at, count, distance };
    distance++;
  }
  return null;
}
