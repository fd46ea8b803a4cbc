/** The store of session records: what a session showed, as numbered entries of a few kinds. */
import type { FileOwner } from './sessionFileStore.ts';

/**
 * The kinds of entries. `observation`: the whole list of one observation, JSON. `picture`: the page at the end of an operation, JPEG.
 * `frame`: a frame of the video, JPEG. `console`, `request`: a line of the console and a request of a page, JSON.
 */
export const RECORD_KINDS = ['observation', 'picture', 'frame', 'console', 'request'] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

/** The position of an entry: its kind, its number among those of the kind, and its time in milliseconds since the epoch. */
export interface RecordEntry {
  readonly kind: RecordKind;
  /** The caller of `append` chooses it; it grows within the kind. */
  readonly number: number;
  readonly at: number;
  /** Size of the body as it is stored. */
  readonly bytes: number;
}

export interface NewRecordEntry extends Pick<RecordEntry, 'kind' | 'number' | 'at'> {
  readonly body: Uint8Array;
}

/** The parts of a record that a reader selects. */
export interface RecordQuery {
  readonly kind: RecordKind;
  /** Entries with a greater number. */
  readonly after: number;
  readonly limit: number;
  /** True for the newest of them, not the first. */
  readonly newest?: boolean;
}

/** Stores the record of each session. Entries survive the end of the process as soon as `append` resolves. */
export interface SessionRecordStore {
  /**
   * Appends entries to the record of a session.
   * @throws Failure STORAGE_FULL; QUOTA_EXHAUSTED if the record of the session, or the files of its account, reach their limit
   */
  append(owner: FileOwner, entries: readonly NewRecordEntry[]): Promise<void>;
  /** Returns the selected entries in the order of their numbers, without bodies. */
  list(sessionId: string, query: RecordQuery): Promise<readonly RecordEntry[]>;
  /** Returns the body of an entry; null if the record does not have it. */
  read(sessionId: string, kind: RecordKind, number: number): Promise<Uint8Array | null>;
  /** Returns the size of the record of a session; 0 for a session without one. */
  bytes(sessionId: string): Promise<number>;
  /** Removes the record of a session; idempotent. */
  remove(sessionId: string): Promise<void>;
  /** Returns the ids of the sessions whose record was written last before this time, in milliseconds since the epoch. */
  unchangedSince(time: number): Promise<readonly string[]>;
}
