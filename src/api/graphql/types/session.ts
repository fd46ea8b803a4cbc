/** A browser session: the type, and how one is read. */
import { Failure } from '../../../domain/failures.ts';
import { endedAt, expiresAt, type Session, sessionError } from '../../../domain/session.ts';
import { durationMs, durationText } from '../../../domain/sessionDuration.ts';
import { builder } from '../builder.ts';
import { isUuid } from '../globalId.ts';
import { Account } from './account.ts';
import { EventCounts } from './eventCounts.ts';
import { SessionStatus } from './sessionStatus.ts';
import { SpaceType } from './space.ts';
import { TabType } from './tab.ts';

/** A session, and the screenshot where the operation that answers it made one. */
export type SessionNode = Session & { readonly screenshot?: string | null };

export const SessionType = builder.loadableNodeRef('Session', {
  id: { resolve: (session: SessionNode) => session.id },
  load: async (ids: string[], context): Promise<(SessionNode | null)[]> =>
    loadSessions(ids, found => context.service.sessions(context.viewer, found)),
  loaderOptions: { cache: false },
});

/** Texts that are no UUIDs never named a session: the store is not asked. */
async function loadSessions(
  ids: readonly string[],
  load: (ids: readonly string[]) => Promise<readonly (Session | null)[]>,
): Promise<(Session | null)[]> {
  const possible = ids.filter(isUuid);
  const found = new Map((await load(possible)).map((session, index) => [possible[index], session]));
  return ids.map(id => found.get(id) ?? null);
}

/** The refusal of an id that names no session of the account, said in the same words whoever's it is. */
export const sessionNotFound = (id: string): Failure =>
  new Failure('SESSION_NOT_FOUND', `No session of this account has the id "${id.slice(0, 64)}".`);

/** @throws Failure SESSION_NOT_FOUND for a text that was never a session's id */
export function parseSessionId(id: string): string {
  if (!isUuid(id)) throw sessionNotFound(id);
  return id;
}

SessionType.implement({
  description:
    'A browser session: one browser context of your own, with its cookies, tabs and pages, from its start until it is closed, times out or fails.',
  isTypeOf: value => typeof value === 'object' && value !== null && 'timeoutMinutes' in value,
  fields: t => ({
    status: t.field({
      type: SessionStatus,
      description: 'Where in its life the session is.',
      resolve: session => session.status,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the session was started.' }),
    lastAccessedAt: t.expose('lastAccessedAt', {
      type: 'DateTime',
      description: 'When the last operation in it ended, or began while one runs. Reading does not count.',
    }),
    expiresAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it times out if nothing is done; null while an operation runs and after its end.',
      resolve: session => expiresAt(session),
    }),
    endedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it was closed, timed out or failed; null while it is active.',
      resolve: session => endedAt(session),
    }),
    duration: t.string({
      description: 'Its age up to now, or to its end, in words: `12 seconds`, `5 minutes`.',
      resolve: (session, _args, { service }) => durationText(durationMs(session, service.now())),
    }),
    durationMs: t.field({
      type: 'SafeInt',
      description: 'Its age up to now, or to its end, in milliseconds.',
      resolve: (session, _args, { service }) => durationMs(session, service.now()),
    }),
    timeoutMinutes: t.exposeInt('timeoutMinutes', {
      description: 'Minutes without an operation after which it times out.',
    }),
    error: t.string({
      nullable: true,
      description: 'What went wrong, for a session whose status is ERROR; null otherwise.',
      resolve: sessionError,
    }),
    url: t.expose('url', {
      type: 'URL',
      nullable: true,
      description: 'The address of the active tab after the last operation; null before the first page.',
    }),
    pageTitle: t.exposeString('pageTitle', {
      nullable: true,
      description: 'The title of the active tab after the last operation; null before the first page.',
    }),
    tabs: t.field({
      type: [TabType],
      description: 'The open tabs, in the order of their opening; empty once the session has ended.',
      resolve: (session, _args, { service }) => service.tabs(session.id),
    }),
    space: t.field({
      type: SpaceType,
      nullable: true,
      description: 'The action list of the last observation, as it was then; null before the first.',
      resolve: async (session, _args, { observations }) => {
        const kept = await observations.load(session.id);
        return kept === null ? null : { ...kept.space, sessionId: session.id, observationId: null };
      },
    }),
    observedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When `space` was observed; null before the first observation.',
      resolve: async (session, _args, { observations }) =>
        (await observations.load(session.id))?.observedAt ?? null,
    }),
    screenshot: t.field({
      type: 'Base64',
      nullable: true,
      description:
        'PNG of the viewport. Only startSession and closeSession make one, when it is selected; null everywhere else.',
      resolve: session => session.screenshot ?? null,
    }),
    account: t.field({
      type: Account,
      description: 'Whose session it is.',
      resolve: session => session.accountId,
    }),
    eventCounts: t.field({
      type: EventCounts,
      description: 'How many events of each type the session has.',
      resolve: (session, _args, context) => context.eventCounts.load(session.id),
    }),
  }),
});

builder.queryField('session', t =>
  t.field({
    type: SessionType,
    nullable: true,
    authScopes: { read: true },
    description: 'One session of the account; null if it has none with that id.',
    args: { id: t.arg.id({ required: true, description: 'The session_id, as startSession answered it.' }) },
    resolve: (_root, { id }, { record }) => {
      record.sessionId = id;
      return id;
    },
  }),
);
