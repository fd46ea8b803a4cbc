import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { WebSocket, WebSocketServer } from 'ws';
import { afterMs, race } from '../../async/race.ts';
import { Failure } from '../../domain/failure/failures.ts';
import { normalizeText } from '../../domain/space/pageText.ts';
import { networkAddress } from './httpContext.ts';
import { endConnection } from './httpResponse.ts';
import type { RequestRecord } from './requestRecord.ts';

/** Default of the maximum time from the first byte of a request to the end of its headers, in milliseconds. */
const HEADERS_TIMEOUT_MS = 10_000;
/** Maximum time from the first byte of a request to the end of its body, in milliseconds. It ends endless uploads. */
const REQUEST_TIMEOUT_MS = 3_600_000;
/** Number of times that node:http checks the timeouts of requests within the maximum time for headers. */
const TIMEOUT_CHECKS = 5;
/** Maximum size of the path, the query and the headers of one request together, in bytes. */
export const MAX_HEADERS_BYTES = 16_384;
/** Longer than the 60 s of most proxies, which could else send a request into a connection that closes. Milliseconds. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;

/** Creates a node:http server with the timeouts and header limits of the service. It does not listen yet. */
export const createHttpServer = (headersTimeoutMs = HEADERS_TIMEOUT_MS): Server =>
  createServer({
    headersTimeout: headersTimeoutMs,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: headersTimeoutMs / TIMEOUT_CHECKS,
    maxHeaderSize: MAX_HEADERS_BYTES,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    // node:http would refuse such requests without a body: `hostFailure` refuses them.
    requireHostHeader: false,
    // Some HTTP clients offer `Upgrade: h2c` with every request: handle those like other requests.
    shouldUpgradeCallback: request => request.headers.upgrade?.toLowerCase() === 'websocket',
  });

/** Starts to listen. @param port 0 for any free port @returns the URL and the port that the server listens on */
export async function startListening(
  server: Server,
  host: string,
  port: number,
): Promise<{ url: string; port: number }> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(port, host, resolve);
  await promise;
  server.off('error', reject);
  const { address, family, port: actualPort } = server.address() as AddressInfo;
  return { url: `http://${family === 'IPv6' ? `[${address}]` : address}:${actualPort}`, port: actualPort };
}

/** Accepts no more connections, and resolves when the last one is closed. After `deadlineMs`, closes those that are still open. */
export async function stopListening(server: Server, deadlineMs: number): Promise<void> {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  // A connection with a running request closes after its response, which says `Connection: close`.
  server.close(() => resolve());
  server.closeIdleConnections();
  await race(closed, afterMs(deadlineMs));
  server.closeAllConnections();
  await closed;
}

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly record: RequestRecord;
}

/** Knows the unfinished responses of each connection. What is written to a connection outside of them has to wait for them. */
export class OpenResponses {
  readonly #open = new WeakMap<Duplex, Set<Exchange>>();

  /** Counts a response as unfinished until it is sent or its connection closes. */
  add(exchange: Exchange): void {
    const { request, response } = exchange;
    const open = this.#open.get(request.socket) ?? new Set();
    this.#open.set(request.socket, open.add(exchange));
    response.once('close', () => open.delete(exchange));
  }

