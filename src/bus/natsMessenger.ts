/** NodeMessenger over NATS. */
import { headers as createHeaders, type Msg, type MsgHdrs } from '@nats-io/transport-node';
import {
  type NodeMessenger,
  NoResponse,
  type RequestHandler,
  type RequestOptions,
} from '../domain/ports/nodeMessenger.ts';
import type { NodeEpoch, NodeLoad } from '../domain/ports/nodeRegistry.ts';
import { IncomingExchange } from './incomingExchange.ts';
import {
  BODY_FOLLOWS_HEADER,
  type CallerFrame,
  maxPieceBytes,
  type OwnerFrame,
  PAYLOAD_FOLLOWS_HEADER,
  type ReceivedFrame,
  TICK_MS,
  TIMEOUT_HEADER,
} from './itemStream.ts';
import {
  announcementSubject,
  DATABASE_HEADER,
  type NatsConnection,
  nodeSubject,
  replySubject,
} from './natsConnection.ts';
import { NatsPlacement, type PlaceOptions } from './natsPlacement.ts';
import { OutgoingRequest } from './outgoingRequest.ts';

/** Status of a message by which the server says that no node listens. */
const NO_RESPONDERS = 503;

export interface NatsMessengerOptions {
  /** Time between two checks of the running requests, in milliseconds. Default: 500. A smaller number notices a lost node earlier. */
  readonly tickMs?: number;
}

/** Creates the messenger of this node. `close()` closes the connection too. */
export function natsMessenger(connection: NatsConnection, options: NatsMessengerOptions = {}): NodeMessenger {
  return new NatsMessenger(connection, options);
}

class NatsMessenger implements NodeMessenger {
  readonly #connection: NatsConnection;
  readonly #placement: NatsPlacement;
  readonly #replySubject: string;
  /** The requests of this node by their number. */
  readonly #outgoing = new Map<string, OutgoingRequest>();
  /** The requests of other nodes by the subject of their responses. */
  readonly #incoming = new Map<string, IncomingExchange>();
  readonly #timer: NodeJS.Timeout;
  #requests = 0;

