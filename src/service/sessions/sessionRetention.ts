import { type Audit, auditLostTakeOver } from '../../domain/ports/auditLog.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type { EventBus } from '../../domain/ports/eventBus.ts';
import type { SessionFileStore, SessionRecordStore } from '../../domain/ports/sessionFileStore.ts';
import type { SessionChange, SessionStore } from '../../domain/ports/sessionStore.ts';
import type { Session } from '../../domain/session/session.ts';
import { transition } from '../../domain/session/sessionTransition.ts';

const MS_PER_DAY = 86_400_000;
const RETENTION_INTERVAL_MS = 3_600_000;
/** Number of sessions that one transaction removes. Such a transaction blocks the store for a few milliseconds. */
const REMOVAL_BATCH_SIZE = 50;

export interface SessionRetentionDeps {
  readonly store: SessionStore;
  readonly files: SessionFileStore;
  readonly records: SessionRecordStore;
  readonly clock: Clock;
  readonly retentionDays: number | null;
  readonly recordRetentionDays: number | null;
  /** Called after each removal: other nodes may have files of these sessions. */
  readonly onSessionsRemoved?: (sessionIds: readonly string[]) => void;
  readonly warn: (message: string, error?: unknown) => void;
}

export async function removeFilesOf(
  sessionId: string,
  { files, records }: Pick<SessionRetentionDeps, 'files' | 'records'>,
): Promise<void> {
  await records.remove(sessionId);
  await files.remove(sessionId);
}

/** Every hour, removes sessions that ended more than `retentionDays` ago. */
export class SessionRetention {
  readonly #deps: SessionRetentionDeps;
  #cancel: (() => void) | null = null;
  #removal: Promise<void> = Promise.resolve();
  #isStopped = false;
  /** The wall-clock time minus the monotonic time, as of the construction. */
  readonly #wallOffset: number;

  constructor(deps: SessionRetentionDeps) {
    this.#deps = deps;
    this.#wallOffset = deps.clock.now() - deps.clock.monotonicNow();
  }

  /** Removes old sessions now, and then every hour. Does nothing if `retentionDays` is null. */
  start(): void {
    const { clock, retentionDays, recordRetentionDays, warn } = this.#deps;
    if ((retentionDays === null && recordRetentionDays === null) || this.#isStopped) return;
    // A wall clock that is set far forwards by mistake must not remove sessions: at most the time that has passed counts.
    const now = Math.min(clock.now(), this.#wallOffset + clock.monotonicNow());
    const before = (days: number) => now - days * MS_PER_DAY;
    this.#removal = (async () => {
      if (recordRetentionDays !== null) await this.removeRecordsBefore(before(recordRetentionDays));
      if (retentionDays === null) return;
      await this.removeEndedBefore(before(retentionDays));
      await this.removeFilesBefore(before(retentionDays));
    })().catch(error => warn('Old sessions could not be removed', error));
    this.#cancel = clock.scheduleAfter(RETENTION_INTERVAL_MS, () => this.start());
  }

