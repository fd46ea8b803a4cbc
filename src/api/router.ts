import { Registry } from 'prom-client';
import type { FairTurns } from '../async/fairTurns.ts';
import { Failure } from '../domain/failure/failures.ts';
import { cutText } from '../domain/space/pageText.ts';
import type { Pagespace } from '../service/pagespace.ts';
import type { OauthOptions } from './auth/oauthTokens.ts';
import { walletRoutes } from './auth/webSession.ts';
import type { PersistedOperationsOptions } from './graphql/plugins/persistedOperations.ts';
import type { QueryLimits } from './graphql/plugins/queryLimits.ts';
import type { Log } from './graphql/requestContext.ts';
import {
  GRAPHQL_PATH,
  errorResponse as graphqlErrorResponse,
  graphqlHandler,
} from './graphql/transport/graphqlHandler.ts';
import type { Yoga } from './graphql/transport/yoga.ts';
import type { HttpContext } from './http/httpContext.ts';
import { type HttpResponse, withHeaders } from './http/httpResponse.ts';
import { allowedMethods, createPathMatcher, getRoute } from './http/httpRoute.ts';
import type { ConnectionLimits } from './http/httpServer.ts';
import { mcpRoutes } from './mcp/mcpRoutes.ts';
import { createMetrics, healthProbes, type Metrics, tracedRequest } from './monitoring/metrics.ts';
import { dashboardRoutes, type SignInByLink } from './pages/dashboardPage.ts';
import { graphiqlPage } from './pages/graphiqlPage.ts';
import { publicRoutes } from './pages/publicRoutes.ts';
import { linkRoute } from './rest/fileRoutes.ts';
import { errorResponse as restErrorResponse } from './rest/problem.ts';
import { restRoutes, toHttpRoutes } from './rest/restRouteTable.ts';

export interface ServerOptions {
  readonly service: Pagespace;
  readonly log: Log;
  readonly version: string;
  /** The registry of the metrics. Default: one of the server's own, without the metrics of the operations. */
  readonly metrics?: Registry;
  /** A bearer token that may read /metrics. Default: none. */
  readonly metricsToken?: string;
  /** True to answer GraphQL introspection. Default true. */
  readonly introspection?: boolean;
  /** Limits on the size of one GraphQL operation. Default: `QUERY_LIMITS`. */
  readonly limits?: QueryLimits;
  /** GraphQL operations that callers can run by id. Default: the service's own; other operations run too. */
  readonly persisted?: PersistedOperationsOptions;
  /** True to serve GraphiQL to browsers at /graphql. Default true. */
  readonly graphiql?: boolean;
  /** Maximum size of a text body in bytes, compressed and decompressed. Default 2,000,000. */
  readonly maxBodyBytes?: number;
  /** Maximum time from the first byte of a request to the end of its headers, in milliseconds; then 408. Default 10,000. */
  readonly headersTimeoutMs?: number;
  /** Maximum time without a byte of a body, in milliseconds; then the body is refused. Default 30,000. */
  readonly bodyIdleTimeoutMs?: number;
  /** Maximum time in which the caller reads nothing of its response, in milliseconds. Default 60,000. */
  readonly responseIdleTimeoutMs?: number;
  /** The number of proxies in front of the service that write X-Forwarded-For. Default 0. */
  readonly trustedProxies?: number;
  /** Exact origins whose pages may call the service: `https://dashboard.example`. Default: none. */
  readonly allowedOrigins?: readonly string[];
  /** Maximum number of open connections. Default: no limits. With `trustedProxies` above 0, `perAddress` is ignored. */
  readonly connections?: ConnectionLimits;
  /** The issuer of OAuth access tokens that /mcp accepts besides API keys. Default: none. */
  readonly oauth?: OauthOptions;
  /** The address of the practice shop, which the examples of the pages open. Default: none; they open https://example.com/. */
  readonly practiceShopUrl?: string;
  /** Exchanges the token of the one-time link to the dashboard for an API key. Default: there is no such link. */
  readonly signInByLink?: SignInByLink;
  /** The origin that callers use, without a slash at its end. Default: the address that the server listens on. */
  readonly publicUrl?: string;
}

/** The page of the examples on a service without the practice shop. */
const EXAMPLE_URL = 'https://example.com/';

