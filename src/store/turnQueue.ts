/** A queue in which owners take turns. */

/** A queue in which owners take turns: an owner with many items delays the next item of another owner by one. */
export class TurnQueue<Item> {
  /** The items of each owner, by owner; the next owner first. */
  readonly #items = new Map<string, Item[]>();

  push(owner: string, item: Item): void {
    const own = this.#items.get(owner);
    if (own === undefined) this.#items.set(owner, [item]);
    else own.push(item);
  }

  /**
   * Removes and returns the oldest item of the owner whose turn it is; null if there is none.
   * @param mayRun returns false for an owner to leave out now, which keeps its turn
   */
  shift(mayRun: (owner: string) => boolean = () => true): Item | null {
    for (const [owner, items] of this.#items) {
      if (!mayRun(owner)) continue;
      const item = items.shift();
      this.#items.delete(owner);
      if (items.length > 0) this.#items.set(owner, items);
      return item ?? null;
    }
    return null;
  }
}
