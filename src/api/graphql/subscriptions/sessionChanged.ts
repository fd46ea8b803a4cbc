/** The subscription `sessionChanged`: the sessions of the account as they change, for lists. */
import { Failure } from '../../../domain/failure/failures.ts';
import type { SessionUpdate } from '../../../domain/ports/eventBus.ts';
import type { Session } from '../../../domain/session/session.ts';
import { builder } from '../builder.ts';
import { SessionType } from '../definitions/session.ts';
import { cancellable, watchSession } from './watchSession.ts';

async function* changes(
  updates: AsyncIterable<SessionUpdate>,
): AsyncGenerator<Session | Failure, void, undefined> {
  for await (const { session, missed } of updates) {
    if (missed !== undefined) {
      yield new Failure(
        'SUBSCRIPTION_BEHIND',
        `The subscription was read too slowly: ${missed} changes were dropped. Subscribe again, then list the sessions.`,
      );
      return;
    }
    yield session;
  }
}

async function* changesOfOne(
  present: Session,
  updates: AsyncIterable<SessionUpdate>,
): AsyncGenerator<Session, void, undefined> {
  yield present;
  for (let { status } = present; status === 'active'; ) {
    const { done, value } = await updates[Symbol.asyncIterator]().next();
    if (done) return;
    status = value.session.status;
    yield value.session;
  }
}

builder.subscriptionField('sessionChanged', t =>
  t.field({
    type: SessionType,
    authScopes: { read: true },
    description:
      'The sessions of the account whenever one changes: an operation begins or ends, the address, the title, the name or the labels change, the idle timer starts again, the session starts or ends. With `sessionId`: the session as it is, then each change, until its end. If a reader is so slow that changes are dropped, the subscription without `sessionId` ends with the error SUBSCRIPTION_BEHIND.',
    args: {
      sessionId: t.arg.id({ description: 'The session to watch. Default: all sessions of the account.' }),
    },
    subscribe: async (_root, { sessionId }, context): Promise<AsyncIterableIterator<Session | Failure>> => {
      if (sessionId != null) return watchSession(context, sessionId, changesOfOne);
      const cancelled = new AbortController();
      const updates = context.service.sessionUpdates(context.viewer, {
        signal: AbortSignal.any([context.signal, cancelled.signal]),
      });
      await updates.started;
      return cancellable(changes(updates), () => cancelled.abort());
    },
    resolve: value => {
      if (value instanceof Failure) throw value;
      return value;
    },
  }),
);
