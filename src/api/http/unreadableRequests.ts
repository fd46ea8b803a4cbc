/** Requests that no handler can receive, because they are not valid HTTP, are too large or do not arrive in time. */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { Failure } from '../../domain/failure/failures.ts';
import type { Exchange, OpenResponses } from './connectionLimits.ts';
import { MAX_HEADERS_BYTES } from './httpServer.ts';
import { endConnection } from './rawResponse.ts';

/** An error of the parser of node:http, or of the connection. */
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

/**
 * Returns the failure of a request that names no host, or several: a proxy in front of the service may have used another one (RFC 9112, 3.2).
 * Null for a request that names one host.
 */
export function hostFailure({ headersDistinct, httpVersion }: IncomingMessage): Failure | null {
  const count = headersDistinct.host?.length ?? 0;
  if (count === 1 || (count === 0 && httpVersion === '1.0')) return null;
  return new Failure(
    'INVALID_HTTP',
    `A request has one Host header; this one has ${count === 0 ? 'none' : count}.`,
  );
}