  /** Returns the unfinished response to the request on this connection that has not arrived as a whole; null if there is none. */
  partial(socket: Duplex): Exchange | null {
    const last = [...this.#exchanges(socket)].at(-1);
    return last === undefined || last.request.complete ? null : last;
  }

  /** Calls `work` when the connection has no unfinished response except `last`; never if the connection closes before. */
  whenNoneBefore(last: Exchange | null, socket: Duplex, work: () => void): void {
    const next = [...this.#exchanges(socket)].find(exchange => exchange !== last);
    if (next === undefined) work();
    else
      next.response.once('close', () => {
        if (!socket.destroyed) this.whenNoneBefore(last, socket, work);
      });
  }

  #exchanges(socket: Duplex): ReadonlySet<Exchange> {
    return this.#open.get(socket) ?? new Set();
  }
}

export interface ConnectionLimits {
  readonly total: number | null;
  /** Maximum for each IPv4 address or IPv6 /64. */
  readonly perAddress: number | null;
}

export const NO_CONNECTION_LIMITS: ConnectionLimits = { total: null, perAddress: null };

/** Maximum number of connections above the limit that still get a 503; the server closes further ones without a response. */
const MAX_REJECTED_CONNECTIONS = 100;
/** A rejected connection is closed when it is idle for this time, in milliseconds. */
const REJECTED_CONNECTION_TIMEOUT_MS = 5_000;
/** The value of `Retry-After` for a caller whose connection was rejected. */
const RETRY_AFTER_SECONDS = 5;

/** Knows which connections of a server were rejected because of a limit. */
interface ConnectionLimiter {
  /** Returns the failure that every request on this connection gets; null for an accepted connection. */
  rejectionOf(socket: Duplex): Failure | null;
}

/** Requests on connections above a limit get a failure from `rejectionOf`. */
export function limitConnections(http: Server, { total, perAddress }: ConnectionLimits): ConnectionLimiter {
  const rejections = new WeakMap<Duplex, Failure>();
  const openByAddress = new Map<string, number>();
  let open = 0;
  if (total !== null) http.maxConnections = total + MAX_REJECTED_CONNECTIONS;

  http.on('connection', (socket: Socket) => {
    const address = networkAddress(socket.remoteAddress ?? '');
    const openFromAddress = openByAddress.get(address) ?? 0;
    const rejection =
      total !== null && open >= total
        ? tooManyConnections('The service', total)
        : perAddress !== null && openFromAddress >= perAddress
          ? tooManyConnections('Your network address', perAddress)
          : null;
    if (rejection !== null) {
      rejections.set(socket, rejection);
      socket.setTimeout(REJECTED_CONNECTION_TIMEOUT_MS, () => socket.destroy());
      return;
    }
    open += 1;
    openByAddress.set(address, openFromAddress + 1);
    socket.once('close', () => {
      open -= 1;
      const left = (openByAddress.get(address) ?? 1) - 1;
      if (left > 0) openByAddress.set(address, left);
      else openByAddress.delete(address);
    });
  });
  return { rejectionOf: socket => rejections.get(socket) ?? null };
}

const tooManyConnections = (subject: string, max: number): Failure =>
  new Failure(
    'TOO_MANY_CONNECTIONS',
    `${subject} has ${max} connections already, which is the maximum. Send several requests on one connection, or try again later.`,
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );

interface ParserError extends Error {
  readonly code?: string;
  /** A fixed text of the parser: `Invalid method encountered`. */
  readonly reason?: string;
}

/**
 * Answers requests that the parser of node:http refuses, and closes their connections. Responses to earlier requests on the connection are
 * sent before; a response that has begun stands alone.
 * @param refuse writes the response for a failure to a connection, and ends the connection; `partial` is the request whose body is
 * the reason, null if its headers are
 */
export function answerUnreadable(
  server: Server,
  open: OpenResponses,
  refuse: (failure: Failure, socket: Duplex, partial: Exchange | null) => void,
): void {
  const refused = new WeakSet<Duplex>();
  server.on('clientError', (error: ParserError, socket) => {
    // The parser reports each further piece of what it cannot read.
    if (refused.has(socket)) return;
    refused.add(socket);
    const partial = open.partial(socket);
    open.whenNoneBefore(partial, socket, () => {
      if (socket.writable && partial?.response.headersSent !== true)
        refuse(failureOf(error, server, partial !== null), socket, partial);
      else endConnection(socket);
    });
  });
}

/** @param isBody true if the headers of the request have arrived */
function failureOf({ code, reason }: ParserError, server: Server, isBody: boolean): Failure {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Failure(
        'HEADERS_TOO_LARGE',
        `The path, the query and the headers of a request have at most ${MAX_HEADERS_BYTES} bytes together.`,
      );
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new Failure('BODY_TOO_LARGE', 'The extensions of the chunks of the body are too large.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Failure(
        'REQUEST_TIMEOUT',
        isBody
          ? `The request did not arrive within ${server.requestTimeout / 1_000} seconds.`
          : `The headers of the request did not arrive within ${server.headersTimeout / 1_000} seconds.`,
      );
    default:
      return new Failure(
        'INVALID_HTTP',
        `The service cannot read the request${reason === undefined ? '' : `: ${reason}`}.`,
      );
  }
}

