import { z } from 'zod';
import type { FairTurns } from '../../async/fairTurns.ts';
import { RequestRateLimit } from '../../domain/account/rateLimit.ts';
import { fieldFailure } from '../../domain/failure/failures.ts';
import { FLAT, type Group, type RequestFields, restName } from '../../operations/field.ts';
import type { Pagespace } from '../../service/pagespace.ts';
import { authenticate } from '../auth/authenticate.ts';
import { type HttpContext, readJsonBody } from '../http/httpContext.ts';
import { type HttpResponse, withHeaders } from '../http/httpResponse.ts';
import type { HttpRoute, PathParams } from '../http/httpRoute.ts';
import { recordSessionId } from '../http/requestRecord.ts';
import { ledgerRoute, vaultRoutes } from './accountRoutes.ts';
import { fileRoutes } from './fileRoutes.ts';
import { operationRoutes } from './operationRoutes.ts';
import { type ErrorDeps, errorResponse } from './problem.ts';
import { profileRoutes } from './profileRoutes.ts';
import { readRoutes, recordRoutes } from './readRoutes.ts';
import type { RestRoute } from './route.ts';

export const restRoutes: readonly RestRoute[] = [
  ...operationRoutes,
  ...readRoutes,
  ...recordRoutes,
  ...fileRoutes,
  ...profileRoutes,
  ...vaultRoutes,
  ledgerRoute,
];

/** Returns the Markdown table of the REST routes: path, GraphQL field, title. */
export const restRouteTable = (routes: readonly RestRoute[]): string =>
  [
    '| REST | GraphQL | What it does |',
    '|---|---|---|',
    ...routes.map(
      route =>
        `| ${restCell(route)} | ${route.graphql === '' ? '' : `\`${route.graphql}\``} | ${route.title} |`,
    ),
  ].join('\n');

function restCell(route: RestRoute): string {
  const { method, path, aliases } = route;
  return [path, ...aliases].map(one => `\`${method} ${one}${queryOf(route)}\``).join(', ');
}

/** Returns the query parameters of a route, such as `?from=&to=`; empty if it has none. */
function queryOf({ bodyType, request, path }: RestRoute): string {
  if (bodyType === 'json' || !(request instanceof z.ZodObject)) return '';
  const names = Object.keys(request.shape).filter(name => !path.includes(`{${name}}`));
  return names.length === 0 ? '' : `?${names.map(name => `${name}=`).join('&')}`;
}

const GROUPS: Readonly<Record<string, string>> = {
  'start, observe, step, scrape, close': 'all',
  'observe, step, scrape': 'page',
};

const camelCase = (name: string): string => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());

/** Returns the Markdown table of the fields of JSON bodies: the paths that take them, the names in REST and, where they differ, in GraphQL. */
export function requestFieldTable(routes: readonly RestRoute[]): string {
  const paths = new Map<string, string[]>();
  const graphqlNames = new Map<string, string>();
  for (const { bodyType, fields, request, path } of routes) {
    if (bodyType !== 'json') continue;
    for (const [name, graphql] of fields === null ? [] : fieldNames(fields, ''))
      graphqlNames.set(name, graphql);
    for (const name of bodyFields(request))
      paths.set(name, [...(paths.get(name) ?? []), path.slice(path.lastIndexOf('/') + 1)]);
  }
  const cell = (name: string): string => {
    const graphql = graphqlNames.get(name);
    return `\`${name}\`${graphql === undefined || graphql === camelCase(name) ? '' : ` (\`${graphql}\`)`}`;
  };
  const groups = Map.groupBy(paths, ([, of]) => {
    const names = [...new Set(of)].join(', ');
    return GROUPS[names] ?? names;
  });
  return [
    '| Of | Fields, with the name in GraphQL if it is not the same in camelCase |',
    '|---|---|',
    ...[...groups].map(([of, members]) => `| ${of} | ${members.map(([name]) => cell(name)).join(', ')} |`),
  ].join('\n');
}

const fieldNames = (fields: RequestFields, group: string): [string, string][] =>
  Object.entries(fields).flatMap(([name, field]) =>
    field.rest === FLAT
      ? fieldNames((field.type as Group).fields, `${name}.`)
      : [[restName(name, field), group + name]],
  );

function bodyFields(request: z.ZodType): string[] {
  const { $defs = {}, ...root } = z.toJSONSchema(request, { io: 'input' });
  return [root, ...Object.values($defs)].flatMap(({ properties }) => Object.keys(properties ?? {}));
}

interface RestDeps extends ErrorDeps {
  readonly service: Pagespace;
  readonly turns: FairTurns;
}

/** Creates one HTTP route for each path and alias. Each request is authenticated and counts against the account's rate limit. */
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
  throw fieldFailure('idempotency_key', 'must be equal to the header Idempotency-Key');
}

function sessionIdIn(input: unknown): string | null {
  const { session_id: id } = (input ?? {}) as { readonly session_id?: unknown };
  return typeof id === 'string' ? id : null;
}
