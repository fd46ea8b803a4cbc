/** The subscription `sessionStatusChanged`: the status of one session, or of all sessions of the account. */
import { Failure } from '../../../domain/failure/failures.ts';
import type { SessionUpdate } from '../../../domain/ports/eventBus.ts';
import { isActive, type Session, type SessionStatus as Status } from '../../../domain/session/session.ts';
import { builder } from '../builder.ts';
import { SessionStatus, SessionType } from '../definitions/session.ts';
import { cancellable, type SubscriptionContext, watchSession } from './watchSession.ts';

type Statuses = readonly Status[] | null;

const isStartOrEnd = ({ events }: SessionUpdate): boolean =>
  events.some(({ event }) => event.type === 'created' || event.type === 'ended');

/** Yields each session that an update is about, from now on. If updates were dropped, yields SUBSCRIPTION_BEHIND and ends. */
async function* accountStatusChanges(
  updates: AsyncIterable<SessionUpdate>,
): AsyncGenerator<Session | Failure, void, undefined> {
  for await (const { session, missed } of updates) {
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
    `The subscription was read too slowly: ${missed} status changes were dropped. Subscribe again, then list the sessions.`,
  );

/**
 * Yields the session, then the session with its final status, and ends. Leaves out a status that is not in `statuses`.
 * @param updates must contain only updates in which the session is not active
 */
async function* sessionStatusChanges(
  present: Session,
  updates: AsyncIterable<SessionUpdate>,
  statuses: Statuses,
): AsyncGenerator<Session, void, undefined> {
  const isRequested = (session: Session) => statuses?.includes(session.status) ?? true;
  if (isRequested(present)) yield present;
  if (!isActive(present)) return;
  for await (const { session } of updates) {
    if (isRequested(session)) yield session;
    return;
  }
}

/** Starts the subscription. @throws Failure SESSION_NOT_FOUND */
async function watchStatus(
  context: SubscriptionContext,
  sessionId: string | null,
  statuses: Statuses,
): Promise<AsyncIterableIterator<Session | Failure>> {
  if (sessionId !== null)
    // A session is active until its final status. An update with an active session is about something else.
    return watchSession(
      context,
      sessionId,
      (present, updates) => sessionStatusChanges(present, updates, statuses),
      ({ session }) => !isActive(session),
    );
  const cancelled = new AbortController();
  const updates = context.service.sessionUpdates(context.viewer, {
    signal: AbortSignal.any([context.signal, cancelled.signal]),
    filter: update => isStartOrEnd(update) && (statuses?.includes(update.session.status) ?? true),
  });
  await updates.started;
  return cancellable(accountStatusChanges(updates), () => cancelled.abort());
}

builder.subscriptionField('sessionStatusChanged', t =>
  t.field({
    type: SessionType,
    authScopes: { read: true },
    description:
      'With `sessionId`: the session as it is, then again when its status changes; ends after a final status. Without: every change of status of the sessions of the account from now on, starts of new sessions included. If a reader is so slow that changes are dropped, the subscription ends with the error SUBSCRIPTION_BEHIND.',
    args: {
      sessionId: t.arg.id({ description: 'The session to watch. Default: all sessions of the account.' }),
      statuses: t.arg({
        type: [SessionStatus],
        description: 'Return only sessions with one of these statuses. Default: all.',
      }),
    },
    subscribe: (_root, { sessionId, statuses }, context) =>
      watchStatus(context, sessionId ?? null, statuses ?? null),
    resolve: value => {
      if (value instanceof Failure) throw value;
      return value;
    },
  }),
);