export interface RouterDeps {
  readonly yoga: Yoga;
  readonly turns: FairTurns;
  readonly sockets: () => number;
  readonly shutdownSignal: AbortSignal;
  /** The origin that callers use: `https://pagespace.example`. It is known only when the server listens. */
  readonly origin: () => string;
}

export interface Router extends Pick<Metrics, 'countRequest'> {
  /** Runs the handler of the request's route. Never rejects: errors become responses. */
  handle(http: HttpContext): Promise<HttpResponse>;
  /** Returns the response for an error: a GraphQL error at /graphql, problem details (RFC 9457) on every other path. */
  errorResponse(error: unknown, http: HttpContext): HttpResponse;
}

/** Returns the sentence that names the REST path with the same last part: `/env/observe` for `/observe`; empty without one. */
function nearPath(path: string): string {
  const last = path.split('/').filter(Boolean).at(-1);
  const near = restRoutes.find(route => last !== undefined && route.path.endsWith(`/${last}`));
  return near === undefined ? '' : ` Did you mean ${near.method} ${near.path}?`;
}

export function createRouter(
  options: ServerOptions,
  { yoga, turns, sockets, shutdownSignal, origin }: RouterDeps,
): Router {
  const { service, log, version } = options;
  const metrics = createMetrics({
    service,
    sockets,
    registry: options.metrics ?? new Registry(),
    token: options.metricsToken ?? null,
  });
  // GraphiQL sends query texts. A server that runs only persisted operations refuses those.
  const hasGraphiql = options.graphiql !== false && options.persisted?.persistedOnly !== true;
  const graphiql = hasGraphiql ? graphiqlPage() : null;
  const graphql = graphqlHandler(yoga, { service, log, turns }, origin);

  const match = createPathMatcher([
    ...toHttpRoutes(restRoutes, { service, log, turns }),
    { method: 'POST', path: GRAPHQL_PATH, handle: graphql },
    getRoute(GRAPHQL_PATH, http => graphiql?.page(http) ?? graphql(http)),
    ...(graphiql === null ? [] : [graphiql.script]),
    linkRoute(service),
    ...mcpRoutes({ service, log, turns, version, origin, oauth: options.oauth }),
    ...walletRoutes(service, origin),
    ...healthProbes({ service, version, shutdownSignal }),
    ...publicRoutes({ version, hasGraphiql, origin, exampleUrl: options.practiceShopUrl ?? EXAMPLE_URL }),
    ...dashboardRoutes({
      version,
      practiceShopUrl: options.practiceShopUrl ?? null,
      signInByLink: options.signInByLink ?? null,
      countRefused: network => service.countRefusedKey(network),
      openShareLink: secret => service.openShareLink(secret),
    }),
    metrics.route,
  ]);

  const errorResponse = (error: unknown, http: HttpContext): HttpResponse =>
    http.path === GRAPHQL_PATH
      ? graphqlErrorResponse(error, http, options)
      : restErrorResponse(error, http, options);

  const dispatch = (http: HttpContext): HttpResponse | Promise<HttpResponse> => {
    const { method, path, record } = http;
    const matched = match(path);
    const route = matched?.routes.find(one => one.method === method);
    record.route = matched?.path ?? null;
    if (route !== undefined) record.operation = `${method} ${route.path}`;
    if (shutdownSignal.aborted && route?.duringShutdown !== true)
      throw new Failure('SHUTTING_DOWN', 'The service is shutting down.', { retryAfterSeconds: 5 });
    if (matched === null)
      throw new Failure(
        'NOT_FOUND',
        `The path ${cutText(path, 200)} does not exist.${nearPath(path)} See /docs.`,
      );
    if (route !== undefined) return route.handle(http, matched.params);
    const allow = allowedMethods(matched.routes);
    const failure = new Failure('METHOD_NOT_ALLOWED', `${path} takes ${allow}, not ${method}.`);
    return withHeaders(errorResponse(failure, http), { allow });
  };

  return {
    countRequest: metrics.countRequest,
    errorResponse,
    handle: http =>
      tracedRequest(http, async () => {
        try {
          return await dispatch(http);
        } catch (error) {
          return errorResponse(error, http);
        }
      }),
  };
}
