/** A file of a session: a page downloaded it, or a caller uploaded it for a page. */
export interface SessionFile {
  /** `D1`, `D2`, … for downloads and `U1`, `U2`, … for uploads; unique within the session. */
  readonly id: string;
  readonly name: string;
  readonly bytes: number;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

export type SessionFileKind = 'download' | 'upload';

export interface FileOwner {
  readonly sessionId: string;
  readonly accountId: string;
}

/** A place for a new file. The disposal removes what was written there, unless the file was kept. */
export interface ReservedFile extends AsyncDisposable {
  readonly id: string;
  readonly path: string;
  /** Keeps the file, which is complete. @throws Failure QUOTA_EXHAUSTED or BODY_TOO_LARGE, as `save` */
  keep(): Promise<void>;
}

export interface SessionFileStore {
  /** Reserves an id and a path for a file, which counts at once. @throws Failure QUOTA_EXHAUSTED at the limit of session or account; STORAGE_FULL */
  reserve(owner: FileOwner, kind: SessionFileKind, name: string): Promise<ReservedFile>;
  list(sessionId: string, kind: SessionFileKind): Promise<readonly SessionFile[]>;
  /** Returns the file and its path; null if the session has no such file. */
  find(
    sessionId: string,
    kind: SessionFileKind,
    id: string,
  ): Promise<(SessionFile & { readonly path: string }) | null>;
  /**
   * Saves a file that arrives in chunks. Removes the partial file if the chunks fail.
   * @param announcedBytes the size that the sender has announced: a file that cannot fit is refused before its first chunk; default: unknown
   * @throws Failure QUOTA_EXHAUSTED or BODY_TOO_LARGE if the files of the session would exceed `maxBytes`, or those of the account their limit; STORAGE_FULL; any error of `chunks`
   */
  save(
    owner: FileOwner,
    kind: SessionFileKind,
    name: string,
    chunks: AsyncIterable<Uint8Array>,
    announcedBytes?: number | null | undefined,
  ): Promise<SessionFile>;
  /** Returns the file and its bytes as a stream; null if the session has no such file. Cancel the stream to close the file early. */
  open(
    sessionId: string,
    kind: SessionFileKind,
    id: string,
  ): Promise<{ readonly file: SessionFile; readonly bytes: ReadableStream<Uint8Array> } | null>;
  /** Removes all files of a session; idempotent. */
  remove(sessionId: string): Promise<void>;
  /** Returns the ids of the sessions with files of which the last one was added before this time, in milliseconds since the epoch. */
  unchangedSince(time: number): Promise<readonly string[]>;
  /** Maximum size of all files of one session together, in bytes. */
  readonly maxBytes: number;
}

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
  /** @throws Failure STORAGE_FULL; QUOTA_EXHAUSTED if the record of the session, or the files of its account, reach their limit */
  append(owner: FileOwner, entries: readonly NewRecordEntry[]): Promise<void>;
  /** Returns the selected entries in the order of their numbers, without bodies. */
  list(sessionId: string, query: RecordQuery): Promise<readonly RecordEntry[]>;
  /** Returns the body of an entry; null if the record does not have it. */
  read(sessionId: string, kind: RecordKind, number: number): Promise<Uint8Array | null>;
  /** Returns the size of the record of a session; 0 for a session without one. */
  bytes(sessionId: string): Promise<number>;
  remove(sessionId: string): Promise<void>;
  /** Returns the ids of the sessions whose record was written last before this time, in milliseconds since the epoch. */
  unchangedSince(time: number): Promise<readonly string[]>;
}
