/** Live status of one session or of all. */
import type { SessionNotice } from '../../domain/ports.ts';
import { isActive, type Session, type SessionStatus as Status } from '../../domain/session.ts';
import { builder } from './builder.ts';
import { endable } from './endable.ts';
import { SessionType } from './session.ts';
import { SessionStatus } from './sessionStatus.ts';
import { type Watcher, watchSession } from './watchSession.ts';

type Statuses = readonly Status[] | null;

/** The account's changes of status from now on. */
async function* everyChange(
  notices: AsyncIterable<SessionNotice>,
  statuses: Statuses,
): AsyncGenerator<Session> {
  for await (const { session, events } of notices) {
    const changed = events.some(({ event }) => event.type === 'created' || event.type === 'ended');
    if (changed && (statuses?.includes(session.status) ?? true)) yield session;
  }
}

/** The present state, then each change of status up to the final one. */
async function* changesOf(
  present: Session,
  notices: AsyncIterable<SessionNotice>,
  statuses: Statuses,
): AsyncGenerator<Session> {
  const asked = (session: Session) => statuses?.includes(session.status) ?? true;
  if (asked(present)) yield present;
  if (!isActive(present)) return;
  for await (const { session } of notices) {
    // Active is the only state that a session can leave: what still says active is news of something else.
    if (session.id !== present.id || isActive(session)) continue;
    if (asked(session)) yield session;
    return;
  }
}

/** @throws Failure SESSION_NOT_FOUND */
async function watchStatus(
  watcher: Watcher,
  sessionId: string | null,
  statuses: Statuses,
): Promise<AsyncIterableIterator<Session>> {
  if (sessionId !== null)
    return watchSession(watcher, sessionId, (present, notices) => changesOf(present, notices, statuses));
  const ended = new AbortController();
  const notices = watcher.service.changes(watcher.viewer, AbortSignal.any([watcher.signal, ended.signal]));
  return endable(everyChange(notices, statuses), () => ended.abort());
}

builder.subscriptionField('sessionStatusChanged', t =>
  t.field({
    type: SessionType,
    authScopes: { read: true },
    description:
      "With a sessionId: first the session as it is, then again when its status changes; ends after a final status. Without: every change of status of the account's sessions from now on, the start of new ones among them.",
    args: {
      sessionId: t.arg.id({ description: 'Only this session; all of the account when absent.' }),
      statuses: t.arg({
        type: [SessionStatus],
        description: 'Tells only when the status is one of these. Default: all.',
      }),
    },
    subscribe: (_root, { sessionId, statuses }, context) =>
      watchStatus(context, sessionId ?? null, statuses ?? null),
    resolve: session => session,
  }),
);
