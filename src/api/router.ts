/** Who answers a request: the handlers in their order. */
import { Failure } from '../domain/failures.ts';
import { walletHandler } from './auth/walletHandler.ts';
import { schema } from './graphql/schema.ts';
import {
  GRAPHQL_PATH,
  errorResponse as graphqlErrorResponse,
  graphqlHandler,
} from './graphql/transport/graphqlHandler.ts';
import type { Yoga } from './graphql/transport/yoga.ts';
import { getHandler } from './http/getRoutes.ts';
import type { Handler, HttpContext, HttpResponse } from './http/httpContext.ts';
import { healthProbes } from './monitoring/healthProbes.ts';
import { createMetrics, type Metrics } from './monitoring/metrics.ts';
import { graphiqlPage } from './pages/graphiqlPage.ts';
import { pageRoutes } from './pages/pageRoutes.ts';
import { errorResponse, restHandler } from './rest/restHandler.ts';
import { restRoutes } from './rest/routes/restRoutes.ts';
import type { ServerOptions } from './serverOptions.ts';

/** What the handlers share with the server around them. */
export interface RouterDeps {
  readonly yoga: Yoga;
  /** How many WebSockets are open. */
  readonly sockets: () => number;
  /** Aborts when the service shuts down. */
  readonly shutdownSignal: AbortSignal;
  /** The address that callers use, known once it listens. */
  readonly origin: () => string;
}

/** Every request's way to its answer. `answer` never rejects. */
export interface Router extends Pick<Metrics, 'startRequest'> {
  handle(exchange: HttpContext): Promise<HttpResponse>;
  /** A failure in the form of the door that was knocked at. */
  failureResponse(error: unknown, exchange: HttpContext): HttpResponse;
}

/** These say themselves that the service shuts down. */
const PROBES = new Set(['/health', '/ready']);

export function createRouter(
  parts: ServerOptions,
  { yoga, sockets, shutdownSignal, origin }: RouterDeps,
): Router {
  const { service, log, version } = parts;
  const metrics = createMetrics({ service, sockets });
  // Where only kept operations are run there is nothing to try.
  const graphiql =
    parts.graphiql === false || parts.persisted?.persistedOnly === true ? null : graphiqlPage();

  const tell = (error: unknown, exchange: HttpContext): HttpResponse =>
    exchange.path === GRAPHQL_PATH
      ? graphqlErrorResponse(error, exchange, parts)
      : errorResponse(error, exchange, parts);

  const shuttingDown: Handler = ({ path }) => {
    if (shutdownSignal.aborted && !PROBES.has(path))
      throw new Failure('SHUTTING_DOWN', 'The service is shutting down.', { retryAfterSeconds: 5 });
    return null;
  };
  const nothing: Handler = ({ path }) => {
    throw new Failure('NOT_FOUND', `There is nothing at ${path.slice(0, 200)}. See /docs.`);
  };
  const read = {
    ...healthProbes({ service, version, shutdownSignal }),
    ...pageRoutes({ version, graphiql: graphiql !== null, origin }),
    ...metrics.routes,
    ...graphiql?.resources,
  };

  const handlers: readonly Handler[] = [
    shuttingDown,
    restHandler(restRoutes, { schema, service, log }),
    ...(graphiql === null ? [] : [graphiql.handler]),
    graphqlHandler(yoga, { service, log }, origin),
    walletHandler(service, origin, tell),
    getHandler(read, tell),
    nothing,
  ];

  return {
    startRequest: metrics.startRequest,
    failureResponse: tell,
    handle: async exchange => {
      try {
        for (const handler of handlers) {
          const answered = await handler(exchange);
          if (answered !== null) return answered;
        }
        throw new Error('No handler answered.');
      } catch (error) {
        return tell(error, exchange);
      }
    },
  };
}
