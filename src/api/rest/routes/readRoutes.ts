/** The routes that read and list sessions. */

import { sessionNotFound } from '../../graphql/definitions/session.ts';
import {
  ListSessionsDocument,
  ReadSessionDocument,
  type SessionStatus,
} from '../../graphql/generated/graphql.ts';
import { ListQuery, ReadQuery } from '../bodies/requestBodies.ts';
import { SessionBody, SessionsBody, sessionBody } from '../bodies/sessionBody.ts';
import { jsonRoute, type RestRoute } from './route.ts';

export const readRoutes: readonly RestRoute[] = [
  jsonRoute({
    method: 'GET',
    path: '/session/{session_id}',
    title: 'Read a session',
    description: 'Returns one session. Reading does not reset its timeout.',
    request: ReadQuery,
    response: SessionBody,
    document: ReadSessionDocument,
    toVariables: query => ({ id: query.session_id }),
    toResponse: ({ session }, query) => {
      if (session === null) throw sessionNotFound(query.session_id);
      return sessionBody(session);
    },
  }),
  jsonRoute({
    method: 'GET',
    path: '/sessions',
    title: 'List sessions',
    description: "Lists the account's sessions, newest first.",
    request: ListQuery,
    response: SessionsBody,
    document: ListSessionsDocument,
    toVariables: query => ({
      status: query.status?.map(status => status.toUpperCase() as SessionStatus) ?? null,
      search: query.search ?? null,
      first: query.limit ?? null,
      after: query.after ?? null,
    }),
    toResponse: ({ sessions }) => ({
      sessions: sessions.edges.map(edge => sessionBody(edge.node)),
      next_cursor: sessions.pageInfo.hasNextPage ? sessions.pageInfo.endCursor : null,
    }),
  }),
];
