/** WebSockets at /graphql: upgrade, pings, orderly close. */

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { CloseCode, handleProtocols, MessageType, makeServer } from 'graphql-ws';
import { type WebSocket, WebSocketServer } from 'ws';
import { wellFormedJson } from '../../../domain/space/pageText.ts';
import { callerAddress, jsonSizeError, replaceHalfCharacters } from '../../http/httpContext.ts';
import { closeSocket, closeSockets, startPings } from '../../http/webSockets.ts';
import { type SocketExtra, socketProtocol, TOO_MANY_REQUESTS } from './socketProtocol.ts';
import type { GraphqlDeps, Yoga } from './yoga.ts';

/** Close code of graphql-ws: Bad Request. */
const BAD_REQUEST = 4400;

const CLIENT_TYPES: ReadonlySet<unknown> = new Set([
  MessageType.ConnectionInit,
  MessageType.Ping,
  MessageType.Pong,
  MessageType.Subscribe,
  MessageType.Complete,
]);

/**
 * Returns true if the text is a message whose type the protocol lets a client send. graphql-ws checks the fields of these types, but
 * throws for the types that only a server sends, and repeats the payload of a ping, however deeply it is nested.
 * https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md
 */
function isClientMessage(text: string): boolean {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return false;
  }
  if (typeof message !== 'object' || message === null) return false;
  const { type } = message as { readonly type?: unknown };
  // The variables of an operation that are nested too deeply, or too many, are an error of that operation only.
  return CLIENT_TYPES.has(type) && (type === MessageType.Subscribe || jsonSizeError(message) === null);
}

/** Limits how much one socket can send before it has received the responses. */

/** Maximum number of messages of one socket that are in progress. A running operation is one; the message that ends it is another. */
const MAX_MESSAGES = 300;
/** Maximum total length of the messages of one socket that are in progress; the value of a step can have a million characters. */
const MAX_BYTES = 8_000_000;
/** Maximum bytes that a caller may send on a socket before it is authenticated; the message with the key needs a hundredth. */
const MAX_UNAUTHENTICATED_BYTES = 64_000;

/**
 * Limits the messages of one socket that are in progress. A message counts until its response is written, so a client that reads
 * slowly, or not at all, reaches the limit.
 */
class InFlightLimiter {
  #messages = 0;
  #bytes = 0;
  #authenticated = false;

  /** Call it when the caller is authenticated: the limit for callers without authentication ends. */
  markAuthenticated(): void {
    this.#authenticated = true;
  }

  /** Returns true if the caller has sent too much without authentication. @param bytes number received on the socket so far */
  exceedsUnauthenticatedLimit(bytes: number): boolean {
    return !this.#authenticated && bytes > MAX_UNAUTHENTICATED_BYTES;
  }

  /**
   * Runs `work`, and counts its message until it ends. Returns `too much`, without running it, if the message exceeds a limit.
   * @param bytes length of the message
   */
  async run(bytes: number, work: () => Promise<void>): Promise<'done' | 'too much'> {
    if (this.#messages >= MAX_MESSAGES || this.#bytes + bytes > MAX_BYTES) return 'too much';
    this.#messages += 1;
    this.#bytes += bytes;
    try {
      await work();
      return 'done';
    } finally {
      this.#messages -= 1;
      this.#bytes -= bytes;
    }
  }
}

/** Maximum size of a client's message, in bytes; a longer one closes the socket with 1009. */
const MAX_MESSAGE_BYTES = 2_000_000;

/** The server of GraphQL over WebSocket, at /graphql. */
export interface GraphqlSocket {
  /** Handles an `upgrade` event of node:http. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Closes every socket with 1001, and terminates those that do not respond within a second. Idempotent. */
  close(): Promise<void>;
  readonly size: number;
}

/** Creates the WebSocket server. @param trustedProxies number of proxies in front of the service, for the caller's address */
export function graphqlSocket(
  yoga: Yoga,
  deps: Pick<GraphqlDeps, 'service' | 'log' | 'operations' | 'turns'>,
  trustedProxies: number,
): GraphqlSocket {
  const { log } = deps;
  const server = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES, handleProtocols });
  const protocol = makeServer(socketProtocol(yoga, deps));

  const serve = (socket: WebSocket, request: IncomingMessage): void => {
    const gone = new AbortController();
    const limiter = new InFlightLimiter();
    const before = request.socket.bytesRead;
    const checkUnauthenticated = () => {
      if (!limiter.exceedsUnauthenticatedLimit(request.socket.bytesRead - before)) return;
      request.socket.off('data', checkUnauthenticated);
      closeUnread(socket, 1009, 'Begin with a short connection_init');
    };
    request.socket.on('data', checkUnauthenticated);
    const extra: SocketExtra = {
      request,
      address: callerAddress(request, trustedProxies),
      signal: gone.signal,
      records: new Map(),
      countsInput: false,
      onAuthenticated: () => limiter.markAuthenticated(),
      close: (code, reason) => closeSocket(socket, code, reason),
    };
    // ws itself closes the socket after a frame that is too large or malformed.
    socket.on('error', error => log.debug({ err: error }, 'a WebSocket violated the protocol'));
    const stopPings = startPings(socket);
    const ended = protocol.opened(
      {
        protocol: socket.protocol,
        // Resolves when the text is written, so that a slow client delays only its own subscriptions.
        send: text => sendText(socket, text),
        close: (code, reason) => closeSocket(socket, code, reason),
        onMessage: handle =>
          socket.on('message', async data => {
            if (socket.readyState !== socket.OPEN) return;
            const text = replaceHalfCharacters(String(data));
            if (!isClientMessage(text)) return closeSocket(socket, BAD_REQUEST, 'Invalid message');
            try {
              if ((await limiter.run(text.length, () => handle(text))) === 'too much')
                closeUnread(socket, TOO_MANY_REQUESTS, 'Too many messages are in progress');
            } catch (error) {
              // Nothing can be sent to a client that has disconnected; `close` handles that.
              if (socket.readyState !== socket.OPEN) return;
              log.error({ err: error }, 'a WebSocket message could not be handled');
              closeSocket(socket, CloseCode.InternalServerError, 'Internal server error');
            }
          }),
      },
      extra,
    );
    socket.once('close', (code, reason) => {
      stopPings();
      gone.abort();
      ended(code, String(reason)).catch(error =>
        log.error({ err: error }, 'a WebSocket could not be closed'),
      );
    });
  };

  return {
    upgrade: (request, socket, head) =>
      server.handleUpgrade(request, socket, head, open => serve(open, request)),
    close: () => closeSockets(server),
    get size() {
      return server.clients.size;
    },
  };
}

/** Closes the socket, and reads nothing more from the client. */
function closeUnread(socket: WebSocket, code: number, reason: string): void {
  closeSocket(socket, code, reason);
  socket.pause();
}

/** Sends a text; resolves when it is written. @throws Error when the client has disconnected */
async function sendText(socket: WebSocket, text: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.send(wellFormedJson(text), error => (error ? reject(error) : resolve()));
  await promise;
}
