/** NodeMessenger within one process: several nodes that call each other's handlers. For tests of what runs above it. */
import { afterMs, onAbort, onCall, race, type StopWhen } from '../../src/async/race.ts';
import { hasFreePlace, LoadTable, nodeKey } from '../../src/bus/natsMessenger.ts';
import {
  type IncomingRequest,
  type NodeEpoch,
  type NodeLoad,
  type NodeMessenger,
  NoResponse,
  type RequestHandler,
  type RequestOptions,
} from '../../src/domain/ports/nodes.ts';

interface ServedNode {
  readonly messenger: MemoryMessenger;
  readonly handler: RequestHandler;
}

/** The nodes of a cluster within this process. */
export class MemoryNetwork {
  readonly nodes = new Map<string, ServedNode>();
  readonly messengers = new Set<MemoryMessenger>();
  readonly loads = new LoadTable(() => 0);

  /** Connects another node. */
  messenger(): MemoryMessenger {
    const messenger = new MemoryMessenger(this);
    this.messengers.add(messenger);
    return messenger;
  }
}

/** The messenger of one node. Payloads are passed on without a copy. */
export class MemoryMessenger implements NodeMessenger {
  readonly #network: MemoryNetwork;
  readonly #connectionListeners = new Set<(isConnected: boolean) => void>();
  readonly #topics = new Map<string, Set<(message: string) => void>>();
  /** Functions that end each request of this node when the connection is lost. */
  readonly #onDisconnect = new Set<() => void>();
  #isConnected = true;
  #self: NodeEpoch | undefined;

  constructor(network: MemoryNetwork) {
    this.#network = network;
  }

