/** WebSockets at /graphql: upgrades, pings, and an orderly end. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { CloseCode, handleProtocols, makeServer } from 'graphql-ws';
import { type WebSocket, WebSocketServer } from 'ws';
import { callerAddress } from '../../http/callerAddress.ts';
import type { ServerOptions } from '../../serverOptions.ts';
import { InFlightLimiter } from './inFlightLimiter.ts';
import { type SocketExtra, socketProtocol, TOO_MANY_REQUESTS } from './socketProtocol.ts';
import type { GraphqlDeps, Yoga } from './yoga.ts';

/** A ping goes out this often; a peer that has not answered by the next is cut off. Milliseconds. */
const PING_INTERVAL_MS = 12_000;
/** A message may have at most this many bytes; a longer one closes the socket with 1009. */
const MAX_MESSAGE_BYTES = 2_000_000;
/** On shutdown, and when it asked too much, a peer has this long to answer the close. Milliseconds. */
const CLOSE_TIMEOUT_MS = 1_000;
/** What a close frame has room for (RFC 6455, 5.5). Bytes. */
const MAX_REASON_BYTES = 123;

/** The WebSocket side of the GraphQL door. */
export interface GraphqlSocket {
  /** Takes over an upgrade of node:http. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Closes every socket with 1001; those that do not answer within a second are cut off. Idempotent. */
  close(): Promise<void>;
  /** Sockets open now. */
  readonly size: number;
}

export function graphqlSocket(
  yoga: Yoga,
  parts: Pick<GraphqlDeps, 'service' | 'log' | 'operations'> & Pick<ServerOptions, 'trustedProxies'>,
): GraphqlSocket {
  const { log, trustedProxies = 0 } = parts;
  const server = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES, handleProtocols });
  const protocol = makeServer(socketProtocol(yoga, parts));

  const serve = (socket: WebSocket, request: IncomingMessage): void => {
    const gone = new AbortController();
    const load = new InFlightLimiter();
    const before = request.socket.bytesRead;
    const countStrangers = () => {
      if (!load.exceedsUnauthenticatedLimit(request.socket.bytesRead - before)) return;
      request.socket.off('data', countStrangers);
      closeUnread(socket, 1009, 'Begin with a short connection_init');
    };
    request.socket.on('data', countStrangers);
    const facts: SocketExtra = {
      request,
      address: callerAddress(request, trustedProxies),
      signal: gone.signal,
      records: new Map(),
      onAuthenticated: () => load.markAuthenticated(),
      close: (code, reason) => closeSocket(socket, code, reason),
    };
    // A frame that is too large or malformed: ws closes the socket itself, with the right code.
    socket.on('error', error => log.debug({ err: error }, 'a socket broke the protocol'));
    const stopPings = startPings(socket);
    const ended = protocol.opened(
      {
        protocol: socket.protocol,
        // Resolves when it is written, so that a slow reader slows its own subscriptions and nothing else.
        send: text => sendText(socket, text),
        close: (code, reason) => closeSocket(socket, code, reason),
        onMessage: take =>
          socket.on('message', async data => {
            if (socket.readyState !== socket.OPEN) return;
            const text = String(data);
            try {
              if ((await load.run(text.length, () => take(text))) === 'too much')
                closeUnread(socket, TOO_MANY_REQUESTS, 'Too much at once is not answered yet');
            } catch (error) {
              // What cannot be sent to a peer that has gone is no fault; its end is told by itself.
              if (socket.readyState !== socket.OPEN) return;
              log.error({ err: error }, 'a message of a socket could not be handled');
              closeSocket(socket, CloseCode.InternalServerError, 'Internal server error');
            }
          }),
      },
      facts,
    );
    socket.once('close', (code, reason) => {
      stopPings();
      gone.abort();
      ended(code, String(reason)).catch(error => log.error({ err: error }, 'a socket could not be ended'));
    });
  };

  return {
    upgrade: (request, socket, head) =>
      server.handleUpgrade(request, socket, head, open => serve(open, request)),
    close: async () => {
      const open = [...server.clients];
      const ends = open.map(socket => new Promise(resolve => socket.once('close', resolve)));
      for (const socket of open) socket.close(1001, 'Going away');
      const cut = setTimeout(() => open.forEach(socket => void socket.terminate()), CLOSE_TIMEOUT_MS);
      await Promise.all(ends);
      clearTimeout(cut);
      server.close();
    },
    get size() {
      return server.clients.size;
    },
  };
}

/** A reason may hold what the caller sent: it is cut to what a frame has room for. */
function closeSocket(socket: WebSocket, code: number | undefined, reason: string | undefined): void {
  // A character that is cut in two is replaced by one of three bytes.
  socket.close(
    code,
    Buffer.from(reason ?? '')
      .subarray(0, MAX_REASON_BYTES - 3)
      .toString(),
  );
}

/** Closed without being read any more. */
function closeUnread(socket: WebSocket, code: number, reason: string): void {
  closeSocket(socket, code, reason);
  socket.pause();
  setTimeout(() => socket.terminate(), CLOSE_TIMEOUT_MS);
}

/** @throws Error when the peer has gone: whoever has more to say stops */
async function sendText(socket: WebSocket, text: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.send(text, error => (error ? reject(error) : resolve()));
  await promise;
}

/** Pings at intervals. @returns what stops it */
function startPings(socket: WebSocket): () => void {
  let answered = true;
  socket.on('pong', () => {
    answered = true;
  });
  const timer = setInterval(() => {
    if (!answered) {
      socket.terminate();
      return;
    }
    answered = false;
    socket.ping();
  }, PING_INTERVAL_MS);
  return () => clearInterval(timer);
}
