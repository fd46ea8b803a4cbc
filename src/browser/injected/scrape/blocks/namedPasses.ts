/** The block pass that lowers the shares of what the names of the elements around it tell apart from the content. */
import type { PageType } from '../../signals/pageTypes.ts';
import type { BlockPass, BlockPassInput } from './blockPass.ts';
import { ANCESTOR_NAMES, type ElementStats, NOWHERE } from './elementTree.ts';
import { NAME_GROUPS } from './nameGroups.ts';

/** Blocks whose share is lowered. */
interface NamedRule {
  /** A group of `NAME_GROUPS`, or one of `ANCESTOR_NAMES`. */
  readonly name: string;
  /** The named element is fewer elements around the block than this. */
  readonly within: number;
  /** The factor (0 to 1) of the share. */
  readonly factor: number;
  /** Returns true for the types of pages to which the rule applies. */
  readonly applies: (type: PageType) => boolean;
}

const always = (): boolean => true;
const only =
  (...types: readonly PageType[]) =>
  (type: PageType): boolean =>
    types.includes(type);

/** The factors were chosen by cross-validation in the seen half of the benchmark's pages, and are round. */
const RULES: readonly NamedRule[] = [
  // What others say of a product is not its description.
  { name: 'review', within: 8, factor: 0.1, applies: only('product') },
  { name: 'filter', within: 8, factor: 0.1, applies: only('product') },
  { name: 'signature', within: 8, factor: 0.05, applies: only('forum') },
  { name: 'poster', within: 6, factor: 0.3, applies: only('forum') },
  { name: 'consent', within: 8, factor: 0.3, applies: always },
  { name: 'overlay', within: 8, factor: 0.3, applies: type => type !== 'product' },
  { name: 'subscribe', within: 6, factor: 0.4, applies: always },
  { name: 'crumb', within: 5, factor: 0.3, applies: always },
  { name: 'form', within: 8, factor: 0.5, applies: type => type !== 'forum' },
];

/** An element with more than this share (0 to 1) of a page without a heading is not told apart by its name. */
const MAX_SHARE = 0.5;

export const namedBlocks: BlockPass = {
  name: 'blocks with names of other things',
  orderReason: 'After the repeated blocks: their means are those of the model.',
  run: (shares, input) => {
    const heading = input.blocks.findIndex(({ headingLevel }) => headingLevel === 1);
    const factors = new Map<ElementStats, number>();
    const rules = RULES.filter(({ applies }) => applies(input.type));
    return shares.map((share, at) => {
      const container = input.tree.containers[at] ?? input.tree.root;
      const factor = factors.get(container) ?? factorOf(container, rules, heading, input);
      factors.set(container, factor);
      return share * factor;
    });
  },
};

/** Returns the depth of the nearest element of a name around `container`; `ANCESTOR_NAMES` go before `NAME_GROUPS`. */
function depthOf(name: string, { names, groups }: ElementStats): number {
  const element = ANCESTOR_NAMES.indexOf(name);
  return (element < 0 ? groups[NAME_GROUPS.indexOf(name)] : names[element]) ?? NOWHERE;
}

function factorOf(
  container: ElementStats,
  rules: readonly NamedRule[],
  heading: number,
  { tree }: BlockPassInput,
): number {
  return rules.reduce((factor, rule) => {
    const depth = depthOf(rule.name, container);
    if (container.depth - depth >= rule.within) return factor;
    let named = container;
    while (named.depth > depth && named.parent !== null) named = named.parent;
    // A name of the whole page (`<body class="cookies-set">`) tells nothing apart.
    const isWhole =
      heading < 0
        ? named.characters > MAX_SHARE * tree.root.characters
        : named.first <= heading && heading < named.end;
    return isWhole ? factor : factor * rule.factor;
  }, 1);
}