  serve(self: NodeEpoch, handler: RequestHandler): Promise<() => Promise<void>> {
    const served: ServedNode = { messenger: this, handler };
    this.#network.nodes.set(nodeKey(self), served);
    return Promise.resolve(() => {
      if (this.#network.nodes.get(nodeKey(self)) === served) this.#network.nodes.delete(nodeKey(self));
      return Promise.resolve();
    });
  }

  async request(to: NodeEpoch, payload: Uint8Array, options: RequestOptions): Promise<Uint8Array> {
    const responses = this.stream(to, payload, options);
    try {
      const response = await responses.next();
      if (response.done !== true) return response.value;
      throw new NoResponse('silent', 'The node ended the response before its first byte.');
    } finally {
      await responses.return?.();
    }
  }

  stream(to: NodeEpoch, payload: Uint8Array, options: RequestOptions): AsyncIterableIterator<Uint8Array> {
    return respond(signal => this.#find(to, signal), payload, options);
  }

  /** Returns the node, and what ends the wait for it. @throws NoResponse `gone`, `unavailable`; the reason of the signal */
  #find(to: NodeEpoch, signal: AbortSignal): readonly [ServedNode, readonly StopWhen<never>[]] {
    signal.throwIfAborted();
    if (!this.#isConnected) throw new NoResponse('unavailable', 'This node is not connected to the others.');
    const served = this.#network.nodes.get(nodeKey(to));
    if (served === undefined || !served.messenger.isConnected)
      throw new NoResponse('gone', `No node listens as ${to.nodeId}, epoch ${to.epoch}.`);
    return [served, [onAbort(signal), onLost(this.#onDisconnect), onLost(served.messenger.#onDisconnect)]];
  }

  reportLoad(self: NodeEpoch, load: NodeLoad): void {
    this.#self = self;
    if (this.#isConnected && hasFreePlace(load)) this.#network.loads.report(self, load);
    else this.#network.loads.remove(self);
  }

  async place({
    signal,
    except = [],
  }: {
    signal: AbortSignal;
    except?: readonly NodeEpoch[];
  }): Promise<NodeEpoch> {
    signal.throwIfAborted();
    if (!this.#isConnected) throw new NoResponse('unavailable', 'The node is not connected to the others.');
    const chosen = this.#network.loads.choose({ preferred: [this.#self], except });
    if (chosen === null) throw new NoResponse('full', 'No node has a free place.');
    return chosen;
  }

  announce(topic: string, message: string): void {
    if (!this.#isConnected) return;
    for (const messenger of this.#network.messengers)
      if (messenger.#isConnected)
        for (const listener of messenger.#topics.get(topic) ?? []) queueMicrotask(() => listener(message));
  }

  onAnnouncement(topic: string, listener: (message: string) => void): () => void {
    const listeners = this.#topics.get(topic) ?? new Set();
    this.#topics.set(topic, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  get isConnected(): boolean {
    return this.#isConnected;
  }

  onConnectionChange(listener: (isConnected: boolean) => void): () => void {
    this.#connectionListeners.add(listener);
    return () => this.#connectionListeners.delete(listener);
  }

  /** Cuts the connection of this node, as a break of the network does. */
  disconnect(): void {
    if (!this.#isConnected) return;
    this.#isConnected = false;
    if (this.#self !== undefined) this.#network.loads.remove(this.#self);
    for (const end of [...this.#onDisconnect]) end();
    for (const listener of this.#connectionListeners) listener(false);
  }

  /** Restores the connection of this node. */
  reconnect(): void {
    if (this.#isConnected) return;
    this.#isConnected = true;
    for (const listener of this.#connectionListeners) listener(true);
  }

  close(): Promise<void> {
    this.disconnect();
    this.#network.messengers.delete(this);
    return Promise.resolve();
  }
}

type FindNode = (signal: AbortSignal) => readonly [ServedNode, readonly StopWhen<never>[]];

const onLost =
  (listeners: Set<() => void>): StopWhen<never> =>
  ({ reject }) =>
    onCall(listeners)({
      resolve: () =>
        reject(new NoResponse('silent', 'The connection to the node was lost; the outcome is unknown.')),
      reject,
    });

/** Calls the handler when the receiver requests the first item, and returns its items one by one. */
async function* responses(
  find: FindNode,
  payload: Uint8Array,
  options: RequestOptions,
  abandoned: AbortController,
): AsyncGenerator<Uint8Array, void, undefined> {
  const [{ handler }, stops] = find(options.signal);
  const endsAt = performance.now() + options.timeoutMs;
  const body = (options.body ?? noBody())[Symbol.asyncIterator]();
  const incoming: IncomingRequest = {
    payload,
    trace: options.trace,
    body: { [Symbol.asyncIterator]: () => body },
    signal: abandoned.signal,
    get remainingMs() {
      return Math.max(0, endsAt - performance.now());
    },
  };
  const timeout = afterMs(options.timeoutMs, (): never => {
    throw new NoResponse(
      'silent',
      `The node did not answer within ${options.timeoutMs} ms; the outcome is unknown.`,
    );
  });
  try {
    const answer = callHandler(handler, incoming);
    if (!(Symbol.asyncIterator in answer)) {
      yield await race(answer, timeout, ...stops);
      return;
    }
    const items = answer[Symbol.asyncIterator]();
    abandoned.signal.addEventListener('abort', () => void items.return?.()?.catch(() => {}), { once: true });
    for (let isFirst = true; ; isFirst = false) {
      const item = await race(items.next(), ...(isFirst ? [timeout] : []), ...stops);
      if (item.done === true) return;
      yield item.value;
    }
  } catch (error) {
    if (error instanceof NoResponse || options.signal.aborted) throw error;
    throw new NoResponse('silent', 'The node failed while it answered; the outcome is unknown.');
  } finally {
    abandoned.abort(new Error('The caller no longer waits.'));
    body.return?.().catch(() => {});
  }
}

/** The iterator of `responses`, whose `return()` also ends a wait for the next item. */
function respond(
  find: FindNode,
  payload: Uint8Array,
  options: RequestOptions,
): AsyncIterableIterator<Uint8Array> {
  const left = new AbortController();
  const signal = AbortSignal.any([options.signal, left.signal]);
  const abandoned = new AbortController();
  const items = responses(find, payload, { ...options, signal }, abandoned);
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next: async () => {
      try {
        return await items.next();
      } catch (error) {
        if (left.signal.aborted) return { done: true, value: undefined };
        throw error;
      }
    },
    return: () => {
      left.abort(new Error('The reader no longer waits.'));
      abandoned.abort(left.signal.reason);
      return items.return();
    },
  };
}

function callHandler(
  handler: RequestHandler,
  incoming: IncomingRequest,
): Promise<Uint8Array> | AsyncIterable<Uint8Array> {
  try {
    return handler(incoming);
  } catch (error) {
    return Promise.reject(error);
  }
}

async function* noBody(): AsyncGenerator<Uint8Array, void, undefined> {}
