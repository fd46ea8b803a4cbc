import {
  headers as createHeaders,
  type Msg,
  type MsgHdrs,
  RequestError,
  type Subscription,
  TimeoutError,
} from '@nats-io/transport-node';
import { onAbort, race } from '../async/race.ts';
import {
  type NodeEpoch,
  type NodeLoad,
  type NodeMessenger,
  NoResponse,
  type RequestHandler,
  type RequestOptions,
} from '../domain/ports/nodes.ts';
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
  databaseOf,
  LOAD_SUBJECT,
  type NatsConnection,
  nodeSubject,
  PLACE_SUBJECT,
  placeSubject,
  replySubject,
} from './natsConnection.ts';
import { IncomingExchange, OutgoingRequest } from './requestExchange.ts';

/** A node that sent no report for this many milliseconds is not chosen. Reports arrive each 500 ms. */
const REPORT_EXPIRY_MS = 2_500;
/** A choice that no report confirmed is forgotten after this many milliseconds: the start failed, or another session ended. */
const CHOICE_EXPIRY_MS = 2_000;

interface NodeEntry {
  readonly node: NodeEpoch;
  load: NodeLoad;
  reportedAt: number;
  /** Times of the choices that no report has counted yet, the earliest first. */
  choices: number[];
}

interface ChooseOptions {
  /** Nodes to prefer among those with the same load, the first one most. */
  readonly preferred: readonly (NodeEpoch | undefined)[];
  readonly except: readonly NodeEpoch[];
}

export const nodeKey = ({ nodeId, epoch }: NodeEpoch): string => `${nodeId}\n${epoch}`;

export const hasFreePlace = ({ sessions, capacity, draining }: NodeLoad): boolean =>
  !draining && sessions < capacity;

/** Knows the load of each node and what was placed on it since its report, so that many choices at once spread. */
export class LoadTable {
  readonly #entries = new Map<string, NodeEntry>();
  readonly #now: () => number;

  /** @param now milliseconds of a monotonic clock */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Records the load of a node. Its new sessions are those that this node has placed there: as many choices are no longer counted. */
  report(node: NodeEpoch, load: NodeLoad): void {
    const key = nodeKey(node);
    const entry = this.#entries.get(key);
    if (entry === undefined) {
      this.#entries.set(key, { node, load, reportedAt: this.#now(), choices: [] });
      return;
    }
    entry.choices.splice(0, Math.max(0, load.sessions - entry.load.sessions));
    entry.load = load;
    entry.reportedAt = this.#now();
  }

  remove(node: NodeEpoch): void {
    this.#entries.delete(nodeKey(node));
  }

  /** Chooses the least loaded node with a free place, and counts the choice. Returns null if no node has one. */
  choose({ preferred, except }: ChooseOptions): NodeEpoch | null {
    const now = this.#now();
    const excluded = new Set(except.map(nodeKey));
    const order = preferred.map(node => node && nodeKey(node));
    const rank = (key: string): number => (order.includes(key) ? order.indexOf(key) : order.length);
    let best: { entry: NodeEntry; key: string; share: number } | undefined;
    for (const [key, entry] of this.#entries) {
      if (now - entry.reportedAt > REPORT_EXPIRY_MS) {
        this.#entries.delete(key);
        continue;
      }
      entry.choices = entry.choices.filter(at => now - at < CHOICE_EXPIRY_MS);
      const sessions = entry.load.sessions + entry.choices.length;
      if (excluded.has(key) || !hasFreePlace({ ...entry.load, sessions })) continue;
      const share = sessions / entry.load.capacity;
      if (best === undefined || share < best.share || (share === best.share && rank(key) < rank(best.key)))
        best = { entry, key, share };
    }
    best?.entry.choices.push(now);
    return best?.entry.node ?? null;
  }
}

/** Time after which the node repeats a placement request without a response, in milliseconds: the member that received it has stopped. */
const QUESTION_TIMEOUT_MS = 500;
/** Reports of a load that changes often are at least this many milliseconds apart. */
const MIN_REPORT_INTERVAL_MS = 50;

interface LoadReport extends NodeEpoch, NodeLoad {
  /** True in the first report of a node: the others answer with theirs. */
  readonly joins: boolean;
}

interface PlaceQuestion {
  readonly caller: NodeEpoch | null;
  readonly except: readonly NodeEpoch[];
}

interface PlaceOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly except?: readonly NodeEpoch[];
}

class NatsPlacement {
  readonly #connection: NatsConnection;
  readonly #loads = new LoadTable();
  #own: { readonly node: NodeEpoch; load: NodeLoad } | undefined;
  /** The queue groups that this node has joined: that of its database, and that of earlier versions. */
  #groups: readonly Subscription[] = [];
  /** Time of the last report of a node of an earlier version, which knows only the second group. */
  #earlierReportAt = Number.NEGATIVE_INFINITY;
  #reports: Subscription | undefined;
  #lastReportAt = Number.NEGATIVE_INFINITY;
  #nextReport: NodeJS.Timeout | undefined;

  constructor(connection: NatsConnection) {
    this.#connection = connection;
  }

