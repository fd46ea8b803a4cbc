/** Reads the records of sessions: whole observations, pictures, the console and the requests, as they were. */
import type { Viewer } from '../../domain/account/account.ts';
import { Failure } from '../../domain/failure/failures.ts';
import type {
  RecordEntry,
  RecordKind,
  RecordQuery,
  SessionRecordStore,
} from '../../domain/ports/sessionRecordStore.ts';
import type { SessionStore, StoredObservation } from '../../domain/ports/sessionStore.ts';
import { isActive } from '../../domain/session/session.ts';
import { LiveSession } from './liveSession.ts';
import type { SessionRegistry } from './sessionRegistry.ts';

/** An entry of a record with its body: JSON as text, an image in Base64. */
export interface RecordedEntry extends RecordEntry {
  readonly body: string;
}

/**
 * Reads of records. They run on the node that has the session's files. Methods without a viewer do not check access: call them only for
 * sessions that the viewer may read.
 */
export interface SessionRecords {
  /**
   * Returns the observation as it was.
   * @throws Failure NOT_FOUND if the session never had it; RECORD_EXPIRED if the record was removed; DEPENDENCY_UNAVAILABLE if its node is down
   */
  recordedObservation(sessionId: string, number: number): Promise<StoredObservation>;
  /** Returns the entries that the query selects, without bodies. */
  recordEntries(sessionId: string, query: RecordQuery): Promise<readonly RecordEntry[]>;
  /** Returns the entries that the query selects, with bodies. */
  recordedEntries(sessionId: string, query: RecordQuery): Promise<readonly RecordedEntry[]>;
  /** Returns one entry with its body; null if the record does not have it. */
  recordedEntry(sessionId: string, kind: RecordKind, number: number): Promise<RecordedEntry | null>;
  /**
   * Removes the record of a session that has ended.
   * @throws Failure SESSION_NOT_FOUND; SESSION_BUSY if the session is active
   */
  removeRecord(viewer: Viewer, sessionId: string): Promise<void>;
}

/** The stores of the reads, and the days for which records are kept; null for as long as the sessions. */
export interface SessionRecordsDeps {
  readonly records: SessionRecordStore;
  readonly store: Pick<SessionStore, 'eventCounts'>;
  readonly recordRetentionDays: number | null;
}

/** Creates the reads of records. */
export function createSessionRecords(
  registry: SessionRegistry,
  { records, store, recordRetentionDays }: SessionRecordsDeps,
): SessionRecords {
  /** Writes what the running session has collected, so that a caller reads what it has just caused. */
  const flush = async (sessionId: string): Promise<void> => registry.getLive(sessionId)?.recorder.flush();

  async function missingObservation(sessionId: string, number: number): Promise<Failure> {
    const [counts] = await store.eventCounts([sessionId]);
    const made = counts === undefined ? 0 : counts.observed + counts.stepped + counts.scraped;
    if (number > made) return new Failure('NOT_FOUND', `This session has no observation O${number}.`);
    const reason =
      recordRetentionDays === null
        ? 'The record of the session was removed, or had reached its maximum size.'
        : `Records are kept for ${recordRetentionDays} days, and up to their maximum size.`;
    return new Failure('RECORD_EXPIRED', `The observation O${number} is not stored any more. ${reason}`);
  }

  async function entry(sessionId: string, kind: RecordKind, number: number): Promise<RecordedEntry | null> {
    const [found] = await records.list(sessionId, { kind, after: number - 1, limit: 1 });
    if (found?.number !== number) return null;
    const body = await records.read(sessionId, kind, number);
    return body === null ? null : { ...found, body: bodyText(kind, body) };
  }

  return {
    async recordedObservation(sessionId, number) {
      await flush(sessionId);
      const body = await records.read(sessionId, 'observation', number);
      if (body === null) throw await missingObservation(sessionId, number);
      // The body is what `addObservation` wrote.
      return JSON.parse(new TextDecoder().decode(body)) as StoredObservation;
    },
    async recordEntries(sessionId, query) {
      await flush(sessionId);
      return records.list(sessionId, query);
    },
    async recordedEntries(sessionId, query) {
      await flush(sessionId);
      const found: RecordedEntry[] = [];
      for (const each of await records.list(sessionId, query)) {
        const body = await records.read(sessionId, each.kind, each.number);
        if (body !== null) found.push({ ...each, body: bodyText(each.kind, body) });
      }
      return found;
    },
    async recordedEntry(sessionId, kind, number) {
      await flush(sessionId);
      return entry(sessionId, kind, number);
    },
    async removeRecord(viewer, sessionId) {
      const found = await registry.resolve(viewer, sessionId);
      const session = found instanceof LiveSession ? found.session : found;
      if (isActive(session))
        throw new Failure('SESSION_BUSY', 'The session is active. Close it, then remove its record.', {
          session,
        });
      await records.remove(session.id);
    },
  };
}

const bodyText = (kind: RecordKind, body: Uint8Array): string =>
  Buffer.from(body).toString(kind === 'picture' || kind === 'frame' ? 'base64' : 'utf8');
