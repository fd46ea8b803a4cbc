/** Ends sessions that no process runs any more. */
import type { EventBus } from '../../domain/ports/eventBus.ts';
import type { SessionChange, SessionStore } from '../../domain/ports/sessionStore.ts';
import type { Session } from '../../domain/session/session.ts';
import { transition } from '../../domain/session/sessionTransition.ts';

/** The reason of sessions that an earlier process of the same machine left active. */
export const RESTARTED_REASON = 'The service was restarted, and the browser of this session was lost.';

/** Store and bus for `failOrphanedSessions`, and the charges of the lost sessions. */
export interface OrphanDeps {
  readonly store: SessionStore;
  readonly bus: EventBus;
  /** Returns the time in milliseconds since the epoch. */
  readonly now: () => number;
  /**
   * Returns the charge for the uncharged time of a session, and its browser time; `seenAt` is the last time when it was
   * known to run.
   */
  readonly chargeOf: (session: Session, seenAt: number) => Promise<Pick<SessionChange, 'ledger' | 'meter'>>;
}

/** Number of sessions that are ended at the same time: enough to hide the round trips to a database. */
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

/** Number of events at the end of a session in which its last take-over is looked for. */
const LAST_EVENTS = 200;

/** Returns the name of the person who had the session last and has not handed it back; null for none. */
async function holderOf(sessionId: string, store: SessionStore): Promise<string | null> {
  const [lastSeq = 0] = await store.lastSeqs([sessionId]);
  const events = await store.events(sessionId, Math.max(0, lastSeq - LAST_EVENTS), LAST_EVENTS);
  const last = events.findLast(({ event: { type } }) => type === 'taken_over' || type === 'handed_back');
  return last?.event.type === 'taken_over' ? last.event.holder : null;
}

async function failSession(
  orphan: Session,
  reason: string,
  seenAt: number,
  { store, bus, now, chargeOf }: OrphanDeps,
): Promise<void> {
  const holder = await holderOf(orphan.id, store);
  const why = holder === null ? reason : `${reason} ${holder} had taken the session over.`;
  const charged = await chargeOf(orphan, seenAt);
  const at = endOf(orphan, now(), charged.meter?.browserMs ?? 0);
  const session = transition(orphan, { type: 'browser_lost', at, reason: why });
  const events = await store.commit({
    session,
    events: [{ type: 'ended', at, status: 'error', reason: why }],
    ...charged,
  });
  bus.publish({ session, events });
  if ((charged.ledger ?? []).length > 0) bus.publishLedgerUpdate(session.accountId);
}
