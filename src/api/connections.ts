/** How many connections the server has, and which of them are too many. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Failure } from '../domain/failures.ts';
import { networkOf } from './callerAddress.ts';

/** Connections at once; null for any number. */
export interface ConnectionLimits {
  readonly all: number | null;
  /** From one network address; of IPv6 from one network of 64 bits. */
  readonly ofAddress: number | null;
}

export const NO_CONNECTION_LIMITS: ConnectionLimits = { all: null, ofAddress: null };

/** Connections beyond the limit that are told so; what comes beyond these too is closed without a word. */
const MOST_TOLD = 100;
/** One that is to be told must ask something within this time. Milliseconds. */
const PATIENCE_MS = 5_000;
export const RETRY_AFTER_SECONDS = 5;

export interface Connections {
  /** Why nothing is done on this connection; null where it is one of the admitted. */
  refusal(socket: Duplex): Failure | null;
}

/** Counts a server's connections from here on. */
export function countConnections(http: Server, { all, ofAddress }: ConnectionLimits): Connections {
  const refused = new WeakMap<Duplex, Failure>();
  const byAddress = new Map<string, number>();
  let open = 0;
  if (all !== null) http.maxConnections = all + MOST_TOLD;

  http.on('connection', (socket: Socket) => {
    const address = networkOf(socket.remoteAddress ?? '');
    const own = byAddress.get(address) ?? 0;
    const [most, whose] =
      all !== null && open >= all
        ? [all, 'The service']
        : ofAddress !== null && own >= ofAddress
          ? [ofAddress, 'Your network address']
          : [null, ''];
    if (most !== null) {
      refused.set(socket, tooMany(whose, most));
      socket.setTimeout(PATIENCE_MS, () => socket.destroy());
      return;
    }
    open += 1;
    byAddress.set(address, own + 1);
    socket.once('close', () => {
      open -= 1;
      const left = (byAddress.get(address) ?? 1) - 1;
      if (left > 0) byAddress.set(address, left);
      else byAddress.delete(address);
    });
  });
  return { refusal: socket => refused.get(socket) ?? null };
}

const tooMany = (whose: string, most: number): Failure =>
  new Failure(
    'TOO_MANY_CONNECTIONS',
    `${whose} has ${most} connections already, the most there may be. Use one for several requests, or try again later.`,
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
