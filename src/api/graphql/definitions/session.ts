import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '../../../domain/failure/failures.ts';
import type { SessionUpdate } from '../../../domain/ports/eventBus.ts';
import type { EventCounts as Counts, SessionOrder as Order } from '../../../domain/ports/sessionStore.ts';
import {
  isActive,
  isSessionId,
  type Session,
  type SessionStatus as Status,
} from '../../../domain/session/session.ts';
import { SESSION_EVENT_TYPES, SESSION_EVENTS } from '../../../domain/session/sessionEvent.ts';
import { parseSessionId } from '../../../operations/operation.ts';
import { tabShape } from '../../../operations/results/observation.ts';
import { type SessionNode, sessionShape, sessionStatus } from '../../../operations/results/session.ts';
import { DEFAULT_PAGE_SIZE, sessionFilters, toSessionSelection } from '../../../operations/sessions.ts';
import {
  builder,
  COUNT_EVENTS_COST,
  COUNT_SESSIONS_COST,
  OBSERVATION_COST,
  ROW_COST,
  SEARCH_SESSIONS_COST,
} from '../builder.ts';
import {
  domainEnum,
  enumType,
  inputArguments,
  resultFields,
  resultType,
  setResultType,
} from '../operationTypes.ts';
import { parsePageArguments, toConnection } from '../pageArguments.ts';
import { cancellable, type SubscriptionContext, watchAccount, watchSession } from '../watchSession.ts';
import { Account } from './account.ts';
import { SpaceType } from './space.ts';

const EventCounts = builder.objectRef<Counts>('EventCounts').implement({
  description: 'The number of events of a session, by event type.',
  fields: t =>
    Object.fromEntries(
      SESSION_EVENT_TYPES.map(type => [
        type,
        t.int({
          description: `Events of type ${type.toUpperCase()}: ${SESSION_EVENTS[type].description}`,
          resolve: counts => counts[type],
        }),
      ]),
    ),
});

export const SessionType = builder.loadableNodeRef('Session', {
  id: { resolve: (session: SessionNode) => session.id },
  load: async (ids: string[], context): Promise<(SessionNode | null)[]> =>
    loadSessions(ids, found => context.service.sessions(context.viewer, found)),
  loaderOptions: { cache: false },
});

/** Loads the account's sessions with these ids; null for an unknown id and for a text that is not a UUID. */
async function loadSessions(
  ids: readonly string[],
  load: (ids: readonly string[]) => Promise<readonly (Session | null)[]>,
): Promise<(Session | null)[]> {
  const possible = ids.filter(isSessionId);
  const found = new Map((await load(possible)).map((session, index) => [possible[index], session]));
  return ids.map(id => found.get(id) ?? null);
}

setResultType(sessionShape, SessionType);

SessionType.implement({
  description: sessionShape.description,
  isTypeOf: value => typeof value === 'object' && value !== null && 'timeoutMinutes' in value,
  fields: t => ({
    ...resultFields(t, sessionShape, ['id']),
    tabs: t.field({
      type: [resultType(tabShape)],
      complexity: { field: 1, multiplier: 5 },
      description:
        'The open tabs, in the order in which they were opened; empty after the end of the session.',
      resolve: (session, _args, { service }) => service.tabs(session.id),
    }),
    space: t.field({
      type: SpaceType,
      complexity: OBSERVATION_COST,
      nullable: true,
      description:
        'The page as the last observation returned it; null before the first, and after a scrape without a list opened another page.',
      resolve: async (session, _args, { observations }) => {
        const stored = await observations.load(session.id);
        return stored === null ? null : { ...stored.space, sessionId: session.id, observationId: null };
      },
    }),
    observedAt: t.field({
      type: 'DateTime',
      complexity: OBSERVATION_COST,
      nullable: true,
      description: 'When `space` was observed; null without one.',
      resolve: async (session, _args, { observations }) =>
        (await observations.load(session.id))?.observedAt ?? null,
    }),
    account: t.field({
      type: Account,
      description: 'The account that owns the session.',
      resolve: session => session.accountId,
    }),
    eventCounts: t.field({
      type: EventCounts,
      complexity: COUNT_EVENTS_COST,
      description: 'The number of events of the session, by type.',
      resolve: (session, _args, context) => context.eventCounts.load(session.id),
    }),
  }),
});

builder.queryField('session', t =>
  t.field({
    type: SessionType,
    nullable: true,
    authScopes: { read: true },
    description: 'The session with this id; null if the account has none.',
    args: { id: t.arg.id({ required: true, description: 'The id of the session.' }) },
    resolve: (_root, { id }, { record }) => {
      record.sessionId = id;
      return id;
    },
  }),
);

const SessionOrder = domainEnum<Order>('SessionOrder', 'The order of the list of sessions.', {
  created_at_desc: 'Newest first.',
  created_at_asc: 'Oldest first.',
  last_accessed_at_desc: 'Last used first.',
});

