/** The HTTP server: limits, headers, and an orderly end. */
import {
  createServer as createHttpServer,
  type Server as HttpServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { persistedOperations } from './graphql/plugins/persistedOperations.ts';
import { GRAPHQL_PATH } from './graphql/transport/graphqlHandler.ts';
import { graphqlSocket } from './graphql/transport/graphqlSocket.ts';
import { graphqlYoga } from './graphql/transport/yoga.ts';
import { compressResponse } from './http/compressResponse.ts';
import { limitConnections, NO_CONNECTION_LIMITS, RETRY_AFTER_SECONDS } from './http/connectionLimits.ts';
import { createHttpContext } from './http/httpContext.ts';
import { InFlightRequests } from './http/inFlightRequests.ts';
import { sendResponse } from './http/sendResponse.ts';
import { createRouter } from './router.ts';
import type { ServerOptions } from './serverOptions.ts';

export type { ServerOptions } from './serverOptions.ts';

/** A server that listens until it is closed. */
export interface Server {
  /** @param port 0 for any that is free */
  listen(host: string, port: number): Promise<{ url: string; port: number }>;
  /**
   * Refuses new requests (503 SHUTTING_DOWN), lets running ones finish for a while, does `meanwhile` (which may end what
   * they run on), then ends streams and sockets, which have heard of it by then, and stops listening: up to then whoever
   * comes is told when to come again.
   * What still runs at the deadline is cut off. Idempotent.
   */
  close(deadlineMs: number, meanwhile?: () => Promise<void>): Promise<void>;
}

const MAX_BODY_BYTES = 2_000_000;
/** A caller has this long to send its headers, and its whole request, however steadily it comes. Milliseconds. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 3_600_000;
/** Late ones are looked for this often. Milliseconds. */
const TIMEOUT_CHECK_INTERVAL_MS = 2_000;
const MAX_HEADERS_BYTES = 16_384;
/** Running requests have this long to finish by themselves when the service ends. */
const GRACE_PERIOD_MS = 5_000;
/** What subscribers are told last is on its way for so long. */
const FLUSH_DELAY_MS = 200;
/** Longer than the 60 s after which most proxies let go of an idle connection: they, not we, are to end it. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;

/** @throws Error when the persisted operations do not fit the schema */
export function createServer(parts: ServerOptions): Server {
  const {
    log,
    version,
    maxBodyBytes: maxBytes = MAX_BODY_BYTES,
    bodyIdleTimeoutMs,
    responseIdleTimeoutMs,
    trustedProxies = 0,
  } = parts;
  const operations = persistedOperations(parts.persisted ?? {});
  const yoga = graphqlYoga({ ...parts, operations });
  const socket = graphqlSocket(yoga, { ...parts, operations });
  const refusing = new AbortController();
  const ending = new AbortController();
  const running = new InFlightRequests();
  let origin = parts.publicUrl ?? '';
  const {
    handle: answer,
    failureResponse,
    startRequest,
  } = createRouter(parts, {
    yoga,
    sockets: () => socket.size,
    shutdownSignal: refusing.signal,
    origin: () => origin,
  });

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const done = startRequest();
    const exchange = createHttpContext(request, response, {
      maxBytes,
      bodyPauseMs: bodyIdleTimeoutMs,
      trustedProxies,
    });
    const refusal = connections.rejectionOf(request.socket);
    const work = refusal === null ? answer(exchange) : Promise.resolve(failureResponse(refusal, exchange));
    const answered = await compressResponse(await running.track(work), exchange);
    done(exchange, answered.status);
    const { method, path, requestId } = exchange;
    log.debug({ method, path: path.slice(0, 200), status: answered.status, requestId }, 'answered');
    const last = refusal !== null || refusing.signal.aborted ? { connection: 'close' } : {};
    const headers = { 'x-pagespace-version': version, 'x-request-id': requestId, ...last };
    await sendResponse(answered, headers, request, response, ending.signal, responseIdleTimeoutMs);
    // Its connection may have been kept open for a next request; there will be none.
    if (refusing.signal.aborted) setImmediate(() => http.closeIdleConnections());
  };
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    // Proxies before the service may have chosen the other one (RFC 9112, 3.2).
    if ((request.headersDistinct.host?.length ?? 0) > 1) {
      response.writeHead(400, { connection: 'close' }).end();
      return;
    }
    handle(request, response).catch(error => {
      // The answer itself could not be written: nothing is left to say to this caller.
      log.error({ err: error }, 'an answer could not be sent');
      response.destroy();
    });
  };
  const upgrade = (request: IncomingMessage, duplex: Duplex, head: Buffer): void => {
    const path = (request.url ?? '').split('?')[0];
    if (refusing.signal.aborted || connections.rejectionOf(duplex) !== null)
      rejectUpgrade(duplex, '503 Service Unavailable', `Retry-After: ${RETRY_AFTER_SECONDS}\r\n`);
    else if (path !== GRAPHQL_PATH && path !== `/v1${GRAPHQL_PATH}`) rejectUpgrade(duplex, '404 Not Found');
    else socket.upgrade(request, duplex, head);
  };

  const http = createHttpServer({
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: TIMEOUT_CHECK_INTERVAL_MS,
    maxHeaderSize: MAX_HEADERS_BYTES,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    // Some HTTP clients offer `Upgrade: h2c` with every request; that is a request like any other.
    shouldUpgradeCallback: request => request.headers.upgrade?.toLowerCase() === 'websocket',
  });
  const limits = parts.connections ?? NO_CONNECTION_LIMITS;
  // Behind a proxy all callers have its address.
  const connections = limitConnections(http, { ...limits, ...(trustedProxies > 0 && { perAddress: null }) });
  http.on('request', listener).on('checkContinue', listener).on('upgrade', upgrade);

  let closed: Promise<void> | null = null;
  return {
    listen: async (host, port) => {
      const listens = await startListening(http, host, port);
      if (parts.publicUrl === undefined) origin = listens.url;
      return listens;
    },
    close(deadlineMs, meanwhile) {
      refusing.abort();
      closed ??= (async () => {
        const deadline = performance.now() + deadlineMs;
        const cut = setTimeout(() => http.closeAllConnections(), deadlineMs);
        await running.waitUntilIdle(Math.min(GRACE_PERIOD_MS, deadlineMs));
        if (meanwhile !== undefined) {
          await meanwhile();
          await delay(FLUSH_DELAY_MS);
        }
        ending.abort();
        clearTimeout(cut);
        await Promise.all([socket.close(), stopListening(http, Math.max(0, deadline - performance.now()))]);
      })();
      return closed;
    },
  };
}

async function startListening(
  http: HttpServer,
  host: string,
  port: number,
): Promise<{ url: string; port: number }> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  http.once('error', reject);
  http.listen(port, host, resolve);
  await promise;
  http.off('error', reject);
  const address = http.address() as AddressInfo;
  const shown = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return { url: `http://${shown}:${address.port}`, port: address.port };
}

/** Takes no more connections, and resolves when the last is gone: by itself, or cut off at the deadline. */
async function stopListening(http: HttpServer, deadlineMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  // Connections with a running request end with its answer, which says `Connection: close`.
  http.close(() => resolve());
  http.closeIdleConnections();
  const cut = setTimeout(() => http.closeAllConnections(), deadlineMs);
  await promise;
  clearTimeout(cut);
}

function rejectUpgrade(duplex: Duplex, status: string, headers = ''): void {
  // The caller may be gone already; its reset is nobody's fault.
  duplex.on('error', () => duplex.destroy());
  duplex.end(`HTTP/1.1 ${status}\r\n${headers}Connection: close\r\nContent-Length: 0\r\n\r\n`);
}
