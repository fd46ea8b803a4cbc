/** The nodes that the contract of NodeMessenger connects, and what they send. */
import type {
  IncomingRequest,
  NodeEpoch,
  NodeMessenger,
  RequestOptions,
} from '../../src/domain/ports/nodes.ts';

/** Several nodes of one cluster. */
export interface MessengerNetwork {
  /** Connects another node. */
  connect(): Promise<NodeMessenger>;
  /** Breaks the connections of all nodes. Resolves when each node knows. */
  interrupt(): Promise<void>;
  /** Restores the connections of all nodes. Resolves when each node knows. */
  resume(): Promise<void>;
  /** Disconnects all nodes. */
  close(): Promise<void>;
}

/** A network with two nodes; made new for each test. */
export interface MessengerPair {
  readonly network: MessengerNetwork;
  readonly caller: NodeMessenger;
  readonly owner: NodeMessenger;
}

export const NODE_A: NodeEpoch = { nodeId: 'node-a', epoch: 1 };
export const NODE_B: NodeEpoch = { nodeId: 'node.b *>', epoch: 2 };
export const NODE_C: NodeEpoch = { nodeId: 'node-c', epoch: 3 };

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
export const text = (payload: Uint8Array): string => new TextDecoder().decode(payload);

export const requestOptions = (more: Partial<RequestOptions> = {}): RequestOptions => ({
  signal: new AbortController().signal,
  timeoutMs: 20_000,
  trace: {},
  ...more,
});

/** Resolves when the signal aborts. */
export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

export async function collect(items: AsyncIterable<Uint8Array>): Promise<string[]> {
  const texts: string[] = [];
  for await (const item of items) texts.push(text(item));
  return texts;
}

/** Bytes that repeat with a period that divides no power of two, so that a lost or doubled piece changes them. */
export const patterned = (length: number): Uint8Array => Uint8Array.from({ length }, (_, i) => i % 251);

/** Serves as node B with a handler that runs until its signal aborts. @returns the first request, when it arrives */
export async function serveEndless(
  owner: NodeMessenger,
): Promise<{ readonly received: Promise<IncomingRequest> }> {
  const received = Promise.withResolvers<IncomingRequest>();
  await owner.serve(NODE_B, async request => {
    received.resolve(request);
    await aborted(request.signal);
    throw request.signal.reason;
  });
  return { received: received.promise };
}
