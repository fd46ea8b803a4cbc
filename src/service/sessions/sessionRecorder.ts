import type { ScreenshotOptions } from '../../domain/content/scrape.ts';
import { Failure, isFailure } from '../../domain/failure/failures.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type {
  FileOwner,
  NewRecordEntry,
  RecordKind,
  SessionRecordStore,
} from '../../domain/ports/sessionFileStore.ts';
import type { StoredObservation } from '../../domain/ports/sessionStore.ts';
import {
  type NewPageLogEntry,
  PAGE_LOG_KINDS,
  type PageLogEntries,
  type PageLogKind,
} from '../../domain/session/pageLog.ts';
import { observationNumber } from '../../domain/session/performedOperation.ts';
import type { ScreencastFrame } from '../../domain/session/takeOver.ts';

const RING_SIZE = 1_000;
/** Of a session with more entries of a kind, the record has these and the newest 1,000: a page can cause any number. */
const MAX_RECORDED = 10_000;
/** Number of entries of a kind at which they are written at once: half of what stays in memory. */
const MAX_UNSAVED = RING_SIZE / 2;

interface Ring<Entry> {
  readonly entries: Entry[];
  /** Number of the newest entry; 0 before the first. */
  last: number;
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

  takeUnsaved<Kind extends PageLogKind>(kind: Kind): readonly PageLogEntries[Kind][] {
    const ring = this.#rings[kind];
    if (ring.saved === ring.last || (ring.saved >= MAX_RECORDED && !this.#hasEnded)) return [];
    const unsaved = this.after(kind, ring.saved);
    ring.saved = ring.last;
    return unsaved;
  }

  after<Kind extends PageLogKind>(kind: Kind, number: number): readonly PageLogEntries[Kind][] {
    const { entries } = this.#rings[kind] as Ring<PageLogEntries[Kind]>;
    const first = entries[0]?.number ?? 1;
    return entries.slice(Math.max(0, number + 1 - first));
  }

  /** True if every entry with a greater number is in memory. */
  hasAllAfter(kind: PageLogKind, number: number): boolean {
    return (this.#rings[kind].entries[0]?.number ?? 1) <= number + 1;
  }

  lastNumber(kind: PageLogKind): number {
    return this.#rings[kind].last;
  }

  /** Says that no entry follows: the record is to take the rest. */
  end(): void {
    this.#hasEnded = true;
    this.#wakeReaders();
  }

  nextChange(): Promise<void> {
    return this.#wake.promise;
  }

  #wakeReaders(): void {
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  }
}

/** Time for which entries wait for others before they are written, in milliseconds: a process that is killed loses at most these. */
const FLUSH_INTERVAL_MS = 250;
const MAX_WAITING_BYTES = 1_000_000;

/** The picture of each operation: its text is readable, and it has about 45 kB. */
export const RECORD_PICTURE: ScreenshotOptions = { fullPage: false, format: 'jpeg', quality: 60 };

/** The images of a recorded video: at most two a second, and only while the page changes. */
export const VIDEO = { maxWidth: 640, quality: 60, minIntervalMs: 500 };

export interface SessionRecorderDeps {
  readonly records: SessionRecordStore;
  readonly clock: Pick<Clock, 'now' | 'scheduleAfter'>;
  readonly warn: (message: string, error?: unknown) => void;
  readonly mask: <T>(data: T) => T;
  readonly pageLog: Pick<PageLog, 'takeUnsaved'>;
  /** Called once, when the record cannot grow any more: the disk is full, or a limit is reached. */
  readonly onStopped: (reason: string) => void;
}

interface WaitingEntry extends Omit<NewRecordEntry, 'body'> {
  readonly body: () => Uint8Array;
}

const encoder = new TextEncoder();

/** A failure of the store ends the record, never the session. */
export class SessionRecorder {
  readonly #owner: FileOwner;
  readonly #deps: SessionRecorderDeps;
  #waiting: WaitingEntry[] = [];
  #waitingBytes = 0;
  #cancelFlush: (() => void) | null = null;
  #writing: Promise<void> = Promise.resolve();
  #isStopped = false;
  #pictures = 0;
  #frames = 0;
  #lastPicture: number | null = null;

  constructor(owner: FileOwner, deps: SessionRecorderDeps) {
    this.#owner = owner;
    this.#deps = deps;
  }

  /** Adds a whole observation. @param id `O1`, `O2`, … */
  addObservation(id: string, observation: StoredObservation): void {
    const number = observationNumber(id);
    if (number !== null) this.addJson('observation', number, observation);
  }

  /** Adds a value as JSON, which is written later: it must not change. */
  addJson(kind: Exclude<RecordKind, 'picture' | 'frame'>, number: number, value: unknown): void {
    this.#add(
      {
        kind,
        number,
        at: this.#deps.clock.now(),
        body: () => encoder.encode(JSON.stringify(this.#deps.mask(value))),
      },
      1_000,
    );
  }

  /** Number of the picture that the running operation has added; null for none. Reads it once. */
  takePicture(): number | null {
    const taken = this.#lastPicture;
    this.#lastPicture = null;
    return taken;
  }

  /** Adds the picture of an operation. @param image JPEG, Base64 */
  addPicture(image: string): void {
    const number = ++this.#pictures;
    this.#lastPicture = number;
    this.#addImage('picture', number, this.#deps.clock.now(), image);
  }

  /** Adds a frame of the video. @param image JPEG, Base64 */
  addFrame({ image, at }: ScreencastFrame): void {
    this.#addImage('frame', ++this.#frames, at, image);
  }

  reportFailure(kind: RecordKind, error: unknown): void {
    this.#deps.warn(`The record of session ${this.#owner.sessionId} lacks a ${kind}`, error);
  }

  #addImage(kind: 'picture' | 'frame', number: number, at: number, image: string): void {
    const body = Buffer.from(image, 'base64');
    this.#add({ kind, number, at, body: () => body }, body.byteLength);
  }

  /** Writes what waits. Resolves when it is stored, or when the record has stopped. Never rejects. */
  async flush(): Promise<void> {
    this.#addPageLog();
    this.#cancelFlush?.();
    this.#cancelFlush = null;
    const waiting = this.#waiting.splice(0);
    this.#waitingBytes = 0;
    if (waiting.length > 0) this.#writing = this.#writing.then(() => this.#write(waiting));
    return this.#writing;
  }

  pageLogGrew(isUrgent: boolean): void {
    if (this.#isStopped) return;
    if (isUrgent) void this.flush();
    else this.#scheduleFlush();
  }

  /** Adds what the pages have told since the last time: one entry a kind, with the number of the last one in it. */
  #addPageLog(): void {
    for (const kind of PAGE_LOG_KINDS) {
      const entries = this.#deps.pageLog.takeUnsaved(kind);
      const last = entries.at(-1);
      if (last !== undefined) this.addJson(kind, last.number, entries);
    }
  }

  #scheduleFlush(): void {
    this.#cancelFlush ??= this.#deps.clock.scheduleAfter(FLUSH_INTERVAL_MS, () => void this.flush());
  }

  #add(entry: WaitingEntry, bytes: number): void {
    if (this.#isStopped) return;
    this.#waiting.push(entry);
    this.#waitingBytes += bytes;
    if (this.#waitingBytes >= MAX_WAITING_BYTES) void this.flush();
    else this.#scheduleFlush();
  }

  async #write(waiting: readonly WaitingEntry[]): Promise<void> {
    if (this.#isStopped) return;
    try {
      await this.#deps.records.append(
        this.#owner,
        waiting.map(({ body, ...entry }) => ({ ...entry, body: body() })),
      );
    } catch (error) {
      this.#isStopped = true;
      const isExpected = isFailure(error, 'STORAGE_FULL') || isFailure(error, 'QUOTA_EXHAUSTED');
      if (!isExpected) this.#deps.warn(`The record of session ${this.#owner.sessionId} stopped`, error);
      this.#deps.onStopped(error instanceof Failure ? error.message : 'The service could not write it.');
    }
  }
}
