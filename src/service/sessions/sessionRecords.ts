import { onAbort, race } from '../../async/race.ts';
import type { Viewer } from '../../domain/account/account.ts';
import { assertNoPolicy } from '../../domain/account/policyChecks.ts';
import { Failure } from '../../domain/failure/failures.ts';
import type {
  RecordEntry,
  RecordKind,
  RecordQuery,
  SessionRecordStore,
} from '../../domain/ports/sessionFileStore.ts';
import type { EventCounts, SessionStore, StoredObservation } from '../../domain/ports/sessionStore.ts';
import type { PageLogEntries, PageLogKind } from '../../domain/session/pageLog.ts';
import { isActive } from '../../domain/session/session.ts';
import { LiveSession } from './liveSession.ts';
import type { SessionRegistry } from './sessionRegistry.ts';

/** An entry of a record with its body: JSON as text, an image in Base64. */
export interface RecordedEntry extends RecordEntry {
  readonly body: string;
}

export interface PageLogQuery {
  readonly after: number;
  /** Absent for no such bound. */
  readonly upTo?: number;
  readonly limit: number;
}

/** Some of the console messages or requests of a session, and the number of its newest one; 0 before the first. */
export interface PageLogPage<Kind extends PageLogKind> {
  readonly entries: readonly PageLogEntries[Kind][];
  readonly last: number;
}

/** They run on the node with the session's files. Methods without a viewer do not check access. */
export interface SessionRecords {
  /** @throws Failure NOT_FOUND if the session never had it; RECORD_EXPIRED; DEPENDENCY_UNAVAILABLE if its node is down */
  recordedObservation(sessionId: string, number: number): Promise<StoredObservation>;
  recordEntries(sessionId: string, query: RecordQuery): Promise<readonly RecordEntry[]>;
  /** Returns one entry with its body; null if the record never had it. @throws Failure RECORD_EXPIRED if the record was removed */
  recordedEntry(sessionId: string, kind: RecordKind, number: number): Promise<RecordedEntry | null>;
  /** Above `after`, up to `upTo`, at most `limit`, oldest first. @throws Failure RECORD_EXPIRED; DEPENDENCY_UNAVAILABLE if its node is down */
  readPageLog<Kind extends PageLogKind>(
    sessionId: string,
    kind: Kind,
    query: PageLogQuery,
  ): Promise<PageLogPage<Kind>>;
  /**
   * Yields the entries with numbers above `after` in parts, first those that there are, then each that comes, until the session ends or
   * `signal` aborts. Never yields an empty part.
   * @throws Failure as `readPageLog`
   */
  followPageLog<Kind extends PageLogKind>(
    sessionId: string,
    kind: Kind,
    after: number,
    signal: AbortSignal,
  ): AsyncGenerator<readonly PageLogEntries[Kind][], void, undefined>;
  /** @throws Failure SESSION_NOT_FOUND; SESSION_BUSY if the session is active */
  removeRecord(viewer: Viewer, sessionId: string): Promise<void>;
}

/** The reads of a record, which take the id of the session first. */
export const RECORD_READS = ['recordedObservation', 'recordEntries', 'recordedEntry', 'readPageLog'] as const;
export type RecordRead = (typeof RECORD_READS)[number];

export interface SessionRecordsDeps {
  readonly records: SessionRecordStore;
  readonly store: Pick<SessionStore, 'eventCounts'>;
  readonly recordRetentionDays: number | null;
}

const FOLLOWED_AT_ONCE = 100;