  /** Removes every session that ended before this time, in milliseconds since the epoch, with its events, observation and files. */
  async removeEndedBefore(time: number): Promise<number> {
    const { store } = this.#deps;
    let removed = 0;
    while (!this.#isStopped) {
      const ids = await store.endedBefore(time, REMOVAL_BATCH_SIZE);
      // Remove the files first: if the process dies meanwhile, the row still exists, and the next run finds the files through it.
      for (const id of ids) await removeFilesOf(id, this.#deps);
      await store.remove(ids);
      if (ids.length > 0) this.#deps.onSessionsRemoved?.(ids);
      removed += ids.length;
      if (ids.length < REMOVAL_BATCH_SIZE) break;
    }
    return removed;
  }

  /**
   * Removes the files of sessions that are not in the store any more: another node removed the session, and its announcement was lost.
   * @param time files of which one was added after it stay, in milliseconds since the epoch
   */
  async removeFilesBefore(time: number): Promise<void> {
    const { store, files, records } = this.#deps;
    const ids = [
      ...new Set([...(await files.unchangedSince(time)), ...(await records.unchangedSince(time))]),
    ];
    for (let start = 0; start < ids.length && !this.#isStopped; start += REMOVAL_BATCH_SIZE) {
      const batch = ids.slice(start, start + REMOVAL_BATCH_SIZE);
      const numbers = await store.lastSeqs(batch);
      for (const [index, id] of batch.entries())
        if (numbers[index] === 0) await removeFilesOf(id, this.#deps);
    }
  }

  /** Removes the records that were written last before this time, in milliseconds since the epoch. */
  async removeRecordsBefore(time: number): Promise<void> {
    const { records } = this.#deps;
    for (const id of await records.unchangedSince(time)) if (!this.#isStopped) await records.remove(id);
  }

  /** Stops the removals for good. Resolves when a running removal has stopped. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancel?.();
    await this.#removal;
  }
}

export const RESTARTED_REASON = 'The service was restarted, and the browser of this session was lost.';

interface OrphanDeps {
  readonly store: SessionStore;
  readonly bus: EventBus;
  readonly audit: Audit;
  /** The sessions of which the row about their lost take-over is written, and the end is not: it is tried again. */
  readonly auditedLosses: Set<string>;
  readonly now: () => number;
  /** Returns the charge for the uncharged time, and the browser time; `seenAt`: when the session was last known to run. */
  readonly chargeOf: (session: Session, seenAt: number) => Promise<Pick<SessionChange, 'ledger' | 'meter'>>;
}

const CONCURRENT_ENDS = 10;

/**
 * Ends these sessions with status `error` and this reason, and notifies their subscribers. Charges their idle time until
 * they were last seen. An end that cannot be written does not stop the others.
 * @returns the number of ended sessions
 * @throws the first error of the store
 */
export async function failOrphanedSessions(
  orphans: readonly Session[],
  reason: string,
  deps: OrphanDeps,
): Promise<number> {
  const lastSeen = await deps.store.lastSeenAt(orphans.map(({ id }) => id));
  const results: PromiseSettledResult<void>[] = [];
  for (let start = 0; start < orphans.length; start += CONCURRENT_ENDS)
    results.push(
      ...(await Promise.allSettled(
        orphans.slice(start, start + CONCURRENT_ENDS).map((orphan, index) => {
          const seenAt = lastSeen[start + index] ?? orphan.lastAccessedAt;
          return failSession(orphan, reason, seenAt, deps);
        }),
      )),
    );
  const failed = results.find(result => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return orphans.length;
}

/**
 * Returns the time of the end: at the earliest the start and the browser time after it. The clock of the node that ran the
 * session can be ahead of this one's, and a clock can have been set back while no process recorded by how much.
 */
const endOf = ({ createdAt, clockShiftMs = 0 }: Session, now: number, browserMs: number): number =>
  Math.max(now, createdAt + clockShiftMs + browserMs);

/** Number of events that are read at once to find the last take-over of a session. */
const EVENTS_AT_ONCE = 200;

/** Returns the name of the person who had the session last and has not handed it back; null for none. */
async function holderOf(sessionId: string, store: SessionStore): Promise<string | null> {
  const [lastSeq = 0] = await store.lastSeqs([sessionId]);
  for (let end = lastSeq; end > 0; end -= EVENTS_AT_ONCE) {
    const after = Math.max(0, end - EVENTS_AT_ONCE);
    const events = await store.events(sessionId, after, end - after);
    const last = events.findLast(({ event: { type } }) => type === 'taken_over' || type === 'handed_back');
    if (last !== undefined) return last.event.type === 'taken_over' ? last.event.holder : null;
  }
  return null;
}

async function failSession(
  orphan: Session,
  reason: string,
  seenAt: number,
  { store, bus, audit, auditedLosses, now, chargeOf }: OrphanDeps,
): Promise<void> {
  const holder = await holderOf(orphan.id, store);
  const why = holder === null ? reason : `${reason} ${holder} had taken the session over.`;
  const charged = await chargeOf(orphan, seenAt);
  if (holder !== null && !auditedLosses.has(orphan.id)) {
    await auditLostTakeOver(audit, orphan, { name: holder, reason });
    auditedLosses.add(orphan.id);
  }
  const at = endOf(orphan, now(), charged.meter?.browserMs ?? 0);
  const session = transition(orphan, { type: 'browser_lost', at, reason: why });
  const events = await store.commit({
    session,
    events: [{ type: 'ended', at, status: 'error', reason: why }],
    ...charged,
  });
  auditedLosses.delete(orphan.id);
  bus.publish({ session, events });
  if ((charged.ledger ?? []).length > 0) bus.publishLedgerUpdate(session.accountId);
}
