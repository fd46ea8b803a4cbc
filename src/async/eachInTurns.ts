/** Divides a long loop, so that the requests of other callers are served meanwhile. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Calls `visit` for each item, in order, and lets the event loop run after every `perTurn` items. A short list is visited in the
 * present turn.
 * @param perTurn number of items that take some milliseconds together
 */
export async function eachInTurns<Item>(
  items: readonly Item[],
  perTurn: number,
  visit: (item: Item) => void,
): Promise<void> {
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % perTurn === 0) await nextTurn();
    visit(item);
  }
}
