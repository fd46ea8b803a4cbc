/** The responses of a connection that are not finished: with pipelined requests there can be several. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
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
