/** How many connections the server has, and which of them are too many. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Failure } from '../../domain/failures.ts';
import { networkAddress } from './callerAddress.ts';

/** Connections at once; null for any number. */
export interface ConnectionLimits {
  readonly total: number | null;
  /** From one network address; of IPv6 from one network of 64 bits. */
  readonly perAddress: number | null;
}

export const NO_CONNECTION_LIMITS: ConnectionLimits = { total: null, perAddress: null };

/** Connections beyond the limit that are told so; what comes beyond these too is closed without a word. */
const MAX_REJECTED_CONNECTIONS = 100;
/** One that is to be told must ask something within this time. Milliseconds. */
const REJECTED_CONNECTION_TIMEOUT_MS = 5_000;
export const RETRY_AFTER_SECONDS = 5;

export interface ConnectionLimiter {
  /** Why nothing is done on this connection; null where it is one of the admitted. */
  rejectionOf(socket: Duplex): Failure | null;
}

/** Counts a server's connections from here on. */
export function limitConnections(http: Server, { total, perAddress }: ConnectionLimits): ConnectionLimiter {
  const refused = new WeakMap<Duplex, Failure>();
  const byAddress = new Map<string, number>();
  let open = 0;
  if (total !== null) http.maxConnections = total + MAX_REJECTED_CONNECTIONS;

  http.on('connection', (socket: Socket) => {
    const address = networkAddress(socket.remoteAddress ?? '');
    const own = byAddress.get(address) ?? 0;
    const [most, whose] =
      total !== null && open >= total
        ? [total, 'The service']
        : perAddress !== null && own >= perAddress
          ? [perAddress, 'Your network address']
          : [null, ''];
    if (most !== null) {
      refused.set(socket, tooManyConnections(whose, most));
      socket.setTimeout(REJECTED_CONNECTION_TIMEOUT_MS, () => socket.destroy());
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
  return { rejectionOf: socket => refused.get(socket) ?? null };
}

const tooManyConnections = (whose: string, most: number): Failure =>
  new Failure(
    'TOO_MANY_CONNECTIONS',
    `${whose} has ${most} connections already, the most there may be. Use one for several requests, or try again later.`,
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