export function createSessionRecords(
  registry: SessionRegistry,
  { records, store, recordRetentionDays }: SessionRecordsDeps,
): SessionRecords {
  const flush = async (sessionId: string): Promise<void> => registry.getLive(sessionId)?.recorder.flush();

  async function missingObservation(sessionId: string, number: number): Promise<Failure> {
    const [counts] = await store.eventCounts([sessionId]);
    const made = observingEvents(counts);
    if (number > made) return new Failure('NOT_FOUND', `This session has no observation O${number}.`);
    return expired(`The observation O${number}`);
  }

  function expired(what: string): Failure {
    const reason =
      recordRetentionDays === null
        ? 'The record of the session was removed, or had reached its maximum size.'
        : `Records are kept for ${recordRetentionDays} days, and up to their maximum size.`;
    return new Failure('RECORD_EXPIRED', `${what} is not stored any more. ${reason}`);
  }

  /** @throws Failure RECORD_EXPIRED if the session has ended and had a record that was removed */
  async function assertKept(sessionId: string, what: string): Promise<void> {
    if (registry.getLive(sessionId) !== null || (await records.bytes(sessionId)) > 0) return;
    const [counts] = await store.eventCounts([sessionId]);
    if (observingEvents(counts) > 0) throw expired(what);
  }

  /** Returns the recorded entries with numbers above `after`, at least `limit` if there are as many. */
  async function storedEntries<Kind extends PageLogKind>(
    sessionId: string,
    kind: Kind,
    after: number,
    limit: number,
  ): Promise<PageLogEntries[Kind][]> {
    const found: PageLogEntries[Kind][] = [];
    // The number of a batch is that of the last entry in it.
    for (const { number } of await records.list(sessionId, { kind, after, limit })) {
      const body = await records.read(sessionId, kind, number);
      if (body === null) continue;
      // The body is what `SessionRecorder` wrote.
      const batch = JSON.parse(new TextDecoder().decode(body)) as PageLogEntries[Kind][];
      found.push(...batch.filter(entry => entry.number > after));
      if (found.length >= limit) break;
    }
    return found;
  }

  async function readPageLog<Kind extends PageLogKind>(
    sessionId: string,
    kind: Kind,
    { after, upTo = Number.POSITIVE_INFINITY, limit }: PageLogQuery,
  ): Promise<PageLogPage<Kind>> {
    const live = registry.getLive(sessionId);
    const log = live?.pageLog;
    let entries: readonly PageLogEntries[Kind][];
    if (live !== null && log?.hasAllAfter(kind, after)) entries = live.masked(log.after(kind, after));
    else {
      await flush(sessionId);
      await assertKept(sessionId, 'The record of the console and the requests');
      const stored = await storedEntries(sessionId, kind, after, limit);
      const newer = log?.after(kind, stored.at(-1)?.number ?? after) ?? [];
      entries = live === null ? stored : [...stored, ...live.masked(newer)];
    }
    const last =
      log?.lastNumber(kind) ??
      (await records.list(sessionId, { kind, after: 0, limit: 1, newest: true })).at(-1)?.number ??
      0;
    return { entries: entries.filter(({ number }) => number <= upTo).slice(0, limit), last };
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
    async recordedEntry(sessionId, kind, number) {
      await flush(sessionId);
      const [found] = await records.list(sessionId, { kind, after: number - 1, limit: 1 });
      const body = found?.number === number ? await records.read(sessionId, kind, number) : null;
      if (found !== undefined && body !== null) return { ...found, body: bodyText(kind, body) };
      await assertKept(sessionId, `The ${kind} ${number}`);
      return null;
    },
    readPageLog,
    async *followPageLog(sessionId, kind, after, signal) {
      let last = after;
      for (;;) {
        // Asked for before the read, so that no entry between the two is missed.
        const live = registry.getLive(sessionId);
        const changed = live?.pageLog.nextChange();
        const { entries } = await readPageLog(sessionId, kind, { after: last, limit: FOLLOWED_AT_ONCE });
        if (signal.aborted) return;
        last = entries.at(-1)?.number ?? last;
        if (entries.length > 0) yield entries;
        else if (changed === undefined) return;
        else
          await race(
            changed,
            onAbort(signal, () => undefined),
          );
      }
    },
    async removeRecord(viewer, sessionId) {
      assertNoPolicy(viewer);
      const found = await registry.resolve(viewer, sessionId);
      const session = found instanceof LiveSession ? found.session : found;
      // Until the session has left the registry, the rest of its record is being written.
      if (isActive(session) || registry.getLive(session.id) !== null)
        throw new Failure('SESSION_BUSY', 'The session is active. Close it, then remove its record.', {
          session,
        });
      await records.remove(session.id);
    },
  };
}

const observingEvents = (counts: EventCounts | undefined): number =>
  counts === undefined ? 0 : counts.observed + counts.stepped + counts.scraped + counts.failed;

const bodyText = (kind: RecordKind, body: Uint8Array): string =>
  Buffer.from(body).toString(kind === 'picture' || kind === 'frame' ? 'base64' : 'utf8');
