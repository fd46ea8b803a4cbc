/** The HTTP server: the doors in their order, limits, headers, and an orderly end. */
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { Failure } from '../domain/failures.ts';
import type { Pagespace } from '../service/verbs.ts';
import { type Answer, type Exchange, exchangeOf, type Handler } from './exchange.ts';
import { GRAPHQL_PATH, graphqlDoor, refused } from './graphql/graphqlDoor.ts';
import type { QueryLimits } from './graphql/limits.ts';
import { schema } from './graphql/schema.ts';
import { graphqlSocket } from './graphql/socket.ts';
import { graphqlYoga } from './graphql/yoga.ts';
import { metricsOf } from './metrics.ts';
import { graphiqlPage } from './pages/graphiqlPage.ts';
import { pages } from './pages/pages.ts';
import { probes } from './probes.ts';
import type { Log } from './requestContext.ts';
import { resources } from './resources.ts';
import { restDoor, toldProblem } from './rest/restDoor.ts';
import { routes } from './rest/routes.ts';
import { send } from './send.ts';

/** What the server is made of. */
export interface ServerParts {
  readonly service: Pagespace;
  readonly log: Log;
  /** Stands in `X-Pagespace-Version`, /health and /openapi.json. */
  readonly version: string;
  /** Whether GraphQL's introspection is answered. Default true. */
  readonly introspection?: boolean;
  /** What one GraphQL operation may ask for. Default QUERY_LIMITS. */
  readonly limits?: QueryLimits;
  /** Whether browsers get GraphiQL at /graphql. Default true. */
  readonly graphiql?: boolean;
  /** The largest body that is read, in bytes. Default 2,000,000: a step's value has at most a million characters. */
  readonly maxBodyBytes?: number;
}

/** A server that listens until it is closed. */
export interface Server {
  /** @param port 0 for any that is free */
  listen(host: string, port: number): Promise<{ url: string; port: number }>;
  /**
   * Refuses new requests (503 SHUTTING_DOWN), ends streams and sockets, lets running requests finish.
   * What still runs at the deadline is cut off. Idempotent.
   */
  close(deadlineMs: number): Promise<void>;
}

const MAX_BODY_BYTES = 2_000_000;
/** A caller has this long to send its headers, and its whole request. Milliseconds. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** Longer than the 60 s after which most proxies let go of an idle connection: they, not we, are to end it. */
const KEEP_ALIVE_MS = 65_000;

export function createServer(parts: ServerParts): Server {
  const { service, log, version, maxBodyBytes = MAX_BODY_BYTES } = parts;
  const yoga = graphqlYoga(parts);
  const socket = graphqlSocket(yoga, parts);
  const metrics = metricsOf({ service, sockets: () => socket.size });
  const graphiql = parts.graphiql === false ? null : graphiqlPage();
  const ending = new AbortController();
  const standing = { 'x-pagespace-version': version };

  const tell = (error: unknown, exchange: Exchange): Answer =>
    exchange.path === GRAPHQL_PATH ? refused(error, exchange, parts) : toldProblem(error, exchange, parts);

  const handlers: readonly Handler[] = [
    () => {
      if (ending.signal.aborted)
        throw new Failure('SHUTTING_DOWN', 'The service is shutting down.', { retryAfterSeconds: 5 });
      return null;
    },
    restDoor(routes, { schema, service, log }),
    ...(graphiql === null ? [] : [graphiql.handler]),
    resources(
      {
        ...probes(parts),
        ...pages({ version, graphiql: graphiql !== null }),
        ...metrics.resources,
        ...graphiql?.resources,
      },
      tell,
    ),
    graphqlDoor(yoga, parts),
    exchange => {
      throw new Failure('NOT_FOUND', `There is nothing at ${exchange.path.slice(0, 200)}. See /docs.`);
    },
  ];

  const answer = async (exchange: Exchange): Promise<Answer> => {
    try {
      for (const handler of handlers) {
        const answered = await handler(exchange);
        if (answered !== null) return answered;
      }
      throw new Error('No handler answered.');
    } catch (error) {
      return tell(error, exchange);
    }
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const done = metrics.began();
    const exchange = exchangeOf(request, response, maxBodyBytes);
    const answered = await answer(exchange);
    done(exchange, answered.status);
    const { method, path, requestId } = exchange;
    log.debug({ method, path: path.slice(0, 200), status: answered.status, requestId }, 'answered');
    const headers = { ...standing, 'x-request-id': exchange.requestId };
    await send(answered, headers, request, response, ending.signal);
  };
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    handle(request, response).catch(error => {
      // The answer itself could not be written: nothing is left to say to this caller.
      log.error({ err: error }, 'an answer could not be sent');
      response.destroy();
    });
  };

  const http = createHttpServer({
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    maxHeaderSize: 16_384,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Some HTTP clients offer `Upgrade: h2c` with every request; that is a request like any other.
    shouldUpgradeCallback: request => request.headers.upgrade?.toLowerCase() === 'websocket',
  });
  http.on('request', listener);
  http.on('checkContinue', listener);
  http.on('upgrade', (request: IncomingMessage, duplex: Duplex, head: Buffer) => {
    const path = (request.url ?? '').split('?')[0];
    if (ending.signal.aborted) return refuseUpgrade(duplex, '503 Service Unavailable');
    if (path !== GRAPHQL_PATH && path !== `/v1${GRAPHQL_PATH}`) return refuseUpgrade(duplex, '404 Not Found');
    socket.upgrade(request, duplex, head);
  });

  let closed: Promise<void> | null = null;
  const close = async (deadlineMs: number): Promise<void> => {
    ending.abort();
    const { promise, resolve } = Promise.withResolvers<void>();
    http.close(() => resolve());
    http.closeIdleConnections();
    await socket.close();
    const cut = setTimeout(() => http.closeAllConnections(), deadlineMs);
    // A connection that was busy becomes idle when its request is answered.
    const idle = setInterval(() => http.closeIdleConnections(), 50);
    await promise;
    clearInterval(idle);
    clearTimeout(cut);
  };

  return {
    listen: async (host, port) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      http.once('error', reject);
      http.listen(port, host, resolve);
      await promise;
      http.off('error', reject);
      const address = http.address() as AddressInfo;
      const shown = address.family === 'IPv6' ? `[${address.address}]` : address.address;
      return { url: `http://${shown}:${address.port}`, port: address.port };
    },
    close: deadlineMs => {
      closed ??= close(deadlineMs);
      return closed;
    },
  };
}

function refuseUpgrade(duplex: Duplex, status: string): void {
  // The caller may be gone already; its reset is nobody's fault.
  duplex.on('error', () => duplex.destroy());
  duplex.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
