/** Starts, closes, reads and lists sessions. */
import {
  CloseSessionDocument,
  ListSessionsDocument,
  ReadSessionDocument,
  type SessionStatus,
  StartSessionDocument,
} from '../../graphql/generated/graphql.ts';
import { sessionNotFound } from '../../graphql/types/session.ts';
import { CloseBody, ListQuery, ReadQuery, StartBody } from '../bodies/requestBodies.ts';
import { SessionBody, SessionsBody, sessionBody } from '../bodies/sessionBody.ts';
import { toOperationInput, toTimeoutInput } from './operationInputs.ts';
import { EXAMPLE_SESSION_ID, jsonRoute, type RestRoute } from './route.ts';

const withScreenshot = (session: SessionBody, screenshot: string | null): SessionBody =>
  screenshot === null ? session : { ...session, screenshot };

export const sessionRoutes: readonly RestRoute[] = [
  jsonRoute({
    method: 'POST',
    path: '/session/start',
    title: 'Start a session',
    description: 'Starts a session and returns its session_id.',
    request: StartBody,
    example: { session_timeout_minutes: 5 },
    response: SessionBody,
    document: StartSessionDocument,
    toVariables: body => ({
      input: {
        ...toOperationInput(body),
        ...toTimeoutInput(body),
        spendCapMicros: body.spend_cap_micros ?? null,
        proxy: body.proxy ?? null,
      },
    }),
    toResponse: ({ startSession }) => withScreenshot(sessionBody(startSession), startSession.screenshot),
  }),
  jsonRoute({
    method: 'POST',
    path: '/session/close',
    title: 'Close a session',
    description: 'Closes a session. For a session that has ended already, returns its final status.',
    request: CloseBody,
    example: { session_id: EXAMPLE_SESSION_ID },
    response: SessionBody,
    document: CloseSessionDocument,
    toVariables: body => ({ input: { ...toOperationInput(body), sessionId: body.session_id } }),
    toResponse: ({ closeSession }) => withScreenshot(sessionBody(closeSession), closeSession.screenshot),
  }),
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
