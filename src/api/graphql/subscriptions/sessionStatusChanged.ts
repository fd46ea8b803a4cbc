/** Live status of one session or of all. */
import { Failure } from '../../../domain/failures.ts';
import type { SessionUpdate } from '../../../domain/ports/eventBus.ts';
import { isActive, type Session, type SessionStatus as Status } from '../../../domain/session.ts';
import { builder } from '../builder.ts';
import { SessionType } from '../types/session.ts';
import { SessionStatus } from '../types/sessionStatus.ts';
import { cancellable } from './cancellable.ts';
import { type SubscriptionContext, watchSession } from './watchSession.ts';

type Statuses = readonly Status[] | null;

const isStartOrEnd = ({ events }: SessionUpdate): boolean =>
  events.some(({ event }) => event.type === 'created' || event.type === 'ended');

/** The account's changes of status from now on; a refusal, as the last, where some were dropped. */
async function* accountStatusChanges(
  notices: AsyncIterable<SessionUpdate>,
): AsyncGenerator<Session | Failure, void, undefined> {
  for await (const { session, missed } of notices) {
    if (missed !== undefined) {
      yield behindFailure(missed);
      return;
    }
    yield session;
  }
}

const behindFailure = (missed: number): Failure =>
  new Failure(
    'SUBSCRIPTION_BEHIND',
    `This subscription was read too slowly: ${missed} changes of status were dropped. Subscribe anew, then list the sessions.`,
  );

/** The present state, then each change of status up to the final one. */
async function* sessionStatusChanges(
  present: Session,
  notices: AsyncIterable<SessionUpdate>,
  statuses: Statuses,
): AsyncGenerator<Session, void, undefined> {
  const isRequested = (session: Session) => statuses?.includes(session.status) ?? true;
  if (isRequested(present)) yield present;
  if (!isActive(present)) return;
  for await (const { session } of notices) {
    if (isRequested(session)) yield session;
    return;
  }
}

/** @throws Failure SESSION_NOT_FOUND */
async function watchStatus(
  watcher: SubscriptionContext,
  sessionId: string | null,
  statuses: Statuses,
): Promise<AsyncIterableIterator<Session | Failure>> {
  if (sessionId !== null)
    // Active is the only state that a session can leave: what still says active is news of something else.
    return watchSession(
      watcher,
      sessionId,
      (present, notices) => sessionStatusChanges(present, notices, statuses),
      ({ session }) => !isActive(session),
    );
  const cancelled = new AbortController();
  const notices = watcher.service.sessionUpdates(watcher.viewer, {
    signal: AbortSignal.any([watcher.signal, cancelled.signal]),
    filter: notice => isStartOrEnd(notice) && (statuses?.includes(notice.session.status) ?? true),
  });
  return cancellable(accountStatusChanges(notices), () => cancelled.abort());
}

builder.subscriptionField('sessionStatusChanged', t =>
  t.field({
    type: SessionType,
    authScopes: { read: true },
    description:
      "With a sessionId: first the session as it is, then again when its status changes; ends after a final status. Without: every change of status of the account's sessions from now on, the start of new ones among them; a reader so slow that changes had to be dropped is told SUBSCRIPTION_BEHIND, and the subscription ends: nothing is left out in silence.",
    args: {
      sessionId: t.arg.id({ description: 'Only this session; all of the account when absent.' }),
      statuses: t.arg({
        type: [SessionStatus],
        description: 'Tells only when the status is one of these. Default: all.',
      }),
    },
    subscribe: (_root, { sessionId, statuses }, context) =>
      watchStatus(context, sessionId ?? null, statuses ?? null),
    resolve: told => {
      if (told instanceof Failure) throw told;
      return told;
    },
  }),
);
