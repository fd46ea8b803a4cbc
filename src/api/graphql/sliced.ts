/** Lists that are completed in several turns of the caller. */
import type { CallerTurns } from '../../async/fairTurns.ts';

/**
 * Returns the list for a resolver. If it has more than `short` items, and their fields take long, other callers have turns in between.
 * The executor of Yoga completes a list from an async iterable too; the types of Pothos know only arrays.
 */
export const sliced = <Item>(items: readonly Item[], short: number, turns: CallerTurns): Item[] =>
  turns.sliced(items, short) as Item[];
