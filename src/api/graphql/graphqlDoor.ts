/** The GraphQL door over HTTP, and GraphiQL for browsers. */
import { Failure } from '../../domain/failures.ts';
import {
  type Answer,
  type Exchange,
  failureHeaders,
  type Handler,
  isJson,
  withHeaders,
} from '../exchange.ts';
import type { FailureExtensions } from '../failureFacts.ts';
import { Ration } from '../ration.ts';
import { viewerOf } from '../viewer.ts';
import { visitorOf } from '../wallet/visitorOf.ts';
import { whileKeyIsGood } from './whileKeyIsGood.ts';
import { type GraphqlParts, refusedResult, type Yoga } from './yoga.ts';

/** Where GraphQL is, on HTTP and on WebSocket. */
export const GRAPHQL_PATH = '/graphql';

/**
 * Answers what comes to /graphql, all but WebSockets and GraphiQL's page.
 * @param origin the service's own, for the cookies of its page
 */
export function graphqlDoor(
  yoga: Yoga,
  { service, log }: Pick<GraphqlParts, 'service' | 'log'>,
  origin: () => string,
): Handler {
  return async exchange => {
    if (exchange.path !== GRAPHQL_PATH) return null;
    const ration = new Ration(service);
    try {
      if (exchange.method !== 'GET' && exchange.method !== 'POST')
        throw new Failure(
          'METHOD_NOT_ALLOWED',
          `${GRAPHQL_PATH} takes GET, HEAD and POST, not ${exchange.method}.`,
        );
      const visitor = await visitorOf(service, exchange, origin());
      const viewer = visitor ?? (await viewerOf(service, exchange.headers, exchange.address));
      await ration.take(viewer, 1);
      if (exchange.method === 'POST' && !isJson(exchange.headers['content-type']))
        throw new Failure(
          'UNSUPPORTED_MEDIA_TYPE',
          'Send the body as JSON, with "Content-Type: application/json".',
        );
      const query = exchange.query.size > 0 ? `?${exchange.query}` : '';
      const response = await yoga.fetch(
        `http://localhost${GRAPHQL_PATH}${query}`,
        {
          method: exchange.method,
          headers: { ...forwarded(exchange), ...(visitor !== null && { accept: NO_STREAM }) },
          ...(exchange.method === 'POST' && { body: await exchange.text() }),
          signal: exchange.signal,
        },
        { viewer, requestId: exchange.requestId, signal: exchange.signal, ration },
      );
      const answer = whileKeyIsGood(await answerOf(response), tell => service.whenKeyEnds(viewer, tell));
      return withHeaders(answer, ration.headers);
    } catch (error) {
      return withHeaders(refused(error, exchange, { service, log }), ration.headers);
    }
  };
}

/** A visit may end while a stream goes on: whoever visits gets none, whatever they accept. */
const NO_STREAM = 'application/json';

/** Only what GraphQL over HTTP reads; the key stays outside. */
const forwarded = ({ headers }: Exchange): Record<string, string> => ({
  accept: headers.accept ?? 'application/json',
  ...(headers['content-type'] !== undefined && { 'content-type': headers['content-type'] }),
});

async function answerOf(response: Response): Promise<Answer> {
  const type = response.headers.get('content-type');
  const allow = response.headers.get('allow');
  const retryAfter = response.headers.get('retry-after');
  const headers = {
    'cache-control': 'no-store',
    ...(type !== null && { 'content-type': type }),
    ...(allow !== null && { allow }),
    ...(retryAfter !== null && { 'retry-after': retryAfter }),
  };
  const streams = type?.startsWith('text/event-stream') ?? false;
  return { status: response.status, headers, body: streams ? response.body : await response.text() };
}

/** A refusal before GraphQL ran: the HTTP status is the failure's own. */
export function refused(
  error: unknown,
  exchange: Exchange,
  { service, log }: Pick<GraphqlParts, 'service' | 'log'>,
): Answer {
  const result = refusedResult(error, { requestId: exchange.requestId, log, now: () => service.now() });
  const facts = result.errors[0]?.extensions as FailureExtensions;
  const modern = exchange.headers.accept?.includes('application/graphql-response+json') ?? false;
  return {
    status: facts.status,
    headers: {
      ...failureHeaders(facts),
      ...(facts.code === 'METHOD_NOT_ALLOWED' && { allow: 'GET, HEAD, POST' }),
      'content-type': `${modern ? 'application/graphql-response+json' : 'application/json'}; charset=utf-8`,
      'cache-control': 'no-store',
    },
    body: JSON.stringify(result),
  };
}
