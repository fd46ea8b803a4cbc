/** Creates the HTTP routes for the table of REST routes. */
import type { FairTurns } from '../../async/fairTurns.ts';
import { Failure } from '../../domain/failure/failures.ts';
import type { Pagespace } from '../../service/pagespace.ts';
import { authenticate, RequestRateLimit } from '../auth/authenticate.ts';
import { type HttpContext, readJsonBody } from '../http/httpContext.ts';
import { type HttpResponse, withHeaders } from '../http/httpResponse.ts';
import type { HttpRoute, PathParams } from '../http/httpRoute.ts';
import { recordSessionId } from '../http/requestRecord.ts';
import { type ErrorDeps, errorResponse } from './problem.ts';
import type { RestRoute } from './route.ts';

export interface RestDeps extends ErrorDeps {
  readonly service: Pagespace;
  readonly turns: FairTurns;
}

/**
 * Creates one HTTP route for each path and alias of the table. Each request is authenticated and counts as one request
 * of the account's rate limit.
 */
export function toHttpRoutes(routes: readonly RestRoute[], deps: RestDeps): readonly HttpRoute[] {
  return routes.flatMap(route =>
    [route.path, ...route.aliases].map(path => ({
      method: route.method,
      path,
      handle: (http, params) => handle(route, deps, http, params),
    })),
  );
}

async function handle(
  route: RestRoute,
  { service, log, turns }: RestDeps,
  http: HttpContext,
  params: PathParams,
): Promise<HttpResponse> {
  const { record, signal } = http;
  const rateLimit = new RequestRateLimit(service);
  let input: unknown;
  try {
    const viewer = await authenticate(service, http);
    await rateLimit.consume(viewer, 1);
    const callerTurns = turns.of(viewer.account.id);
    await callerTurns.next();
    input =
      route.bodyType === 'json'
        ? withKeyOfHeader(await readBodyOf(route, http), http.headers['idempotency-key'])
        : { ...Object.fromEntries(http.query), ...params };
    record.sessionId = sessionIdIn(input);
    const context = { service: recordSessionId(service, record), viewer, signal, turns: callerTurns };
    return withHeaders(await route.run({ input, context, http }), rateLimit.headers);
  } catch (error) {
    return withHeaders(
      errorResponse(error, http, { service, log }, route.selectionOf(input)),
      rateLimit.headers,
    );
  }
}

/** Reads the body of a request. One without a body is `{}` where every field may be left out, as for the start of a session. */
const readBodyOf = async ({ request }: RestRoute, http: HttpContext): Promise<unknown> =>
  !hasBody(http.headers) && request.safeParse({}).success ? {} : readJsonBody(http);

const hasBody = ({
  'content-length': length,
  'transfer-encoding': encoding,
}: HttpContext['headers']): boolean => encoding !== undefined || Number(length ?? 0) > 0;

/**
 * Returns the body with the key of the header `Idempotency-Key`, which clients of other services send: ignored, it would let them repeat
 * an operation that they believe is safe to repeat. All routes with a JSON body are operations.
 * @throws Failure VALIDATION_ERROR if the body has another key
 */
function withKeyOfHeader(body: unknown, header: string | readonly string[] | undefined): unknown {
  if (typeof header !== 'string' || typeof body !== 'object' || body === null || Array.isArray(body))
    return body;
  const { idempotency_key: key } = body as { readonly idempotency_key?: unknown };
  if (key === undefined || key === null) return { ...body, idempotency_key: header };
  if (key === header) return body;
  const path = 'idempotency_key';
  const message = 'must be equal to the header Idempotency-Key';
  throw new Failure('VALIDATION_ERROR', `${path} ${message}.`, { errors: [{ path, message }] });
}

function sessionIdIn(input: unknown): string | null {
  const { session_id: id } = (input ?? {}) as { readonly session_id?: unknown };
  return typeof id === 'string' ? id : null;
}
