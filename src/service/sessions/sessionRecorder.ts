/** Writes the record of one running session: collects entries, and appends them to the store a few times a second. */
import { Failure, isFailure } from '../../domain/failure/failures.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type { FileOwner } from '../../domain/ports/sessionFileStore.ts';
import type {
  NewRecordEntry,
  RecordKind,
  SessionRecordStore,
} from '../../domain/ports/sessionRecordStore.ts';
import type { StoredObservation } from '../../domain/ports/sessionStore.ts';
import { observationNumber } from '../../domain/session/performedOperation.ts';

/** Time for which entries wait for others before they are written, in milliseconds: a process that is killed loses at most these. */
const FLUSH_INTERVAL_MS = 250;
/** Size of waiting entries at which they are written at once, in bytes. */
const MAX_WAITING_BYTES = 1_000_000;

/** The store and the clock of `SessionRecorder`. */
export interface SessionRecorderDeps {
  readonly records: SessionRecordStore;
  readonly clock: Pick<Clock, 'now' | 'scheduleAfter'>;
  readonly warn: (message: string, error?: unknown) => void;
  /** Returns the data without the secrets of the session that are known by now. */
  readonly mask: <T>(data: T) => T;
  /** Called once, when the record cannot grow any more: the disk is full, or a limit is reached. */
  readonly onStopped: (reason: string) => void;
}

/** An entry whose body is made when it is written. */
interface WaitingEntry extends Omit<NewRecordEntry, 'body'> {
  readonly body: () => Uint8Array;
}

const encoder = new TextEncoder();

/** Collects the entries of the record of one session. A failure of the store ends the record, never the session. */
export class SessionRecorder {
  readonly #owner: FileOwner;
  readonly #deps: SessionRecorderDeps;
  #waiting: WaitingEntry[] = [];
  #waitingBytes = 0;
  #cancelFlush: (() => void) | null = null;
  #writing: Promise<void> = Promise.resolve();
  #isStopped = false;

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

  /** Adds a JPEG. */
  addImage(kind: 'picture' | 'frame', number: number, at: number, image: Uint8Array): void {
    this.#add({ kind, number, at, body: () => image }, image.byteLength);
  }

  /** Writes what waits. Resolves when it is stored, or when the record has stopped. Never rejects. */
  flush(): Promise<void> {
    this.#cancelFlush?.();
    this.#cancelFlush = null;
    const waiting = this.#waiting.splice(0);
    this.#waitingBytes = 0;
    if (waiting.length > 0) this.#writing = this.#writing.then(() => this.#write(waiting));
    return this.#writing;
  }

  #add(entry: WaitingEntry, bytes: number): void {
    if (this.#isStopped) return;
    this.#waiting.push(entry);
    this.#waitingBytes += bytes;
    if (this.#waitingBytes >= MAX_WAITING_BYTES) void this.flush();
    else this.#cancelFlush ??= this.#deps.clock.scheduleAfter(FLUSH_INTERVAL_MS, () => void this.flush());
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
