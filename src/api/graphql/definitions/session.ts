/** The type Session, and the query `session`. */

import { Failure } from '../../../domain/failure/failures.ts';
import { endedAt, expiresAt, type Session, sessionError } from '../../../domain/session/session.ts';
import { durationMs, durationText } from '../../../domain/session/sessionDuration.ts';
import { cutText } from '../../../domain/space/pageText.ts';
import { builder } from '../builder.ts';
import { isUuid } from '../globalId.ts';
import { COUNT_EVENTS_COST, OBSERVATION_COST } from '../readCosts.ts';
import { Account } from './account.ts';
import { EventCounts } from './eventCounts.ts';
import { SessionStatus } from './sessionStatus.ts';
import { SpaceType } from './space.ts';
import { TabType } from './tab.ts';

/** The value of the GraphQL type Session: a session, and the screenshot (Base64) if the operation that returns it took one. */
export type SessionNode = Session & { readonly screenshot?: string | null };

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
  const possible = ids.filter(isUuid);
  const found = new Map((await load(possible)).map((session, index) => [possible[index], session]));
  return ids.map(id => found.get(id) ?? null);
}

/** Creates SESSION_NOT_FOUND for an id. The text does not reveal whether another account has a session with this id. */
export const sessionNotFound = (id: string): Failure =>
  new Failure('SESSION_NOT_FOUND', `No session of this account has the id "${cutText(id, 64)}".`);

/** Returns a session_id unchanged if it is a UUID. @throws Failure SESSION_NOT_FOUND */
export function parseSessionId(id: string): string {
  if (!isUuid(id)) throw sessionNotFound(id);
  return id;
}

SessionType.implement({
  description:
    'A browser session: a browser context of its own, with cookies, tabs and pages. It stays active until it is closed, times out or fails.',
  isTypeOf: value => typeof value === 'object' && value !== null && 'timeoutMinutes' in value,
  fields: t => ({
    status: t.field({
      type: SessionStatus,
      description: 'The status of the session.',
      resolve: session => session.status,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the session was started.' }),
    lastAccessedAt: t.expose('lastAccessedAt', {
      type: 'DateTime',
      description:
        'When the last operation in the session ended, or when the running one started. Reading does not count.',
    }),
    expiresAt: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'When the session times out if no operation follows. While an operation runs: the end of the maximum lifetime, or null without one. Null after the end.',
      resolve: session => expiresAt(session),
    }),
    endedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the session was closed, timed out or failed; null while it is active.',
      resolve: session => endedAt(session),
    }),
    duration: t.string({
      description: 'Age of the session, up to now or to its end, as text: `12 seconds`, `5 minutes`.',
      resolve: (session, _args, { service }) => durationText(durationMs(session, service.now())),
    }),
    durationMs: t.field({
      type: 'SafeInt',
      description: 'Age of the session, up to now or to its end, in milliseconds.',
      resolve: (session, _args, { service }) => durationMs(session, service.now()),
    }),
    timeoutMinutes: t.exposeInt('timeoutMinutes', {
      description: 'Idle timeout: the session times out after this many minutes without an operation.',
    }),
    error: t.string({
      nullable: true,
      description: 'The reason of the failure if the status is ERROR; null otherwise.',
      resolve: sessionError,
    }),
    url: t.expose('url', {
      type: 'URL',
      nullable: true,
      description: 'The URL of the active tab after the last operation; null before the first page.',
    }),
    pageTitle: t.exposeString('pageTitle', {
      nullable: true,
      description: 'The title of the active tab after the last operation; null before the first page.',
    }),
    tabs: t.field({
      type: [TabType],
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
    screenshot: t.field({
      type: 'Base64',
      nullable: true,
      description: 'The screenshot. Only `startSession` and `closeSession` take one; null everywhere else.',
      resolve: session => session.screenshot ?? null,
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
