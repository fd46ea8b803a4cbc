/** The GraphQL door over HTTP, and GraphiQL for browsers. */
import { Failure } from '../../../domain/failures.ts';
import { authenticate } from '../../auth/authenticate.ts';
import { RequestRateLimit } from '../../auth/requestRateLimit.ts';
import { webSessionViewer } from '../../auth/webSessionViewer.ts';
import type { FailureExtensions } from '../../http/failureExtensions.ts';
import {
  failureHeaders,
  type Handler,
  type HttpContext,
  type HttpResponse,
  isJsonType,
  withHeaders,
} from '../../http/httpContext.ts';
import { endOnKeyExpiry } from './endOnKeyExpiry.ts';
import { errorResult, type GraphqlDeps, type Yoga } from './yoga.ts';

/** Where GraphQL is, on HTTP and on WebSocket. */
export const GRAPHQL_PATH = '/graphql';

/**
 * Answers what comes to /graphql, all but WebSockets and GraphiQL's page.
 * @param origin the service's own, for the cookies of its page
 */
export function graphqlHandler(
  yoga: Yoga,
  { service, log }: Pick<GraphqlDeps, 'service' | 'log'>,
  origin: () => string,
): Handler {
  return async exchange => {
    if (exchange.path !== GRAPHQL_PATH) return null;
    const ration = new RequestRateLimit(service);
    try {
      if (exchange.method !== 'GET' && exchange.method !== 'POST')
        throw new Failure(
          'METHOD_NOT_ALLOWED',
          `${GRAPHQL_PATH} takes GET, HEAD and POST, not ${exchange.method}.`,
        );
      const visitor = await webSessionViewer(service, exchange, origin());
      const viewer = visitor ?? (await authenticate(service, exchange.headers, exchange.callerNetwork));
      await ration.consume(viewer, 1);
      if (exchange.method === 'POST' && !isJsonType(exchange.headers['content-type']))
        throw new Failure(
          'UNSUPPORTED_MEDIA_TYPE',
          'Send the body as JSON, with "Content-Type: application/json".',
        );
      const query = exchange.query.size > 0 ? `?${exchange.query}` : '';
      const response = await yoga.fetch(
        `http://localhost${GRAPHQL_PATH}${query}`,
        {
          method: exchange.method,
          headers: { ...forwardedHeaders(exchange), ...(visitor !== null && { accept: JSON_ONLY }) },
          ...(exchange.method === 'POST' && { body: await exchange.readText() }),
          signal: exchange.signal,
        },
        { viewer, requestId: exchange.requestId, signal: exchange.signal, rateLimit: ration },
      );
      const answer = endOnKeyExpiry(await toHttpResponse(response), tell => service.onKeyEnd(viewer, tell));
      return withHeaders(answer, ration.headers);
    } catch (error) {
      return withHeaders(errorResponse(error, exchange, { service, log }), ration.headers);
    }
  };
}

/** A visit may end while a stream goes on: whoever visits gets none, whatever they accept. */
const JSON_ONLY = 'application/json';

/** Only what GraphQL over HTTP reads; the key stays outside. */
const forwardedHeaders = ({ headers }: HttpContext): Record<string, string> => ({
  accept: headers.accept ?? 'application/json',
  ...(headers['content-type'] !== undefined && { 'content-type': headers['content-type'] }),
});

async function toHttpResponse(response: Response): Promise<HttpResponse> {
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
export function errorResponse(
  error: unknown,
  exchange: HttpContext,
  { service, log }: Pick<GraphqlDeps, 'service' | 'log'>,
): HttpResponse {
  const result = errorResult(error, { requestId: exchange.requestId, log, now: () => service.now() });
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
