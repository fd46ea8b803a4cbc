import { RequestRateLimit } from '../../../domain/account/rateLimit.ts';
import { Failure } from '../../../domain/failure/failures.ts';
import { toWellFormedJson } from '../../../domain/space/pageText.ts';
import { assertLinkAllows, authenticate } from '../../auth/authenticate.ts';
import { webSessionViewer } from '../../auth/webSession.ts';
import { assertJsonType, type HttpContext, parseJson } from '../../http/httpContext.ts';
import { failureHeaders, type HttpResponse, withHeaders } from '../../http/httpResponse.ts';
import type { FailureExtensions } from '../plugins/maskError.ts';
import { errorResult, type GraphqlDeps, type Yoga } from './yoga.ts';

/**
 * Returns the response; if its body is a stream, with a stream that closes when the API key is revoked or expires. The caller
 * gets the reason when it reconnects.
 * @param onKeyEnd registers `end` to be called when the key ends; returns a function that removes it
 */
export function endOnKeyExpiry(
  response: HttpResponse,
  onKeyEnd: (end: () => void) => () => void,
): HttpResponse {
  const { body } = response;
  if (body === null || typeof body === 'string' || body instanceof Uint8Array) return response;
  // Not `instanceof ReadableStream`: Yoga's streams are instances of another class.
  return { ...response, body: cutOnKeyExpiry(body, onKeyEnd) };
}

function cutOnKeyExpiry(
  stream: ReadableStream<Uint8Array>,
  onKeyEnd: (end: () => void) => () => void,
): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  let isClosed = false;
  let release = (): void => {};
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        release = onKeyEnd(() => {
          if (isClosed) return;
          isClosed = true;
          // Close it here: a pending read of Yoga's stream may not end when the stream is cancelled.
          controller.close();
          reader.cancel().catch(() => undefined);
        });
      },
      async pull(controller) {
        const { done, value } = await reader.read();
        if (isClosed) return;
        if (!done) return controller.enqueue(value);
        isClosed = true;
        release();
        controller.close();
      },
      async cancel(reason) {
        isClosed = true;
        release();
        await reader.cancel(reason);
      },
    },
    // Read nothing before the caller requests it.
    { highWaterMark: 0 },
  );
}

export const GRAPHQL_PATH = '/graphql';

/** Returns the handler of GraphQL over HTTP. */
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
      const viewer = webViewer ?? (await authenticate(service, http, true));
      await rateLimit.consume(viewer, 1);
      const callerTurns = turns.of(viewer.account.id);
      await callerTurns.next();
      if (method === 'POST') assertJsonType(http);
      const query = http.query.size > 0 ? `?${http.query}` : '';
      const body = method === 'POST' ? { body: await http.readText() } : {};
      // An operation in the address is not looked at.
      if (viewer.link !== undefined)
        assertLinkAllows(viewer, query === '' && body.body !== undefined ? parseJson(body.body) : null);
      const run = async (accept: string) =>
        yoga.fetch(
          `http://localhost${GRAPHQL_PATH}${query}`,
          { method, headers: { ...contentType(http), accept }, ...body, signal },
          { viewer, requestId, signal, rateLimit, record, turns: callerTurns },
        );
      const accepted = await run(webViewer === null ? (http.headers.accept ?? JSON_ONLY) : JSON_ONLY);
      // Yoga refuses to answer a caller who accepts none of its types; JSON is of more use to it (RFC 9110, 12.4.1).
      const response = accepted.status === NOT_ACCEPTABLE ? await run(JSON_ONLY) : accepted;
      if (response.status === NOT_ACCEPTABLE) {
        const refusal = errorResponse(new Failure('VALIDATION_ERROR', NEEDS_STREAM), http, { service, log });
        return withHeaders({ ...refusal, status: NOT_ACCEPTABLE }, rateLimit.headers);
      }
      const result = endOnKeyExpiry(await toHttpResponse(response), end => service.onKeyEnd(viewer, end));
      return withHeaders(result, rateLimit.headers);
    } catch (error) {
      return withHeaders(errorResponse(error, http, { service, log }), rateLimit.headers);
    }
  };
}

/** `Accept` header of requests with a web session. It excludes streams, because a web session can end while one is open. */
const JSON_ONLY = 'application/json';

const NOT_ACCEPTABLE = 406;

const NEEDS_STREAM =
  'A subscription is a stream: send "Accept: text/event-stream" with an API key, or use a WebSocket.';

const contentType = ({ headers }: HttpContext): Record<string, string> =>
  headers['content-type'] === undefined ? {} : { 'content-type': headers['content-type'] };

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
