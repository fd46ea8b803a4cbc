/** The REST door: finds the row of a request, runs it, answers in JSON. */
import type { GraphQLSchema } from 'graphql';
import { Failure, isFailure } from '../../domain/failures.ts';

import { type Answer, type Exchange, type Handler, isJson, withHeaders } from '../exchange.ts';
import { type FailureExtensions, failureExtensions } from '../failureFacts.ts';
import { exposedError } from '../graphql/exposedError.ts';
import { Ration } from '../ration.ts';
import { readJson } from '../readJson.ts';
import { type Log, type RequestContext, requestContext } from '../requestContext.ts';
import { viewerOf } from '../viewer.ts';
import { inRestWords, problem } from './problem.ts';
import { type Route, validateDocuments } from './route.ts';

/** What the door needs. */
export interface RestParts {
  readonly schema: GraphQLSchema;
  readonly service: RequestContext['service'];
  readonly log: Log;
}

interface Found {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

/** @throws Error when a document does not fit the schema */
export function restDoor(routes: readonly Route[], { schema, service, log }: RestParts): Handler {
  validateDocuments(schema, routes);
  const find = finder(routes);
  return async exchange => {
    const found = find(exchange.path);
    if (found.length === 0) return null;
    const match = found.find(({ route }) => route.method === exchange.method);
    if (match === undefined) return methodNotAllowed(exchange, found, service);
    const ration = new Ration(service);
    try {
      const viewer = await viewerOf(service, exchange.headers, exchange.address);
      await ration.take(viewer, 1);
      const input = await inputOf(exchange, match);
      const context = requestContext(service, log, {
        viewer,
        requestId: exchange.requestId,
        signal: exchange.signal,
        ration,
      });
      return withHeaders(await match.route.run({ schema, input, context, exchange }), ration.headers);
    } catch (error) {
      return withHeaders(toldProblem(error, exchange, { service, log }), ration.headers);
    }
  };
}

/** An error as a problem; a fault of ours is logged and masked. */
export function toldProblem(
  error: unknown,
  exchange: Exchange,
  { service, log }: Omit<RestParts, 'schema'>,
): Answer {
  // What this door refuses itself is in the caller's own words already.
  if (isFailure(error))
    return problem(error.message, failureExtensions(error, exchange.requestId, service.now()));
  const told = exposedError(error, { requestId: exchange.requestId, log, now: () => service.now() });
  const { detail, facts } = inRestWords(told.message, told.extensions as FailureExtensions);
  return problem(detail, facts);
}

/** @throws Failure UNSUPPORTED_MEDIA_TYPE, BODY_TOO_LARGE, INVALID_JSON, VALIDATION_ERROR */
async function inputOf(exchange: Exchange, { route, params }: Found): Promise<unknown> {
  if (route.takes !== 'json') return { ...Object.fromEntries(exchange.query), ...params };
  if (!isJson(exchange.headers['content-type']))
    throw new Failure(
      'UNSUPPORTED_MEDIA_TYPE',
      'Send the body as JSON, with "Content-Type: application/json".',
    );
  return readJson(await exchange.text());
}

function methodNotAllowed(
  exchange: Exchange,
  found: readonly Found[],
  service: RequestContext['service'],
): Answer {
  const methods = [
    ...new Set(found.flatMap(({ route }) => (route.method === 'GET' ? ['GET', 'HEAD'] : [route.method]))),
  ];
  const failure = new Failure(
    'METHOD_NOT_ALLOWED',
    `${exchange.path} takes ${methods.join(', ')}, not ${exchange.method}.`,
  );
  return problem(failure.message, failureExtensions(failure, exchange.requestId, service.now()), {
    allow: methods.join(', '),
  });
}

/** Rows by path: whole paths by their text, those with a parameter by their pattern. */
function finder(routes: readonly Route[]): (path: string) => readonly Found[] {
  const whole = new Map<string, Found[]>();
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
      return match === null ? [] : [{ route, params: decoded(match.groups ?? {}) }];
    });
  };
}

function decoded(groups: Readonly<Record<string, string>>): Record<string, string> {
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
