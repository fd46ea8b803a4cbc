/** Messages between the nodes of the cluster: requests to a node, placement of new sessions, announcements to all. */
import type { NodeEpoch, NodeLoad } from './nodeRegistry.ts';

export interface RequestOptions {
  /** Aborts when the caller disconnects. The other node's handler sees the abort. */
  readonly signal: AbortSignal;
  /** Maximum wait for the response, or for the first item of a stream, in milliseconds. Then the request ends as `silent`. */
  readonly timeoutMs: number;
  /** W3C trace context of the caller (`traceparent`, `tracestate`); empty for none. */
  readonly trace: Readonly<Record<string, string>>;
  /** Bytes that follow the request, such as an upload; absent for none. Read no faster than the other node reads them. */
  readonly body?: AsyncIterable<Uint8Array>;
}

export interface IncomingRequest {
  readonly payload: Uint8Array;
  readonly trace: Readonly<Record<string, string>>;
  /** The caller's `body`; empty for none. Can be read once. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Aborts when the caller gives up, or when its node stops answering. */
  readonly signal: AbortSignal;
  /** Milliseconds that the caller still waits, at the time of the read; never negative. */
  readonly remainingMs: number;
}

/** Answers requests with one payload, or with a stream of payloads. An error it throws reaches the caller only as NoResponse `silent`: encode failures in the payload. */
export type RequestHandler = (request: IncomingRequest) => Promise<Uint8Array> | AsyncIterable<Uint8Array>;

/**
 * The error of a request that has no response. `gone`: no node listens there, and nothing was delivered. `silent`: the
 * request was delivered or may have been, and its outcome is unknown. `full`: no node has room for a new session.
 * `unavailable`: the message bus itself cannot be reached, and nothing was delivered.
 */
export class NoResponse extends Error {
  override readonly name = 'NoResponse';
  readonly reason: 'gone' | 'silent' | 'full' | 'unavailable';

  constructor(reason: 'gone' | 'silent' | 'full' | 'unavailable', message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** Sends messages between nodes. Payloads and streams have no maximum size: the messenger splits them. */
export interface NodeMessenger {
  /** Answers the requests that are sent to this node. @returns a function that stops it */
  serve(self: NodeEpoch, handler: RequestHandler): Promise<() => Promise<void>>;
  /** Sends a request to a node. @throws NoResponse; the reason of the signal */
  request(to: NodeEpoch, payload: Uint8Array, options: RequestOptions): Promise<Uint8Array>;
  /**
   * Sends a request whose response is a stream. The other node produces the next item only when the reader asks for it.
   * `return()` and the signal end the handler. @throws NoResponse, also in the middle of the stream
   */
  stream(to: NodeEpoch, payload: Uint8Array, options: RequestOptions): AsyncIterableIterator<Uint8Array>;
  /**
   * Offers this node for new sessions in the queue group, or leaves the group when the load leaves no room. Every node
   * learns the load of the others from here.
   */
  reportLoad(self: NodeEpoch, load: NodeLoad): void;
  /**
   * Chooses the node for a new session: the least loaded of those with room, as the queue group knows them; this node
   * if it is one of several with the least load.
   * @param options.except nodes that must not be chosen, such as one that was just `gone`
   * @throws NoResponse `full` if none has room, `unavailable`; the reason of the signal
   */
  place(options: {
    readonly signal: AbortSignal;
    readonly timeoutMs: number;
    readonly except?: readonly NodeEpoch[];
  }): Promise<NodeEpoch>;
  /** Sends a small JSON text to every node, also to this one. Lost when the bus is away: state that must hold belongs in the store. */
  announce(topic: string, message: string): void;
  /** Calls `listener` for each announcement of a topic. @returns a function that removes it */
  onAnnouncement(topic: string, listener: (message: string) => void): () => void;
  /** False while the message bus cannot be reached. */
  readonly isConnected: boolean;
  /** Calls `listener` when the connection is lost (false) or is back (true). @returns a function that removes it */
  onConnectionChange(listener: (isConnected: boolean) => void): () => void;
  /** Sends what is buffered, then disconnects. Idempotent. */
  close(): Promise<void>;
}