  constructor(connection: NatsConnection, { tickMs = TICK_MS }: NatsMessengerOptions) {
    this.#connection = connection;
    this.#placement = new NatsPlacement(connection);
    this.#replySubject = replySubject(crypto.randomUUID());
    connection.subscribe(`${this.#replySubject}.>`, message => this.#onReply(message));
    connection.onConnectionChange(isConnected => {
      if (!isConnected) for (const request of [...this.#outgoing.values()]) request.connectionLost();
    });
    this.#timer = setInterval(() => this.#tick(), tickMs).unref();
  }

  async serve(self: NodeEpoch, handler: RequestHandler): Promise<() => Promise<void>> {
    const subject = nodeSubject(self);
    const running = new Set<IncomingExchange>();
    const subscription = this.#connection.subscribe(`${subject}.*.*`, message =>
      this.#onRequestFrame(message, handler, running),
    );
    if (this.#connection.isConnected) await this.#connection.client.flush();
    return async () => {
      subscription.unsubscribe();
      for (const exchange of [...running]) exchange.stop();
      if (this.#connection.isConnected) await this.#connection.client.flush();
    };
  }

  async request(to: NodeEpoch, payload: Uint8Array, options: RequestOptions): Promise<Uint8Array> {
    const responses = this.#send(to, payload, options);
    try {
      const response = await responses.next();
      if (response.done !== true) return response.value;
      throw new NoResponse('silent', 'The node ended the response before its first byte.');
    } finally {
      await responses.return();
    }
  }

  stream(to: NodeEpoch, payload: Uint8Array, options: RequestOptions): AsyncIterableIterator<Uint8Array> {
    let request: OutgoingRequest | undefined;
    let hasEnded = false;
    return {
      [Symbol.asyncIterator]() {
        return this;
      },
      next: async () => {
        if (hasEnded) return { done: true, value: undefined };
        request ??= this.#send(to, payload, options);
        return request.next();
      },
      return: async () => {
        hasEnded = true;
        await request?.return();
        return { done: true, value: undefined };
      },
    };
  }

  reportLoad(self: NodeEpoch, load: NodeLoad): void {
    this.#placement.reportLoad(self, load);
  }

  place(options: PlaceOptions): Promise<NodeEpoch> {
    return this.#placement.place(options);
  }

  announce(topic: string, message: string): void {
    this.#connection.publish(announcementSubject(topic), message);
  }

  onAnnouncement(topic: string, listener: (message: string) => void): () => void {
    const subscription = this.#connection.subscribe(announcementSubject(topic), message =>
      listener(message.string()),
    );
    return () => subscription.unsubscribe();
  }

  get isConnected(): boolean {
    return this.#connection.isConnected;
  }

  onConnectionChange(listener: (isConnected: boolean) => void): () => void {
    return this.#connection.onConnectionChange(listener);
  }

  close(): Promise<void> {
    clearInterval(this.#timer);
    this.#placement.close();
    for (const exchange of [...this.#incoming.values()]) exchange.stop();
    for (const request of [...this.#outgoing.values()]) request.connectionLost();
    return this.#connection.close();
  }

  /** @throws NoResponse `unavailable`; the reason of the signal */
  #send(to: NodeEpoch, payload: Uint8Array, options: RequestOptions): OutgoingRequest {
    options.signal.throwIfAborted();
    if (!this.#connection.isConnected)
      throw new NoResponse('unavailable', 'This node is not connected to the others.');
    const pieceBytes = maxPieceBytes(this.#connection.maxPayload);
    const payloadFollows = payload.length > pieceBytes;
    const id = String(this.#requests++);
    const reply = `${this.#replySubject}.${id}`;
    const subject = nodeSubject(to);
    let number = 0;
    const request = new OutgoingRequest(payload, options, {
      flush: () => this.#connection.client.flush(),
      maxPieceBytes: pieceBytes,
      payloadFollows,
      onEnd: () => this.#outgoing.delete(id),
      send: (kind: CallerFrame, data) => {
        const headers = kind === 'request' ? requestHeaders(options, payloadFollows) : undefined;
        this.#connection.publish(`${subject}.${kind}.${number++}`, data, {
          reply,
          ...(headers && { headers }),
        });
      },
    });
    this.#outgoing.set(id, request);
    return request;
  }

  #onReply(message: Msg): void {
    const [id = '', kind, number] = message.subject.slice(this.#replySubject.length + 1).split('.');
    const request = this.#outgoing.get(id);
    if (kind !== undefined) request?.receive({ kind, number: Number(number), data: message.data });
    else if (message.headers?.code === NO_RESPONDERS) request?.noResponder();
  }

  #onRequestFrame(message: Msg, handler: RequestHandler, running: Set<IncomingExchange>): void {
    const { reply, data } = message;
    if (reply === undefined) return;
    const frame = frameOf(message);
    const known = this.#incoming.get(reply);
    if (known !== undefined) known.receive(frame);
    else if (frame.kind === 'request') this.#accept(reply, message.headers, data, handler, running);
    else if (frame.kind === 'alive') this.#connection.publish(`${reply}.unknown.0`);
  }

  #accept(
    reply: string,
    headers: MsgHdrs | undefined,
    data: Uint8Array,
    handler: RequestHandler,
    running: Set<IncomingExchange>,
  ): void {
    let number = 0;
    const exchange = new IncomingExchange({
      send: (kind: OwnerFrame, piece) => this.#connection.publish(`${reply}.${kind}.${number++}`, piece),
      maxPieceBytes: maxPieceBytes(this.#connection.maxPayload),
      trace: traceOf(headers),
      timeoutMs: Number(headers?.get(TIMEOUT_HEADER) ?? 0),
      payloadFollows: headers?.has(PAYLOAD_FOLLOWS_HEADER) ?? false,
      bodyFollows: headers?.has(BODY_FOLLOWS_HEADER) ?? false,
      onEnd: () => {
        this.#incoming.delete(reply);
        running.delete(exchange);
      },
    });
    this.#incoming.set(reply, exchange);
    running.add(exchange);
    void exchange.run(handler, data);
  }

  #tick(): void {
    for (const request of [...this.#outgoing.values()]) request.tick();
    for (const exchange of [...this.#incoming.values()]) exchange.tick();
    this.#placement.tick();
  }
}

function requestHeaders({ timeoutMs, trace, body }: RequestOptions, payloadFollows: boolean): MsgHdrs {
  const headers = createHeaders();
  headers.set(TIMEOUT_HEADER, String(Math.round(timeoutMs)));
  if (payloadFollows) headers.set(PAYLOAD_FOLLOWS_HEADER, '1');
  if (body !== undefined) headers.set(BODY_FOLLOWS_HEADER, '1');
  for (const [name, value] of Object.entries(trace)) headers.set(name, value);
  return headers;
}

function traceOf(headers: MsgHdrs | undefined): Record<string, string> {
  const own = [TIMEOUT_HEADER, PAYLOAD_FOLLOWS_HEADER, BODY_FOLLOWS_HEADER, DATABASE_HEADER];
  const names = (headers?.keys() ?? []).filter(name => !own.includes(name));
  return Object.fromEntries(names.map(name => [name, headers?.get(name) ?? '']));
}

function frameOf({ subject, data }: Msg): ReceivedFrame {
  const [kind = '', number] = subject.split('.').slice(-2);
  return { kind, number: Number(number), data };
}
