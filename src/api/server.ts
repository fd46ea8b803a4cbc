import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { FairTurns } from '../async/fairTurns.ts';
import { afterMs, race } from '../async/race.ts';
import { Failure } from '../domain/failure/failures.ts';
import { cutText } from '../domain/space/pageText.ts';
import { persistedOperations } from './graphql/plugins/persistedOperations.ts';
import { GRAPHQL_PATH } from './graphql/transport/graphqlHandler.ts';
import { graphqlSocket } from './graphql/transport/graphqlSocket.ts';
import { graphqlYoga } from './graphql/transport/yoga.ts';
import { createHttpContext, type HttpContext, requestIdOf } from './http/httpContext.ts';
import {
  compressResponse,
  crossOriginHeaders,
  endWithResponse,
  isForeignOrigin,
  preflightResponse,
  sendResponse,
} from './http/httpResponse.ts';
import {
  answerUnreadable,
  createHttpServer,
  type Exchange,
  hostFailure,
  limitConnections,
  NO_CONNECTION_LIMITS,
  OpenResponses,
  startListening,
  stopListening,
} from './http/httpServer.ts';
import { logRequest, MAX_LOGGED_PATH_CHARACTERS, RequestRecord } from './http/requestRecord.ts';
import { type Metrics, MONITORING_PATHS } from './monitoring/metrics.ts';
import { frameSocket } from './rest/frameSocket.ts';
import { errorResponse } from './rest/problem.ts';
import { createRouter, type ServerOptions } from './router.ts';

/** Tracks the running requests, for the shutdown. One with a stream as its response counts until the stream starts. */
class InFlightRequests {
  readonly #requests = new Set<Promise<unknown>>();

  /** Counts `work` as a running request until it settles. Returns `work`. */
  track<T>(work: Promise<T>): Promise<T> {
    this.#requests.add(work);
    const done = () => this.#requests.delete(work);
    work.then(done, done);
    return work;
  }

