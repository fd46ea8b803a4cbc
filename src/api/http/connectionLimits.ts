/** Limits the number of open connections. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Failure } from '../../domain/failure/failures.ts';
import { networkAddress } from './callerAddress.ts';
import type { RequestRecord } from './requestRecord.ts';

/** A request and its response. */
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

  /**
   * Calls `work` when the connection has no unfinished response except `last`; at once, if that is so already. Never calls it if
   * the connection closes before.
   */
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

/** Maximum numbers of connections that are open at the same time; null for no limit. */
export interface ConnectionLimits {
  /** Maximum of all callers together. */
  readonly total: number | null;
  /** Maximum for each IPv4 address or IPv6 /64. */
  readonly perAddress: number | null;
}

/** Does not limit connections. */
export const NO_CONNECTION_LIMITS: ConnectionLimits = { total: null, perAddress: null };

/** Maximum number of connections above the limit that still get a 503; the server closes further ones without a response. */
const MAX_REJECTED_CONNECTIONS = 100;
/** A rejected connection is closed when it is idle for this time, in milliseconds. */
const REJECTED_CONNECTION_TIMEOUT_MS = 5_000;
/** The value of `Retry-After` for a caller whose connection was rejected. */
const RETRY_AFTER_SECONDS = 5;

/** Knows which connections of a server were rejected because of a limit. */
export interface ConnectionLimiter {
  /** Returns the failure that every request on this connection gets; null for an accepted connection. */
  rejectionOf(socket: Duplex): Failure | null;
}

/**
 * Starts to limit the open connections of a server. Requests on connections above a limit get a failure from
 * `rejectionOf`.
 */
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
