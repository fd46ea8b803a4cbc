/** The reads: what the store holds, with what is known of live sessions laid over it. None resets a timer. */

import { Failure } from '../domain/failures.ts';
import type { AccountStore, BrowserHost, SessionStore } from '../domain/ports.ts';
import type { Session } from '../domain/session.ts';
import type { LiveSessions } from './liveSessions.ts';
import { notKept } from './sightings.ts';
import type { Reads } from './verbs.ts';

export function createReads(
  lives: LiveSessions,
  store: SessionStore,
  accounts: AccountStore,
  browsers: BrowserHost,
): Reads {
  const fresh = (session: Session): Session => lives.stateOf(session.id) ?? session;
  return {
    async sessions(viewer, ids) {
      const kept = await store.load(
        viewer.account.id,
        ids.map(id => id.toLowerCase()),
      );
      return kept.map(session => (session === null ? null : fresh(session)));
    },
    async listSessions(viewer, listing) {
      const page = await store.list({ accountId: viewer.account.id, ...listing });
      return { ...page, rows: page.rows.map(row => ({ ...row, session: fresh(row.session) })) };
    },
    countSessions: (viewer, statuses, search) => store.count(viewer.account.id, statuses, search),
    lastObservations: ids => store.observations(ids),
    eventCounts: ids => store.eventCounts(ids),
    async events(viewer, sessionId, after, limit) {
      const [session] = await store.load(viewer.account.id, [sessionId.toLowerCase()]);
      if (session == null)
        throw new Failure('SESSION_NOT_FOUND', `This account has no session ${sessionId.slice(0, 100)}.`);
      return store.events(session.id, after, limit);
    },
    eventRanges: ranges => store.eventRanges(ranges),
    accounts: ids => accounts.accounts(ids),
    tabs(sessionId) {
      const live = lives.peek(sessionId);
      return live === null || live.session.status !== 'active' ? [] : live.lease.tabs();
    },
    diff(sessionId, since, observationId) {
      const live = lives.peek(sessionId);
      if (live === null) throw notKept('since');
      return live.sightings.diff(since, observationId);
    },
    activeSessions: () => lives.size,
    ready: () => !lives.closing && browsers.ready,
    now: () => lives.now(),
  };
}
