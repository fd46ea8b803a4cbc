/** Measures the elements around the blocks of a copy, each element once. */
import { NAME_GROUPS, nameGroupsOf } from '../../signals/nameGroups.ts';
import type { ContentBlock } from './contentBlocks.ts';

/** The greatest distance from a block to a named ancestor that is told apart; also the distance to one that does not exist. */
export const FAR = 15;
/** The depth of a named ancestor that does not exist. */
export const NOWHERE = -100;

/** The names whose nearest ancestor is measured. */
export const ANCESTOR_NAMES =
  'nav header footer aside main article section form table ul ol li dl figure blockquote td th a button h1 h2 h3 h4 p pre'.split(
    ' ',
  );

/** An element around blocks: its place, its text, and its nearest named ancestors. */
export interface ElementStats {
  readonly element: Element;
  readonly parent: ElementStats | null;
  readonly depth: number;
  /** Depth of the nearest ancestor (or the element itself) of each group of `NAME_GROUPS`; `NOWHERE` without one. */
  readonly groups: Int16Array;
  /** Depth of the nearest ancestor (or the element itself) of each name in `ANCESTOR_NAMES`; `NOWHERE` without one. */
  readonly names: Int16Array;
  /** The element's name and first class, which repeated elements share. */
  readonly signature: string;
  /** Index of the first block inside, and of the first block after it. */
  first: number;
  end: number;
  characters: number;
  linkCharacters: number;
  /** The children of each signature that have blocks; null without children. */
  repeats: Map<string, ElementGroup> | null;
}

/** The children of one signature of an element, and what they contain together. */
export interface ElementGroup {
  count: number;
  characters: number;
  blocks: number;
}

/** The elements around the blocks of a copy. */
export interface ElementTree {
  readonly root: ElementStats;
  readonly elements: readonly ElementStats[];
  /** The stats of the container of each block. */
  readonly containers: readonly ElementStats[];
  /** The path (`pathOf`) of the container of each block. */
  readonly paths: readonly string[];
}

/** Measures the ancestors of `blocks` up to `root`. Linear in the number of elements and blocks. */
export function elementTree(root: Element, blocks: readonly ContentBlock[]): ElementTree {
  const stats = new Map<Element, ElementStats>();
  const top = createStats(root, null);
  stats.set(root, top);
  const statsOf = (element: Element): ElementStats => {
    const missing: Element[] = [];
    let at: Element | null = element;
    while (at !== null && !stats.has(at)) {
      missing.push(at);
      at = at.parentElement;
    }
    let found = (at === null ? null : stats.get(at)) ?? top;
    for (const one of missing.reverse()) {
      found = createStats(one, found);
      stats.set(one, found);
    }
    return found;
  };
  const containers = blocks.map(block => statsOf(block.container));
  for (const [index, { text, linkCharacters }] of blocks.entries()) {
    const stats = containers[index] ?? top;
    if (stats.end === 0) stats.first = index;
    stats.end = index + 1;
    stats.characters += text.length;
    stats.linkCharacters += linkCharacters;
  }
  // In reverse: an element is measured after its parent, so each is complete before it is added.
  const elements = [...stats.values()];
  for (let at = elements.length - 1; at >= 0; at--) addToParent(elements[at] ?? top);
  const paths = new Map<ElementStats, string>();
  const path = (one: ElementStats): string => {
    const found = paths.get(one) ?? pathOf(one);
    paths.set(one, found);
    return found;
  };
  return { root: top, elements, containers, paths: containers.map(path) };
}

function addToParent({ parent, signature, first, end, characters, linkCharacters }: ElementStats): void {
  if (parent === null || end === 0) return;
  parent.first = parent.end === 0 ? first : Math.min(parent.first, first);
  parent.end = Math.max(parent.end, end);
  parent.characters += characters;
  parent.linkCharacters += linkCharacters;
  parent.repeats ??= new Map();
  const group = parent.repeats.get(signature) ?? { count: 0, characters: 0, blocks: 0 };
  parent.repeats.set(signature, group);
  group.count++;
  group.characters += characters;
  group.blocks += end - first;
}

function createStats(element: Element, parent: ElementStats | null): ElementStats {
  const depth = parent === null ? 0 : parent.depth + 1;
  const own = NAME_INDEXES.get(roleName(element));
  return {
    element,
    parent,
    depth,
    groups: withDepth(parent?.groups ?? NO_GROUPS, nameGroupsOf(element), depth),
    names: withDepth(parent?.names ?? NO_NAMES, own === undefined ? [] : [own], depth),
    signature: signatureOf(element),
    first: 0,
    end: 0,
    characters: 0,
    linkCharacters: 0,
    repeats: null,
  };
}

const NO_GROUPS = new Int16Array(NAME_GROUPS.length).fill(NOWHERE);
const NO_NAMES = new Int16Array(ANCESTOR_NAMES.length).fill(NOWHERE);
const NAME_INDEXES = new Map(ANCESTOR_NAMES.map((name, at) => [name, at]));

/** Returns `depths` with `depth` at `places`; shares the array if there are none. */
function withDepth(depths: Int16Array, places: readonly number[], depth: number): Int16Array {
  if (places.length === 0) return depths;
  const own = depths.slice();
  for (const place of places) own[place] = depth;
  return own;
}

/** Writes the distances in elements from `depth` to the nearest ancestors (or the element itself) at `depths`; at most `FAR`. */
export function writeDistances(depth: number, depths: Int16Array, row: Float64Array, start: number): void {
  for (let at = 0; at < depths.length; at++) row[start + at] = Math.min(FAR, depth - (depths[at] as number));
}

/** Number of elements whose signatures make a path. */
const PATH_LENGTH = 5;

/** Returns the signatures of an element and its nearest ancestors, the same for repeated elements. */
function pathOf(stats: ElementStats): string {
  let path = stats.signature;
  let at = stats.parent;
  for (let length = 1; length < PATH_LENGTH && at !== null; length++) {
    path = `${at.signature}>${path}`;
    at = at.parent;
  }
  return path;
}

const ROLE_NAMES: Readonly<Record<string, string>> = {
  navigation: 'nav',
  banner: 'header',
  contentinfo: 'footer',
  complementary: 'aside',
  main: 'main',
  article: 'article',
  search: 'form',
};

const roleName = (element: Element): string =>
  (element.hasAttributes() ? ROLE_NAMES[element.getAttribute('role') ?? ''] : undefined) ?? element.localName;

function signatureOf(element: Element): string {
  if (!element.hasAttributes()) return `${element.localName}.`;
  const first = /[a-zA-Z][\w-]*/.exec(element.getAttribute('class') ?? '')?.[0] ?? '';
  return `${element.localName}.${first.replace(/\d+/g, '')}`;
}
