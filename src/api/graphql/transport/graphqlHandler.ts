/** GraphQL over HTTP, and GraphiQL for browsers. */
import { toWellFormedJson } from '../../../domain/pageText.ts';
import { authenticate } from '../../auth/authenticate.ts';
import { RequestRateLimit } from '../../auth/requestRateLimit.ts';
import { webSessionViewer } from '../../auth/webSessionViewer.ts';
import type { FailureExtensions } from '../../http/failureExtensions.ts';
import type { HttpContext } from '../../http/httpContext.ts';
import { failureHeaders, type HttpResponse, withHeaders } from '../../http/httpResponse.ts';
import { assertJsonType } from '../../http/parseJson.ts';
import { endOnKeyExpiry } from './endOnKeyExpiry.ts';
import { errorResult, type GraphqlDeps, type Yoga } from './yoga.ts';

/** The path of GraphQL over HTTP and WebSocket. */
export const GRAPHQL_PATH = '/graphql';

/**
 * Returns the handler of GraphQL over HTTP.
 * @param origin returns the service's own origin, for the cookies of the home page
 */
export function graphqlHandler(
  yoga: Yoga,
  { service, log, turns }: Pick<GraphqlDeps, 'service' | 'log' | 'turns'>,
  origin: () => string,
): (http: HttpContext) => Promise<HttpResponse> {
  return async http => {
    const { method, requestId, signal, record } = http;
    const rateLimit = new RequestRateLimit(service);
    try {
      const webViewer = await webSessionViewer(service, http, origin());
      const viewer = webViewer ?? (await authenticate(service, http));
      await rateLimit.consume(viewer, 1);
      const callerTurns = turns.of(viewer.account.id);
      await callerTurns.next();
      if (method === 'POST') assertJsonType(http);
      const query = http.query.size > 0 ? `?${http.query}` : '';
      const response = await yoga.fetch(
        `http://localhost${GRAPHQL_PATH}${query}`,
        {
          method,
          headers: { ...forwardedHeaders(http), ...(webViewer !== null && { accept: JSON_ONLY }) },
          ...(method === 'POST' && { body: await http.readText() }),
          signal,
        },
        { viewer, requestId, signal, rateLimit, record, turns: callerTurns },
      );
      const result = endOnKeyExpiry(await toHttpResponse(response), end => service.onKeyEnd(viewer, end));
      return withHeaders(result, rateLimit.headers);
    } catch (error) {
      return withHeaders(errorResponse(error, http, { service, log }), rateLimit.headers);
    }
  };
}

/** `Accept` header of requests with a web session. It excludes streams, because a web session can end while one is open. */
const JSON_ONLY = 'application/json';

/** Returns the request headers that Yoga receives: those that GraphQL over HTTP reads, without the API key. */
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
  const isStream = type?.startsWith('text/event-stream') ?? false;
  return { status: response.status, headers, body: isStream ? response.body : await response.text() };
}

/** Returns the response for a failure before GraphQL ran, with the HTTP status of the failure. */
export function errorResponse(
  error: unknown,
  { headers, record }: Pick<HttpContext, 'headers' | 'record'>,
  { service, log }: Pick<GraphqlDeps, 'service' | 'log'>,
): HttpResponse {
  const result = errorResult(error, { record, log, now: () => service.now() });
  const extensions = result.errors[0]?.extensions as FailureExtensions;
  const modern = headers.accept?.includes('application/graphql-response+json') ?? false;
  return {
    status: extensions.status,
    headers: {
      ...failureHeaders(extensions),
      'content-type': `${modern ? 'application/graphql-response+json' : 'application/json'}; charset=utf-8`,
      'cache-control': 'no-store',
    },
    body: toWellFormedJson(result),
  };
}
