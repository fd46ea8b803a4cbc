/** The routes that read sessions and their files. */
import { z } from 'zod';
import { SESSION_STATUSES } from '../../domain/session/session.ts';
import { downloadShape, uploadShape } from '../../operations/results/file.ts';
import { sessionShape } from '../../operations/results/session.ts';
import {
  DEFAULT_PAGE_SIZE,
  listDownloads,
  listSessions,
  listUploads,
  MAX_PAGE_SIZE,
  readSession,
  sessionFilters,
} from '../../operations/sessions.ts';
import { restLayout } from './body.ts';
import { FileBody, SessionQuery } from './fileRoutes.ts';
import { type RestRoute, readRoute } from './route.ts';
import { SessionBody } from './selection.ts';

/** Validates the query of `GET /sessions`. Its values are text: numbers are parsed, lists are separated by commas. */
const ListQuery = z.strictObject({
  status: z
    .string()
    .transform(list => list.split(','))
    .pipe(z.array(z.enum(SESSION_STATUSES)))
    .optional()
    .meta({
      description: `${sessionFilters.status.description} Separated by commas: ${SESSION_STATUSES.join(', ')}.`,
    }),
  search: sessionFilters.search.check.optional().meta({ description: sessionFilters.search.description }),
  limit: z.coerce
    .number('must be a whole number')
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(MAX_PAGE_SIZE, `must be at most ${MAX_PAGE_SIZE}`)
    .optional()
    .meta({ description: `Sessions per response, 1 to ${MAX_PAGE_SIZE}. Default ${DEFAULT_PAGE_SIZE}.` }),
  after: z.string().optional().meta({ description: 'The next_cursor of the previous response.' }),
});

/** The routes that read sessions, and list their files. */
export const readRoutes: readonly RestRoute[] = [
  readRoute({
    path: '/session/{session_id}',
    title: 'Read a session',
    description: 'Returns one session. Reading does not reset its timeout.',
    graphql: 'session(id)',
    request: SessionQuery,
    response: SessionBody,
    read: async ({ session_id }, context) =>
      restLayout.write(sessionShape, await readSession(context, session_id), context.service),
  }),
  readRoute({
    path: '/sessions',
    title: 'List sessions',
    description: "Lists the account's sessions, newest first.",
    graphql: 'sessions(status, search, first, after)',
    request: ListQuery,
    response: z
      .object({
        sessions: z.array(SessionBody),
        next_cursor: z
          .string()
          .nullable()
          .meta({ description: 'Send it as `after` to get the next page; null on the last page.' }),
      })
      .meta({ id: 'Sessions', description: 'One page of the list of sessions.' }),
    read: async (query, context) => {
      const { rows, hasNext } = await listSessions(context, query);
      return {
        sessions: rows.map(({ session }) => restLayout.write(sessionShape, session, context.service)),
        next_cursor: hasNext ? (rows.at(-1)?.cursor ?? null) : null,
      };
    },
  }),
  readRoute({
    path: '/session/{session_id}/downloads',
    title: 'List downloads',
    description: "Lists the files that the session's pages downloaded.",
    graphql: 'session(id).downloads',
    request: SessionQuery,
    response: z
      .object({ downloads: z.array(FileBody) })
      .meta({ id: 'Downloads', description: 'The files that the pages of a session downloaded.' }),
    read: async ({ session_id }, context) => {
      const { id } = await readSession(context, session_id);
      const files = await listDownloads(context.service, id);
      return { downloads: files.map(file => restLayout.write(downloadShape, file, context.service)) };
    },
  }),
  readRoute({
    path: '/session/{session_id}/uploads',
    title: 'List uploads',
    description: 'Lists the files that were uploaded to the session.',
    graphql: 'session(id).uploads',
    request: SessionQuery,
    response: z
      .object({ uploads: z.array(FileBody) })
      .meta({ id: 'Uploads', description: 'The files that were uploaded to a session.' }),
    read: async ({ session_id }, context) => {
      const { id } = await readSession(context, session_id);
      const files = await listUploads(context.service, id);
      return { uploads: files.map(file => restLayout.write(uploadShape, file, context.service)) };
    },
  }),
];