/** Returns the failure of a request without one host: a proxy in front may have used another one (RFC 9112, 3.2). Null for none. */
export function hostFailure({ headersDistinct, httpVersion }: IncomingMessage): Failure | null {
  const count = headersDistinct.host?.length ?? 0;
  if (count === 1 || (count === 0 && httpVersion === '1.0')) return null;
  return new Failure(
    'INVALID_HTTP',
    `A request has one Host header; this one has ${count === 0 ? 'none' : count}.`,
  );
}

/** Listens for a moment, so that a start reports a port in use before it starts a browser. @throws Error when it cannot */
export async function checkPort(host: string, port: number): Promise<void> {
  const server = createTcpServer();
  try {
    await once(server.listen(port, host), 'listening');
  } catch (cause) {
    throw listenError(host, port, cause);
  }
  server.close();
  await once(server, 'close');
}

export function listenError(host: string, port: number, cause: unknown): Error {
  return new Error(messageOf(host, port, cause), { cause });
}

function messageOf(host: string, port: number, cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : null;
  if (code === 'EADDRINUSE') return `Port ${port} of ${host} is in use. Set PORT to another port.`;
  const message = cause instanceof Error ? cause.message : String(cause);
  return `The service cannot listen on ${host}, port ${port}: ${message}`;
}

const PING_INTERVAL_MS = 12_000;
/** Maximum wait for a client's response to a close frame; then the socket is terminated. */
const CLOSE_TIMEOUT_MS = 1_000;
/** Maximum length of the reason in a close frame, in bytes (RFC 6455, 5.5). */
const MAX_REASON_BYTES = 123;

/** Terminates the socket if the client does not respond in time. The reason can have the caller's text: it is cut for a close frame. */
export function closeSocket(socket: WebSocket, code: number | undefined, reason: string | undefined): void {
  // Leaves three bytes free: if the cut splits a character, decoding replaces the rest by one of three bytes.
  socket.close(
    code,
    Buffer.from(normalizeText(reason ?? ''))
      .subarray(0, MAX_REASON_BYTES - 3)
      .toString(),
  );
  const cut = setTimeout(() => socket.terminate(), CLOSE_TIMEOUT_MS);
  socket.once('close', () => clearTimeout(cut));
}

/** Closes every socket of a server with 1001, and terminates those that do not respond in time. */
export async function closeSockets(server: WebSocketServer): Promise<void> {
  const open = [...server.clients];
  const ends = open.map(socket => new Promise(resolve => socket.once('close', resolve)));
  for (const socket of open) socket.close(1001, 'Going away');
  const cut = setTimeout(() => open.forEach(socket => void socket.terminate()), CLOSE_TIMEOUT_MS);
  await Promise.all(ends);
  clearTimeout(cut);
  server.close();
}

/** Sends pings at intervals; terminates the socket if the client does not respond. @returns a function that stops the pings */
export function startPings(socket: WebSocket): () => void {
  let hasAnswered = true;
  socket.on('pong', () => {
    hasAnswered = true;
  });
  const timer = setInterval(() => {
    if (!hasAnswered) {
      socket.terminate();
      return;
    }
    hasAnswered = false;
    socket.ping();
  }, PING_INTERVAL_MS);
  return () => clearInterval(timer);
}
