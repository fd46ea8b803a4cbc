/** The nodes of a cluster as they know each other: their leases, the responses for idempotency keys, the messages between them, and the numbers of each. */

/** A node and one life of it. Every write of the node names both; after the epoch has ended, the database refuses its writes. */
export interface NodeEpoch {
  readonly nodeId: string;
  /** Counts the starts of all nodes: a later start has a higher number. */
  readonly epoch: number;
}

export interface NodeLoad {
  readonly sessions: number;
  readonly capacity: number;
  /** True while the node takes no new sessions because it is about to stop. */
  readonly draining: boolean;
}

export interface LiveNode extends NodeEpoch, NodeLoad {
  readonly version: string;
}

/** Keeps the leases of the nodes, by the clock of the database. Every method throws Failure DEPENDENCY_UNAVAILABLE while that cannot be reached. */
export interface NodeRegistry {
  /** Registers a start of a node. An earlier epoch of the same node ends at once. */
  register(nodeId: string, version: string): Promise<NodeEpoch>;
  /** Renews the lease. Returns false if the epoch has ended: the node must close its browsers and write nothing more. */
  renew(node: NodeEpoch, load: NodeLoad): Promise<boolean>;
  /**
   * Ends the epochs whose lease was not renewed for `expiryMs`. An epoch whose node still writes a transaction ends with
   * a later call, at most two seconds later.
   * @returns the ended epochs that still have active sessions. Each is returned to one live node only: to the first that
   * asks, with every call until the sessions have ended; to another one if that node ends meanwhile
   */
  endExpired(expiryMs: number): Promise<readonly NodeEpoch[]>;
  /** Ends the epoch of a node that stops. Idempotent. */
  release(node: NodeEpoch): Promise<void>;
  liveNodes(): Promise<readonly LiveNode[]>;
}

/** A key of an account, and the hash of the request that it stands for. */
export interface IdempotencyClaim {
  readonly accountId: string;
  readonly key: string;
  /** Hash of the operation's name and input. */
  readonly inputHash: string;
}

/**
 * The state of a claim. `claimed`: this caller runs the operation. `running`: another request runs it; `owner` is null
 * if the epoch of the node that ran it has ended, so that its outcome is unknown. `done`: its response.
 * `reused`: the key stands for another request.
 */
export type ClaimState =
  | { readonly type: 'claimed' }
  | { readonly type: 'running'; readonly owner: NodeEpoch | null }
  | { readonly type: 'done'; readonly response: Uint8Array }
  | { readonly type: 'reused' };

/** Stores the responses of operations by account and idempotency key. @throws Failure DEPENDENCY_UNAVAILABLE */
export interface IdempotencyStore {
  /** Claims a key that is free or expired. One whose node ended before it stored a response is free ten minutes after that end. */
  claim(claim: IdempotencyClaim, owner: NodeEpoch): Promise<ClaimState>;
  /** Stores the response for ten minutes; a second time does nothing. @returns false if the epoch of the node has ended */
  complete(claim: IdempotencyClaim, owner: NodeEpoch, response: Uint8Array): Promise<boolean>;
  /** Frees the key: the next request with it runs again. */
  release(claim: IdempotencyClaim, owner: NodeEpoch): Promise<void>;
  /** Removes expired responses, and the oldest of an account beyond 16 MB. */
  removeExpired(): Promise<void>;
}

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
  /** Sends a request and streams its response: the other node makes an item when the reader asks; `return()` and the signal end it. @throws NoResponse */
  stream(to: NodeEpoch, payload: Uint8Array, options: RequestOptions): AsyncIterableIterator<Uint8Array>;
  /** Offers this node for new sessions, or leaves the queue group when there is no room. Every node learns the loads from here. */
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
  readonly isConnected: boolean;
  /** Calls `listener` when the connection is lost (false) or is back (true). @returns a function that removes it */
  onConnectionChange(listener: (isConnected: boolean) => void): () => void;
  /** Sends what is buffered, then disconnects. Idempotent. */
  close(): Promise<void>;
}

/** The time that one operation took, for its callers, since the start of the node. */
export interface OperationReading {
  /** `start`, `observe`, `step`, `scrape`, `close` or `uploadFile`. */
  readonly operation: string;
  readonly count: number;
  /** The median in milliseconds, estimated from the buckets of a histogram. */
  readonly p50Ms: number;
  /** The 95th percentile in milliseconds, estimated likewise. */
  readonly p95Ms: number;
}

/** How often an operation has failed with one code since the start of the node. */
export interface FailureReading {
  readonly operation: string;
  /** A code of the table of failures. */
  readonly code: string;
  readonly count: number;
}

/** The walls around the browsers of a node. */
export interface SandboxReading {
  /** The names of the layers that work: `chromium`, and those of the outer sandbox. */
  readonly layers: readonly string[];
  /** One line: which layers of the outer sandbox work, and why the others do not. */
  readonly summary: string;
  /** The warning in the log at the start; null for none. */
  readonly warning: string | null;
}

export interface ServiceReadings {
  /** Maximum of `sessions`. */
  readonly places: number;
  /** Sessions that have a place, including those that are starting. */
  readonly sessions: number;
  readonly waitingStarts: number;
  /** Running Chromium processes, each with several sessions. */
  readonly browsers: number;
  /** Resident memory of the process of the service, in bytes. */
  readonly processBytes: number;
  /** Memory that the end of all browsers would free, in bytes; null where the system does not tell. */
  readonly browserBytes: number | null;
  readonly operations: readonly OperationReading[];
  readonly failures: readonly FailureReading[];
  /** Addresses and downloads that were refused to pages since the start of the node. */
  readonly refusedAddresses: number;
  readonly sandbox: SandboxReading;
}
