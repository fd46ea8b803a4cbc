/** The newest console messages and requests of a running session, in memory, and those of them that the record does not have yet. */
import type { NewPageLogEntry, PageLogEntries, PageLogKind } from '../../domain/session/pageLog.ts';

/** Number of entries of each kind that stay in memory. */
const RING_SIZE = 1_000;
/**
 * Number of entries of each kind that go into the record as they come. Of a session with more, the record has these and the newest 1,000: a
 * page can cause any number.
 */
const MAX_RECORDED = 10_000;
/** Number of entries of a kind at which they are written at once: half of what stays in memory. */
const MAX_UNSAVED = RING_SIZE / 2;

interface Ring<Entry> {
  readonly entries: Entry[];
  /** Number of the newest entry; 0 before the first. */
  last: number;
  /** Number of the newest entry that the record has. */
  saved: number;
}

/** Numbers the entries of each kind, and wakes readers. */
export class PageLog {
  readonly #rings: { readonly [Kind in PageLogKind]: Ring<PageLogEntries[Kind]> } = {
    console: { entries: [], last: 0, saved: 0 },
    request: { entries: [], last: 0, saved: 0 },
  };
  readonly #onUnsaved: (isUrgent: boolean) => void;
  #wake = Promise.withResolvers<void>();
  #hasEnded = false;

  /** @param onUnsaved called with each entry: the record is to take it. `isUrgent`: now */
  constructor(onUnsaved: (isUrgent: boolean) => void) {
    this.#onUnsaved = onUnsaved;
  }

  add<Kind extends PageLogKind>(kind: Kind, entry: NewPageLogEntry<Kind>): void {
    const ring = this.#rings[kind] as Ring<PageLogEntries[Kind]>;
    // The entry has all fields of its kind but the number.
    ring.entries.push({ ...entry, number: ++ring.last } as unknown as PageLogEntries[Kind]);
    if (ring.entries.length > RING_SIZE) ring.entries.shift();
    if (ring.last <= MAX_RECORDED) this.#onUnsaved(ring.last - ring.saved >= MAX_UNSAVED);
    this.#wakeReaders();
  }

  /** Returns the entries that the record is to take now. */
  takeUnsaved<Kind extends PageLogKind>(kind: Kind): readonly PageLogEntries[Kind][] {
    const ring = this.#rings[kind];
    if (ring.saved === ring.last || (ring.saved >= MAX_RECORDED && !this.#hasEnded)) return [];
    const unsaved = this.after(kind, ring.saved);
    ring.saved = ring.last;
    return unsaved;
  }

  /** Returns the entries in memory with a greater number. */
  after<Kind extends PageLogKind>(kind: Kind, number: number): readonly PageLogEntries[Kind][] {
    const { entries } = this.#rings[kind] as Ring<PageLogEntries[Kind]>;
    const first = entries[0]?.number ?? 1;
    return entries.slice(Math.max(0, number + 1 - first));
  }

  /** True if every entry with a greater number is in memory. */
  hasAllAfter(kind: PageLogKind, number: number): boolean {
    return (this.#rings[kind].entries[0]?.number ?? 1) <= number + 1;
  }

  /** Number of the newest entry; 0 before the first. */
  lastNumber(kind: PageLogKind): number {
    return this.#rings[kind].last;
  }

  /** Says that no entry follows: the record is to take the rest. */
  end(): void {
    this.#hasEnded = true;
    this.#wakeReaders();
  }

  /** Resolves with the next entry, or at the end. */
  nextChange(): Promise<void> {
    return this.#wake.promise;
  }

  #wakeReaders(): void {
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  }
}
