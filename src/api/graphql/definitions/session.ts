/** The type Session, and the query `session`. */

import type { EventCounts as Counts } from '../../../domain/ports/sessionStore.ts';
import type { Session } from '../../../domain/session/session.ts';
import { isSessionId } from '../../../domain/session/session.ts';
import { SESSION_EVENT_TYPES, SESSION_EVENTS } from '../../../domain/session/sessionEvent.ts';
import { tabShape } from '../../../operations/results/observation.ts';
import { type SessionNode, sessionShape, sessionStatus } from '../../../operations/results/session.ts';
import { builder } from '../builder.ts';
import { enumType } from '../inputType.ts';
import { COUNT_EVENTS_COST, OBSERVATION_COST } from '../readCosts.ts';
import { resultFields, resultType, setResultType } from '../resultType.ts';
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

export const SessionStatus = enumType(sessionStatus);

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