  /** Resolves when the requests that run now have settled, or after `ms` milliseconds. */
  async waitUntilIdle(ms: number): Promise<void> {
    await race(Promise.allSettled(this.#requests), afterMs(ms));
  }
}

/** Refuses requests: each function sends problem details (RFC 9457) for a failure and ends the connection. */
interface ConnectionRefusals {
  /** Refuses a WebSocket, counts and logs the request. */
  upgrade(failure: Failure, socket: Duplex, request: IncomingMessage): void;
  /** Refuses what the HTTP parser could not read. @param partial the request whose body it is; null if it has no headers */
  unreadable(failure: Failure, socket: Duplex, partial: Exchange | null): void;
}

/** Creates the functions that refuse requests. @param countRequest counts a request for the metrics */
function connectionRefusals(
  options: Pick<ServerOptions, 'service' | 'log' | 'version'>,
  countRequest: Metrics['countRequest'],
): ConnectionRefusals {
  const refuse = (failure: Failure, socket: Duplex, record: RequestRecord): void => {
    const result = errorResponse(failure, { record }, options);
    const headers = { 'x-pagespace-version': options.version, 'x-request-id': record.requestId };
    endWithResponse(socket, result, headers);
  };
  const refuseAndLog = (failure: Failure, socket: Duplex, request: IncomingMessage | null): void => {
    const record = new RequestRecord(requestIdOf(request ?? { headers: {} }));
    refuse(failure, socket, record);
    const { status } = failure.definition;
    countRequest(record, status);
    const path = request?.url?.split('?')[0]?.slice(0, MAX_LOGGED_PATH_CHARACTERS) ?? null;
    logRequest(options.log, record, failure.code, { method: request?.method ?? null, path, status });
  };
  return {
    upgrade: refuseAndLog,
    unreadable: (failure, socket, partial) => {
      if (partial !== null) {
        // The handler of the request counts and logs it.
        partial.record.refusal = failure;
        refuse(failure, socket, partial.record);
      } else if ((socket as Socket).bytesRead > 0) refuseAndLog(failure, socket, null);
      // Browsers open connections in advance: there is no request to count or to log.
      else refuse(failure, socket, new RequestRecord(crypto.randomUUID()));
    },
  };
}

export interface Server {
  /** Starts to accept connections. @param port 0 for any free port @returns the URL and the port that it listens on */
  listen(host: string, port: number): Promise<{ url: string; port: number }>;
  /**
   * Shuts down in this order: refuses new requests with 503 SHUTTING_DOWN; waits up to 5 seconds for running requests;
   * runs `meanwhile`, which may end the sessions; ends event streams and WebSockets; stops listening. Closes
   * connections that are still open at the deadline. Idempotent.
   * @param deadlineMs time until the deadline, in milliseconds
   */
  close(deadlineMs: number, meanwhile?: () => Promise<void>): Promise<void>;
}

const MAX_BODY_BYTES = 2_000_000;
/** Maximum wait for running requests during shutdown, in milliseconds. */
const GRACE_PERIOD_MS = 5_000;
/** Time for the last messages of subscriptions to be sent before shutdown ends them, in milliseconds. */
const FLUSH_DELAY_MS = 200;

/** The server does not listen yet. @throws Error when a persisted operation is not valid against the schema */
export function createServer(options: ServerOptions): Server {
  const { log, version, trustedProxies = 0 } = options;
  const allowedOrigins = new Set(options.allowedOrigins ?? []);
  const { maxBodyBytes = MAX_BODY_BYTES, bodyIdleTimeoutMs, responseIdleTimeoutMs } = options;
  const operations = persistedOperations(options.persisted ?? {});
  const turns = new FairTurns();
  const yoga = graphqlYoga({ ...options, operations, turns });
  const socket = graphqlSocket(yoga, { ...options, operations, turns }, trustedProxies);
  const frames = frameSocket(options, trustedProxies);
  const shutdown = new AbortController();
  const streamsEnd = new AbortController();
  const inFlight = new InFlightRequests();
  const openResponses = new OpenResponses();
  let origin = options.publicUrl ?? '';
  const router = createRouter(options, {
    yoga,
    turns,
    sockets: () => socket.size,
    shutdownSignal: shutdown.signal,
    origin: () => origin,
  });
  const refuse = connectionRefusals(options, router.countRequest);
  const server = createHttpServer(options.headersTimeoutMs);
  const limits = options.connections ?? NO_CONNECTION_LIMITS;
  // Behind a proxy every connection has the proxy's address, so a limit per address would limit all callers together.
  const connections = limitConnections(server, {
    ...limits,
    ...(trustedProxies > 0 && { perAddress: null }),
  });

  const handle = async (
    http: HttpContext,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> => {
    const rejection = connections.rejectionOf(request.socket) ?? hostFailure(request);
    const preflight = http.isAllowedOrigin ? preflightResponse(request.method, request.headers) : null;
    const work =
      rejection === null
        ? (preflight ?? router.handle(http))
        : Promise.resolve(router.errorResponse(rejection, http));
    const result = await compressResponse(await inFlight.track(Promise.resolve(work)), http);
    router.countRequest(http.record, result.status);
    const isLast = rejection !== null || shutdown.signal.aborted;
    const headers = {
      'x-pagespace-version': version,
      'x-request-id': http.requestId,
      ...(http.isAllowedOrigin && crossOriginHeaders(request.headers)),
      ...(isLast && { connection: 'close' }),
    };
    await sendResponse(result, headers, request, response, streamsEnd.signal, responseIdleTimeoutMs);
    // During shutdown, a connection that was kept open gets no further request.
    if (shutdown.signal.aborted) setImmediate(() => server.closeIdleConnections());
  };
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    const http = createHttpContext(request, response, {
      maxBodyBytes,
      bodyIdleTimeoutMs,
      trustedProxies,
      allowedOrigins,
    });
    openResponses.add({ request, response, record: http.record });
    response.once('close', () => logResponse(log, http, request, response));
    handle(http, request, response).catch(error => {
      log.error({ err: error, requestId: http.requestId }, 'the response could not be sent');
      response.destroy();
    });
  };
  const upgradeFailure = (request: IncomingMessage): Failure | null => {
    if (shutdown.signal.aborted)
      return new Failure('SHUTTING_DOWN', 'The service is shutting down.', { retryAfterSeconds: 5 });
    const path = (request.url ?? '').split('?')[0];
    const isServed = path === GRAPHQL_PATH || path === `/v1${GRAPHQL_PATH}` || frames.serves(path ?? '');
    return (
      connections.rejectionOf(request.socket) ??
      hostFailure(request) ??
      (isServed
        ? null
        : new Failure(
            'NOT_FOUND',
            `WebSockets are at ${GRAPHQL_PATH} and /session/{session_id}/frames only.`,
          )) ??
      (isForeignOrigin(request.headers, origin, allowedOrigins) ? foreignOrigin(request) : null)
    );
  };
  const onUpgrade = (request: IncomingMessage, duplex: Duplex, head: Buffer): void => {
    // node:http listens no more. The caller may disconnect; its reset is not an error of the service.
    duplex.on('error', () => duplex.destroy());
    openResponses.whenNoneBefore(null, duplex, () => {
      const failure = upgradeFailure(request);
      const isFrames = frames.serves((request.url ?? '').split('?')[0] ?? '');
      if (failure === null) (isFrames ? frames : socket).upgrade(request, duplex, head);
      else refuse.upgrade(failure, duplex, request);
    });
  };
  server.on('request', onRequest).on('checkContinue', onRequest).on('checkExpectation', onRequest);
  server.on('upgrade', onUpgrade);
  answerUnreadable(server, openResponses, refuse.unreadable);

  const shutDown = async (deadlineMs: number, meanwhile?: () => Promise<void>): Promise<void> => {
    const deadline = performance.now() + deadlineMs;
    const cut = setTimeout(() => server.closeAllConnections(), deadlineMs);
    await inFlight.waitUntilIdle(Math.min(GRACE_PERIOD_MS, deadlineMs));
    if (meanwhile !== undefined) {
      await meanwhile();
      await delay(FLUSH_DELAY_MS);
    }
    streamsEnd.abort();
    clearTimeout(cut);
    await Promise.all([
      socket.close(),
      frames.close(),
      stopListening(server, Math.max(0, deadline - performance.now())),
    ]);
  };

  let closed: Promise<void> | null = null;
  return {
    listen: async (host, port) => {
      const listening = await startListening(server, host, port);
      if (options.publicUrl === undefined) origin = listening.url;
      return listening;
    },
    close(deadlineMs, meanwhile) {
      shutdown.abort();
      closed ??= shutDown(deadlineMs, meanwhile);
      return closed;
    },
  };
}

const foreignOrigin = ({ headers }: IncomingMessage): Failure =>
  new Failure(
    'ORIGIN_REFUSED',
    `Pages of ${cutText(headers.origin ?? '', 100)} may not use this service. Its operator can allow them: PAGESPACE_ALLOWED_ORIGINS.`,
  );

function logResponse(
  log: ServerOptions['log'],
  { record, path }: HttpContext,
  { method }: IncomingMessage,
  { statusCode, writableFinished }: ServerResponse,
): void {
  const { refusal, failureCode } = record;
  const status = refusal?.definition.status ?? statusCode;
  const success = status < 400 ? 'ok' : `HTTP_${status}`;
  const outcome = refusal?.code ?? (writableFinished ? (failureCode ?? success) : 'aborted');
  const transport = { method, path: loggedPath(path), status };
  const isQuiet = outcome === 'ok' && MONITORING_PATHS.has(path);
  logRequest(log, record, outcome, transport, isQuiet ? 'debug' : 'info');
}

/** Returns the path as the log has it: without the token of a signed address, which is a secret for as long as it is valid. */
const loggedPath = (path: string): string =>
  path.replace(/(\/files\/).+/, '$1…').slice(0, MAX_LOGGED_PATH_CHARACTERS);
