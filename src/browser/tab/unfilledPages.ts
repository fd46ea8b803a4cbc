/** Maximum number of addresses remembered; beyond it the oldest are forgotten. */
const MAX_ADDRESSES = 200;

/** Remembers the addresses of pages that looked as if their scripts would fill them, and that were not filled in time. */
export class UnfilledPages {
  readonly #addresses = new Set<string>();

  has(address: string): boolean {
    return this.#addresses.has(address);
  }

  add(address: string): void {
    if (this.#addresses.size >= MAX_ADDRESSES)
      this.#addresses.delete(this.#addresses.values().next().value ?? '');
    this.#addresses.add(address);
  }
}

const OF_TABS = new WeakMap<object, UnfilledPages>();

/** Returns what is known of the pages of a tab. */
export function unfilledPagesOf(tab: object): UnfilledPages {
  const known = OF_TABS.get(tab) ?? new UnfilledPages();
  OF_TABS.set(tab, known);
  return known;
}
