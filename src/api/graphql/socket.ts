/** WebSockets at /graphql: upgrades, pings, and an orderly end. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { CloseCode, handleProtocols, makeServer } from 'graphql-ws';
import { type WebSocket, WebSocketServer } from 'ws';
import { callerAddress } from '../callerAddress.ts';
import type { ServerParts } from '../serverParts.ts';
import { type SocketFacts, socketProtocol } from './socketProtocol.ts';
import type { GraphqlParts, Yoga } from './yoga.ts';

/** A ping goes out this often; a peer that has not answered by the next is cut off. Milliseconds. */
const PING_MS = 12_000;
/** A message may have at most this many bytes; a longer one closes the socket with 1009. */
const MOST_BYTES = 2_000_000;
/** On shutdown a peer has this long to answer the close. Milliseconds. */
const GOODBYE_MS = 1_000;

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
  parts: Pick<GraphqlParts, 'service' | 'log' | 'operations'> & Pick<ServerParts, 'trustedProxies'>,
): GraphqlSocket {
  const { log, trustedProxies = 0 } = parts;
  const server = new WebSocketServer({ noServer: true, maxPayload: MOST_BYTES, handleProtocols });
  const protocol = makeServer(socketProtocol(yoga, parts));

  const serve = (socket: WebSocket, request: IncomingMessage): void => {
    const gone = new AbortController();
    const facts: SocketFacts = {
      request,
      address: callerAddress(request, trustedProxies),
      signal: gone.signal,
      close: (code, reason) => socket.close(code, reason),
    };
    // A frame that is too large or malformed: ws closes the socket itself, with the right code.
    socket.on('error', error => log.debug({ err: error }, 'a socket broke the protocol'));
    const stopPings = keptAlive(socket);
    const closed = protocol.opened(
      {
        protocol: socket.protocol,
        // Resolves when it is written, so that a slow reader slows its own subscriptions and nothing else.
        send: text => sent(socket, text),
        close: (code, reason) => socket.close(code, reason),
        onMessage: take =>
          socket.on('message', data => {
            take(String(data)).catch(error => {
              log.error({ err: error }, 'a message of a socket could not be handled');
              socket.close(CloseCode.InternalServerError, 'Internal server error');
            });
          }),
      },
      facts,
    );
    socket.once('close', (code, reason) => {
      stopPings();
      gone.abort();
      closed(code, String(reason)).catch(error => log.error({ err: error }, 'a socket could not be ended'));
    });
  };

  return {
    upgrade: (request, socket, head) =>
      server.handleUpgrade(request, socket, head, open => serve(open, request)),
    close: async () => {
      const open = [...server.clients];
      const ends = open.map(socket => new Promise(resolve => socket.once('close', resolve)));
      for (const socket of open) socket.close(1001, 'Going away');
      const cut = setTimeout(() => open.forEach(socket => void socket.terminate()), GOODBYE_MS);
      await Promise.all(ends);
      clearTimeout(cut);
      server.close();
    },
    get size() {
      return server.clients.size;
    },
  };
}

async function sent(socket: WebSocket, text: string): Promise<void> {
  if (socket.readyState !== socket.OPEN) return;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.send(text, error => (error ? reject(error) : resolve()));
  await promise;
}

/** Pings at intervals. @returns what stops it */
function keptAlive(socket: WebSocket): () => void {
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
  }, PING_MS);
  return () => clearInterval(timer);
}
