import { z } from 'zod';
import type { CallerTurns } from '../../async/fairTurns.ts';
import { fieldFailure } from '../../domain/failure/failures.ts';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../../operations/sessions.ts';

/** Ids of Relay nodes. The id of a session is its session_id, so that `node(id)` and `session(id)` accept the same id. */

/** Returns the global id of an object: the id itself for a `Session`, `Account:<id>` for an account. */
export const encodeGlobalId = (typename: string, id: string): string =>
  typename === 'Session' ? id : `${typename}:${id}`;

const ACCOUNT = 'Account:';

/** Parses a global id: `Account:<id>` is the id of an account, any other text that of a session, which need not exist. */
export const decodeGlobalId = (globalId: string): { typename: string; id: string } =>
  globalId.startsWith(ACCOUNT)
    ? { typename: 'Account', id: globalId.slice(ACCOUNT.length) }
    : { typename: 'Session', id: globalId };

/**
 * Returns the list for a resolver. If it has more than `short` items, and their fields take long, other callers have turns in between.
 * The executor of Yoga completes a list from an async iterable too; the types of Pothos know only arrays.
 */
export const sliced = <Item>(items: readonly Item[], short: number, turns: CallerTurns): Item[] =>
  turns.sliced(items, short) as Item[];

/** Validates `first` and `last`: a whole number from 1 to MAX_PAGE_SIZE. */
export const pageSizeField = z
  .int('must be a whole number')
  .min(1, 'must be at least 1')
  .max(MAX_PAGE_SIZE, `must be at most ${MAX_PAGE_SIZE}`);

/** The part of a list that a caller requests: the items between two cursors, and at most `limit` of them. */
export interface RequestedPage {
  readonly limit: number;
  readonly after: string | null;
  readonly before: string | null;
  /** True for the last `limit` of these items, false for the first. */
  readonly fromEnd: boolean;
}

/**
 * Reads the arguments of a list as the Relay specification defines them (GraphQL Cursor Connections, 4): the cursors select a range, and
 * `first` or `last` takes items from its start or end. Without both, a page of the default size next to the cursor.
 * @throws Failure VALIDATION_ERROR for `first` together with `last`, which the specification discourages
 */
export function parsePageArguments(args: {
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}): RequestedPage {
  if (args.first != null && args.last != null)
    throw fieldFailure('last', 'must not be given together with first');
  const [after, before] = [args.after ?? null, args.before ?? null];
  return {
    limit: args.first ?? args.last ?? DEFAULT_PAGE_SIZE,
    after,
    before,
    fromEnd: args.last != null || (args.first == null && before !== null && after === null),
  };
}

/** Maximum number of items of a page that are completed in one turn of the caller. Each can have hundreds of selected fields. */
const MAX_ITEMS_AT_ONCE = 5;

/** Returns the Relay connection of a page. Its items are completed in several turns of the caller if that takes long. */
export function toConnection<Node>(
  edges: readonly { readonly node: Node; readonly cursor: string }[],
  { hasNext, hasPrevious }: { readonly hasNext: boolean; readonly hasPrevious: boolean },
  turns: CallerTurns,
) {
  return {
    edges: sliced(edges, MAX_ITEMS_AT_ONCE, turns),
    pageInfo: {
      hasNextPage: hasNext,
      hasPreviousPage: hasPrevious,
      startCursor: edges.at(0)?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}

/** Returns the Relay connection of items that a number identifies: it is their cursor. */
export const toNumberedConnection = <Node>(
  nodes: readonly Node[],
  numberOf: (node: Node) => number,
  page: Parameters<typeof toConnection>[1],
  turns: CallerTurns,
) =>
  toConnection(
    nodes.map(node => ({ node, cursor: String(numberOf(node)) })),
    page,
    turns,
  );

/** Returns the complexity of a connection: this cost for each item of its page. */
export const costOfPage =
  (field: number) =>
  ({ first, last }: { first?: number | null | undefined; last?: number | null | undefined }) => ({
    field,
    multiplier: first ?? last ?? DEFAULT_PAGE_SIZE,
  });

/** A number as the service writes it: no other text stands for the same one. Fifteen digits are always exact. */
const SEQ_CURSOR = /^(?:0|[1-9]\d{0,14})$/;

/** Parses a cursor that is the number of an item. @throws Failure VALIDATION_ERROR if it is not a whole number, or is below `min` */
export function parseSeqCursor(name: 'after' | 'before', text: string, min = 0): number {
  const seq = SEQ_CURSOR.test(text) ? Number(text) : Number.NaN;
  if (seq >= min) return seq;
  throw fieldFailure(
    name,
    'must be a cursor that an earlier page returned',
    `${name} is not a cursor of this list.`,
  );
}
