/** The reads: what the store holds, with what is known of live sessions laid over it. None resets a timer. */

import { Failure } from '../../domain/failures.ts';
import type { AccountStore } from '../../domain/ports/accountStore.ts';
import type { BrowserHost } from '../../domain/ports/browserHost.ts';
import type { SessionStore } from '../../domain/ports/sessionStore.ts';
import type { Session } from '../../domain/session.ts';
import type { SessionReads } from '../pagespace.ts';
import { observationNotFound } from './observationHistory.ts';
import type { SessionRegistry } from './sessionRegistry.ts';

export function createSessionReads(
  sessions: SessionRegistry,
  store: SessionStore,
  accounts: AccountStore,
  browsers: BrowserHost,
): SessionReads {
  const withLiveState = (session: Session): Session => sessions.currentState(session.id) ?? session;
  return {
    async sessions(viewer, ids) {
      const kept = await store.load(
        viewer.account.id,
        ids.map(id => id.toLowerCase()),
      );
      return kept.map(session => (session === null ? null : withLiveState(session)));
    },
    async listSessions(viewer, listing) {
      const page = await store.list({ accountId: viewer.account.id, ...listing });
      return { ...page, rows: page.rows.map(row => ({ ...row, session: withLiveState(row.session) })) };
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
    eventsInRanges: ranges => store.eventsInRanges(ranges),
    accounts: ids => accounts.accounts(ids),
    tabs(sessionId) {
      const live = sessions.getLive(sessionId);
      return live === null || live.session.status !== 'active' ? [] : live.lease.tabs();
    },
    observationDiff(sessionId, since, observationId) {
      const live = sessions.getLive(sessionId);
      if (live === null) throw observationNotFound('since');
      return live.observations.diff(since, observationId);
    },
    activeSessionCount: () => sessions.size,
    hasCapacity: () => !sessions.isClosing && browsers.hasCapacity,
    now: () => sessions.now(),
  };
}