  /** Reports the load of this node, joins the queue group or leaves it. */
  reportLoad(node: NodeEpoch, load: NodeLoad): void {
    const joins = this.#own === undefined;
    const before = this.#own?.load;
    this.#own = { node, load };
    this.#loads.report(node, load);
    this.#reports ??= this.#connection.subscribe(LOAD_SUBJECT, message => this.#onReport(message));
    if (!hasFreePlace(load)) this.#leaveGroups();
    else if (this.#groups.length === 0)
      this.#groups = [...new Set([placeSubject(this.#connection.databaseId), PLACE_SUBJECT])].map(subject =>
        this.#connection.subscribe(subject, message => this.#onQuestion(message), subject),
      );
    if (joins) this.#publish(true);
    else if (before !== undefined && !sameLoad(before, load)) this.#publishSoon();
  }

  /** Questions that are under way to this node still get their answer. */
  #leaveGroups(): void {
    for (const group of this.#groups) group.drain().catch(() => {});
    this.#groups = [];
  }

  /** Called regularly: the other nodes forget a node that reports nothing. */
  tick(): void {
    if (this.#own === undefined) return;
    this.#loads.report(this.#own.node, this.#own.load);
    this.#publish();
  }

  /** Asks the queue group. @throws NoResponse `full`, `unavailable`; the reason of the signal */
  async place({ signal, timeoutMs, except = [] }: PlaceOptions): Promise<NodeEpoch> {
    signal.throwIfAborted();
    if (!this.#connection.isConnected)
      throw new NoResponse('unavailable', 'This node is not connected to the others.');
    const question = JSON.stringify({ caller: this.#own?.node ?? null, except } satisfies PlaceQuestion);
    const endsAt = performance.now() + timeoutMs;
    let chosen: NodeEpoch | null | undefined;
    while (chosen === undefined) {
      const remainingMs = endsAt - performance.now();
      if (remainingMs <= 0) throw new NoResponse('unavailable', 'The message bus did not answer.');
      chosen = await race(this.#ask(question, Math.min(remainingMs, QUESTION_TIMEOUT_MS)), onAbort(signal));
    }
    if (chosen !== null) return chosen;
    throw new NoResponse('full', 'No node has a free place.');
  }

  /** Returns the chosen node; null if no node has a free place; undefined if no node answered in time. */
  async #ask(question: string, timeoutMs: number): Promise<NodeEpoch | null | undefined> {
    const own = placeSubject(this.#connection.databaseId);
    const chosen = await this.#askGroup(own, question, timeoutMs);
    if (chosen !== null || own === PLACE_SUBJECT) return chosen;
    const hasEarlierNodes = performance.now() - this.#earlierReportAt < REPORT_EXPIRY_MS;
    return hasEarlierNodes ? this.#askGroup(PLACE_SUBJECT, question, timeoutMs) : null;
  }

  async #askGroup(
    subject: string,
    question: string,
    timeoutMs: number,
  ): Promise<NodeEpoch | null | undefined> {
    try {
      const timeout = Math.max(1, timeoutMs);
      const answer = await this.#connection.request(subject, question, { timeout });
      return answer.json<NodeEpoch | null>();
    } catch (error) {
      if (error instanceof RequestError && error.isNoResponders()) return null;
      if (error instanceof TimeoutError) return undefined;
      throw new NoResponse('unavailable', 'The message bus did not answer.', { cause: error });
    }
  }

  /** Leaves the queue group and says so. */
  close(): void {
    clearTimeout(this.#nextReport);
    if (this.#own !== undefined && this.#connection.isConnected)
      this.reportLoad(this.#own.node, { ...this.#own.load, draining: true });
    clearTimeout(this.#nextReport);
    if (this.#own !== undefined) this.#publish();
    this.#reports?.unsubscribe();
    this.#own = undefined;
  }

  #onReport(message: Msg): void {
    if (this.#own === undefined) return;
    const { nodeId, epoch, joins, ...load } = message.json<LoadReport>();
    if (nodeId === this.#own.node.nodeId && epoch === this.#own.node.epoch) return;
    if (databaseOf(message.headers) === null) this.#earlierReportAt = performance.now();
    this.#loads.report({ nodeId, epoch }, load);
    if (joins) this.#publish();
  }

  /** A member of the queue group chooses for all, because it knows the loads of all. */
  #onQuestion(message: Msg): void {
    const { caller, except } = message.json<PlaceQuestion>();
    const preferred = [caller ?? undefined, this.#own?.node];
    message.respond(JSON.stringify(this.#loads.choose({ preferred, except })));
  }

  #publishSoon(): void {
    if (this.#nextReport !== undefined) return;
    const waitMs = this.#lastReportAt + MIN_REPORT_INTERVAL_MS - performance.now();
    if (waitMs <= 0) this.#publish();
    else this.#nextReport = setTimeout(() => this.#publish(), waitMs);
  }

  #publish(joins = false): void {
    clearTimeout(this.#nextReport);
    this.#nextReport = undefined;
    if (this.#own === undefined) return;
    this.#lastReportAt = performance.now();
    const report: LoadReport = { ...this.#own.node, ...this.#own.load, joins };
    this.#connection.publish(LOAD_SUBJECT, JSON.stringify(report));
  }
}

const sameLoad = (a: NodeLoad, b: NodeLoad): boolean =>
  a.sessions === b.sessions && a.capacity === b.capacity && a.draining === b.draining;

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
  readonly #outgoing = new Map<string, OutgoingRequest>();
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
