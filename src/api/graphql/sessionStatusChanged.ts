/** Live status of one session or of all. */
import type { SessionNotice } from '../../domain/ports.ts';
import { isActive, type Session, type SessionStatus as Status } from '../../domain/session.ts';
import type { RequestContext } from '../requestContext.ts';
import { builder } from './builder.ts';
import { endable } from './endable.ts';
import { knownForm, SessionType, sessionNotFound } from './session.ts';
import { SessionStatus } from './sessionStatus.ts';

/** What subscribing needs of the request. */
export type Watcher = Pick<RequestContext, 'service' | 'viewer' | 'signal'>;

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

/**
 * Subscribes before it reads, so that no change falls between the two.
 * @throws Failure SESSION_NOT_FOUND
 */
export async function watchStatus(
  { service, viewer, signal }: Watcher,
  sessionId: string | null,
  statuses: Statuses,
): Promise<AsyncIterableIterator<Session>> {
  const ended = new AbortController();
  const notices = service.changes(viewer, AbortSignal.any([signal, ended.signal]));
  const end = () => ended.abort();
  if (sessionId === null) return endable(everyChange(notices, statuses), end);
  try {
    const [present] = await service.sessions(viewer, [knownForm(sessionId)]);
    if (present == null) throw sessionNotFound(sessionId);
    return endable(changesOf(present, notices, statuses), end);
  } catch (error) {
    end();
    throw error;
  }
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
