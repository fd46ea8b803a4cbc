/** The REST door: finds the row of a request, runs it, answers in JSON. */
import type { GraphQLSchema } from 'graphql';
import { Failure, isFailure } from '../../domain/failures.ts';
import { authenticate } from '../auth/authenticate.ts';
import { RequestRateLimit } from '../auth/requestRateLimit.ts';
import { maskError } from '../graphql/plugins/maskError.ts';
import { createRequestContext, type Log, type RequestContext } from '../graphql/requestContext.ts';
import { type FailureExtensions, failureExtensions } from '../http/failureExtensions.ts';
import {
  type Handler,
  type HttpContext,
  type HttpResponse,
  isJsonType,
  withHeaders,
} from '../http/httpContext.ts';
import { parseJson } from '../http/parseJson.ts';
import { problemResponse, toRestNames } from './bodies/problem.ts';
import { type Route, validateDocuments } from './routes/route.ts';

/** What the door needs. */
export interface RestDeps {
  readonly schema: GraphQLSchema;
  readonly service: RequestContext['service'];
  readonly log: Log;
}

interface RouteMatch {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

/** @throws Error when a document does not fit the schema */
export function restHandler(routes: readonly Route[], { schema, service, log }: RestDeps): Handler {
  validateDocuments(schema, routes);
  const find = createMatcher(routes);
  return async exchange => {
    const found = find(exchange.path);
    if (found.length === 0) return null;
    const match = found.find(({ route }) => route.method === exchange.method);
    if (match === undefined) return methodNotAllowed(exchange, found, service);
    const ration = new RequestRateLimit(service);
    try {
      const viewer = await authenticate(service, exchange.headers, exchange.callerNetwork);
      await ration.consume(viewer, 1);
      const input = await readInput(exchange, match);
      const context = createRequestContext(service, log, {
        viewer,
        requestId: exchange.requestId,
        signal: exchange.signal,
        rateLimit: ration,
      });
      return withHeaders(await match.route.run({ schema, input, context, http: exchange }), ration.headers);
    } catch (error) {
      return withHeaders(errorResponse(error, exchange, { service, log }), ration.headers);
    }
  };
}

/** An error as a problem; a fault of ours is logged and masked. */
export function errorResponse(
  error: unknown,
  exchange: HttpContext,
  { service, log }: Omit<RestDeps, 'schema'>,
): HttpResponse {
  // What this door refuses itself is in the caller's own words already.
  if (isFailure(error))
    return problemResponse(error.message, failureExtensions(error, exchange.requestId, service.now()));
  const told = maskError(error, { requestId: exchange.requestId, log, now: () => service.now() });
  const { detail, facts } = toRestNames(told.message, told.extensions as FailureExtensions);
  return problemResponse(detail, facts);
}

/** @throws Failure UNSUPPORTED_MEDIA_TYPE, BODY_TOO_LARGE, INVALID_JSON, VALIDATION_ERROR */
async function readInput(exchange: HttpContext, { route, params }: RouteMatch): Promise<unknown> {
  if (route.bodyType !== 'json') return { ...Object.fromEntries(exchange.query), ...params };
  if (!isJsonType(exchange.headers['content-type']))
    throw new Failure(
      'UNSUPPORTED_MEDIA_TYPE',
      'Send the body as JSON, with "Content-Type: application/json".',
    );
  return parseJson(await exchange.readText());
}

function methodNotAllowed(
  exchange: HttpContext,
  found: readonly RouteMatch[],
  service: RequestContext['service'],
): HttpResponse {
  const methods = [
    ...new Set(found.flatMap(({ route }) => (route.method === 'GET' ? ['GET', 'HEAD'] : [route.method]))),
  ];
  const failure = new Failure(
    'METHOD_NOT_ALLOWED',
    `${exchange.path} takes ${methods.join(', ')}, not ${exchange.method}.`,
  );
  return problemResponse(failure.message, failureExtensions(failure, exchange.requestId, service.now()), {
    allow: methods.join(', '),
  });
}

/** Rows by path: whole paths by their text, those with a parameter by their pattern. */
function createMatcher(routes: readonly Route[]): (path: string) => readonly RouteMatch[] {
  const whole = new Map<string, RouteMatch[]>();
  const patterns: { route: Route; pattern: RegExp }[] = [];
  for (const route of routes)
    for (const path of [route.path, ...route.aliases]) {
      if (path.includes('{')) {
        const source = path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)');
        patterns.push({ route, pattern: new RegExp(`^${source}$`) });
      } else whole.set(path, [...(whole.get(path) ?? []), { route, params: {} }]);
    }
  return path => {
    const found = whole.get(path);
    if (found !== undefined) return found;
    return patterns.flatMap(({ route, pattern }) => {
      const match = pattern.exec(path);
      return match === null ? [] : [{ route, params: decodeParams(match.groups ?? {}) }];
    });
  };
}

function decodeParams(groups: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(groups).map(([name, text]) => {
      try {
        return [name, decodeURIComponent(text)];
      } catch {
        return [name, text];
      }
    }),
  );
}