builder.queryField('sessions', t =>
  t.connection(
    {
      type: SessionType,
      authScopes: { read: true },
      description: 'The sessions of the account.',
      complexity: ({
        first,
        last,
        orderBy: _order,
        after: _after,
        before: _before,
        status: _status,
        ...filters
      }) => ({
        field: Object.values(filters).some(value => value != null) ? SEARCH_SESSIONS_COST : ROW_COST,
        multiplier: first ?? last ?? DEFAULT_PAGE_SIZE,
      }),
      args: {
        ...inputArguments(t.arg, sessionFilters),
        orderBy: t.arg({
          type: SessionOrder,
          defaultValue: 'created_at_desc',
          description: 'The order of the list.',
        }),
      },
      resolve: async (_root, args, { service, viewer, turns }) => {
        const page = await service.listSessions(viewer, {
          ...parsePageArguments(args),
          ...toSessionSelection(args),
          order: args.orderBy ?? 'created_at_desc',
        });
        const edges = page.rows.map(({ session, cursor }) => ({ node: session, cursor }));
        return {
          ...toConnection(edges, page, turns),
          ...toSessionSelection(args),
        };
      },
    },
    {
      name: 'SessionConnection',
      description: 'A page of the list of sessions.',
      fields: connection => ({
        totalCount: connection.int({
          complexity: COUNT_SESSIONS_COST,
          description: 'Number of sessions that meet the conditions, on all pages.',
          resolve: ({ statuses, search, filter }, _args, { sessionCounts }) =>
            sessionCounts.load({ statuses, search, filter }),
        }),
      }),
    },
    { name: 'SessionEdge', description: 'A session with its cursor.' },
  ),
);

/** Yields each session that an update is about, from now on. If updates were dropped, yields SUBSCRIPTION_BEHIND and ends. */
async function* changes(
  updates: AsyncIterable<SessionUpdate>,
  what: 'changes' | 'status changes',
): AsyncGenerator<Session | Failure, void, undefined> {
  for await (const { session, missed } of updates) {
    if (missed !== undefined) {
      yield new Failure(
        'SUBSCRIPTION_BEHIND',
        `The subscription was read too slowly: ${missed} ${what} were dropped. Subscribe again, then list the sessions.`,
      );
      return;
    }
    yield session;
  }
}

const orThrow = (value: Session | Failure): Session => {
  if (value instanceof Failure) throw value;
  return value;
};

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
      return watchAccount(context, updates => changes(updates, 'changes'));
    },
    resolve: orThrow,
  }),
);

type Statuses = readonly Status[] | null;

const isStartOrEnd = ({ events }: SessionUpdate): boolean =>
  events.some(({ event }) => event.type === 'created' || event.type === 'ended');

/** Yields the session, then the session with its final status. `updates` must contain only updates in which the session is not active. */
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
  return watchAccount(
    context,
    updates => changes(updates, 'status changes'),
    update => isStartOrEnd(update) && (statuses?.includes(update.session.status) ?? true),
  );
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
        type: [enumType(sessionStatus)],
        description: 'Return only sessions with one of these statuses. Default: all.',
      }),
    },
    subscribe: (_root, { sessionId, statuses }, context) =>
      watchStatus(context, sessionId ?? null, statuses ?? null),
    resolve: orThrow,
  }),
);

/** Time between two signs of life to the node of the session, in milliseconds: a fifth of the grace. */
const RENEWAL_INTERVAL_MS = 6_000;

builder.subscriptionField('holdSession', t =>
  t.field({
    type: SessionType,
    authScopes: { operate: true },
    description:
      'Keeps a session for the person who has taken it over: yields the session now and every few seconds. When the connection ends, all keys and buttons are released, and the person has 30 seconds to subscribe again. Fails with TAKE_OVER_ENDED when the take-over has ended.',
    args: {
      sessionId: t.arg.id({ required: true, description: 'The id of the session.' }),
      holdId: t.arg.id({ required: true, description: 'The take-over, as `takeOver` returned it.' }),
    },
    subscribe: async (_root, args, { service, viewer, signal }): Promise<AsyncIterableIterator<Session>> => {
      const sessionId = parseSessionId(args.sessionId);
      const { holdId } = args;
      const cancelled = new AbortController();
      const isOver = AbortSignal.any([signal, cancelled.signal]);
      const renew = (isConnected: boolean) =>
        service.renewTakeOver(viewer, { sessionId, holdId, isConnected });
      const present = await renew(true);
      // A socket that is cut may end no generator: the keys must be released all the same.
      const onCut = () => void renew(false).catch(() => undefined);
      isOver.addEventListener('abort', onCut, { once: true });
      async function* hold(): AsyncGenerator<Session, void, undefined> {
        try {
          yield present;
          for (;;) {
            await delay(RENEWAL_INTERVAL_MS, undefined, { signal: isOver });
            yield await renew(true);
          }
        } catch (error) {
          if (!isOver.aborted) throw error;
        } finally {
          isOver.removeEventListener('abort', onCut);
        }
      }
      return cancellable(hold(), () => cancelled.abort());
    },
    resolve: session => session,
  }),
);
