import { succeeds } from '../async/race.ts';
import {
  type IncomingRequest,
  NoResponse,
  type RequestHandler,
  type RequestOptions,
} from '../domain/ports/nodes.ts';
import {
  type CallerFrame,
  ItemReceiver,
  ItemSender,
  type OwnerFrame,
  type ReceivedFrame,
  type SendFrame,
  TICKS_PER_ALIVE,
  TICKS_UNTIL_LOST,
  TICKS_UNTIL_SILENT,
} from './itemStream.ts';

interface OutgoingLink {
  /** Sends a message to the owner. The first one carries the headers of the request. */
  readonly send: SendFrame<CallerFrame>;
  /** Resolves when the server has passed on the messages so far, or has said that no node listens. */
  readonly flush: () => Promise<void>;
  readonly maxPieceBytes: number;
  /** True if a payload stands in the request itself. */
  readonly payloadFollows: boolean;
  readonly onEnd: () => void;
}

/** Sends the request in its constructor. */
export class OutgoingRequest implements AsyncIterableIterator<Uint8Array> {
  readonly #link: OutgoingLink;
  readonly #options: RequestOptions;
  readonly #responses: ItemReceiver;
  readonly #body: ItemSender;
  #timer: NodeJS.Timeout | undefined;
  #received = false;
  /** True when it is certain that the server passed the request on to a node. */
  #delivered = false;
  #ended = false;
  #nextNumber = 0;
  #ticks = 0;
  #silentTicks = 0;

  constructor(payload: Uint8Array, options: RequestOptions, link: OutgoingLink) {
    this.#link = link;
    this.#options = options;
    // The owner sends the first item without being asked.
    this.#responses = new ItemReceiver(link.send, 1);
    const items = outgoingItems(link.payloadFollows ? payload : null, options.body);
    this.#body = new ItemSender(items, link.send, link.maxPieceBytes);
    link.send('request', link.payloadFollows ? undefined : payload);
    options.signal.addEventListener('abort', this.#onAbort, { once: true });
    this.#timer = setTimeout(() => {
      this.#giveUp(`The node did not answer within ${options.timeoutMs} ms; the outcome is unknown.`);
    }, options.timeoutMs);
    if (link.payloadFollows) this.#body.ask();
    if (link.payloadFollows || options.body !== undefined) void this.#body.run();
  }

  next(): Promise<IteratorResult<Uint8Array, undefined>> {
    return this.#responses.next();
  }

  return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.#cancel();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  receive({ kind, number, data }: ReceivedFrame): void {
    if (this.#ended) return;
    if (kind === 'unknown') {
      this.#end(new NoResponse('silent', 'The node no longer knows the request; the outcome is unknown.'));
      return;
    }
    if (number !== this.#nextNumber) {
      this.#giveUp('A part of the response was lost; the outcome is unknown.');
      return;
    }
    this.#nextNumber += 1;
    this.#silentTicks = 0;
    this.#received = true;
    switch (kind) {
      case 'piece':
        this.#responses.addPiece(data);
        break;
      case 'item':
        clearTimeout(this.#timer);
        this.#responses.addLastPiece(data);
        break;
      case 'only':
        this.#responses.addLastPiece(data);
        this.#end();
        break;
      case 'end':
        this.#end();
        break;
      case 'fail':
        this.#end(new NoResponse('silent', 'The node failed while it answered; the outcome is unknown.'));
        break;
      case 'next':
        this.#body.ask();
        break;
      case 'credit':
        this.#body.credit();
        break;
    }
  }

  /**
   * No node listens for one of the messages. Before the request is known to be delivered, that is the request or a part of its
   * payload: no handler has begun. Later it is another message, and the owner may have stopped after it received the request.
   */
  noResponder(): void {
    this.#end(
      this.#received || this.#delivered
        ? new NoResponse('silent', 'The node stopped before it answered; the outcome is unknown.')
        : new NoResponse('gone', 'No node listens there.'),
    );
  }

  connectionLost(): void {
    this.#end(
      new NoResponse('silent', 'The connection to the other nodes was lost; the outcome is unknown.'),
    );
  }

  /** Called regularly: notices an owner that no longer answers, and says that this caller still waits. */
  tick(): void {
    this.#ticks += 1;
    this.#silentTicks += 1;
    if (!this.#received && this.#silentTicks >= TICKS_UNTIL_LOST)
      this.#giveUp('The node did not acknowledge the request; the outcome is unknown.');
    else if (this.#silentTicks >= TICKS_UNTIL_SILENT)
      this.#giveUp('The node no longer answers; the outcome is unknown.');
    else if (this.#ticks % TICKS_PER_ALIVE === 0) void this.#sendAlive();
  }

  /** Says that this caller still waits, once a node has the request: if none listens, the server answers `alive` as it answers the request. */
  async #sendAlive(): Promise<void> {
    if (!this.#received && !this.#delivered) {
      // The messages of the server arrive in order. A flush fails with its connection, which ends the request.
      if (!(await succeeds(this.#link.flush())) || this.#ended) return;
      this.#delivered = true;
    }
    this.#link.send('alive');
  }

  readonly #onAbort = (): void => this.#cancel(this.#options.signal.reason);

  #giveUp(message: string): void {
    this.#cancel(new NoResponse('silent', message));
  }

  #cancel(error?: unknown): void {
    if (this.#ended) return;
    this.#link.send('cancel');
    this.#end(error);
  }

  #end(error?: unknown): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#options.signal.removeEventListener('abort', this.#onAbort);
    this.#body.stop();
    this.#responses.end(error);
    this.#link.onEnd();
  }
}

/** The items that follow a request: its payload if that is too large for one message, then its body. */
async function* outgoingItems(
  payload: Uint8Array | null,
  body: AsyncIterable<Uint8Array> | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (payload !== null) yield payload;
  if (body !== undefined) yield* body;
}

interface IncomingLink {
  readonly send: SendFrame<OwnerFrame>;
  readonly maxPieceBytes: number;
  readonly trace: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** True if the payload is the first item that follows the request. */
  readonly payloadFollows: boolean;
  readonly bodyFollows: boolean;
  readonly onEnd: () => void;
}

export class IncomingExchange {
  readonly #link: IncomingLink;
  readonly #body: ItemReceiver;
  readonly #abandoned = new AbortController();
  readonly #endsAt: number;
  #responses: ItemSender | undefined;
  #nextNumber = 1;
  #asked = 1;
  #ended = false;
  #ticks = 0;
  #silentTicks = 0;

  constructor(link: IncomingLink) {
    this.#link = link;
    this.#endsAt = performance.now() + link.timeoutMs;
    this.#body = new ItemReceiver(link.send, link.payloadFollows ? 1 : 0);
    link.send('received');
  }

  /** Runs the handler. Never rejects. @param data what stands in the request itself */
  async run(handler: RequestHandler, data: Uint8Array): Promise<void> {
    try {
      const payload = this.#link.payloadFollows ? (await this.#body.next()).value : data;
      if (!this.#link.bodyFollows) this.#body.end();
      if (payload === undefined || this.#ended) return;
      const answer = handler(this.#incoming(payload));
      if (Symbol.asyncIterator in answer) await this.#stream(answer[Symbol.asyncIterator]());
      else await this.#respond(await answer);
    } catch {
      this.#sendIfOpen('fail');
    } finally {
      this.#end();
    }
  }

  #incoming(payload: Uint8Array): IncomingRequest {
    const endsAt = this.#endsAt;
    return {
      payload,
      trace: this.#link.trace,
      body: this.#body,
      signal: this.#abandoned.signal,
      get remainingMs() {
        return Math.max(0, endsAt - performance.now());
      },
    };
  }

  async #respond(response: Uint8Array): Promise<void> {
    if (this.#ended) return;
    const none = { next: () => Promise.resolve({ done: true as const, value: undefined }) };
    this.#responses = new ItemSender(none, this.#link.send, this.#link.maxPieceBytes);
    await this.#responses.sendItem(response, 'only');
  }

  async #stream(items: AsyncIterator<Uint8Array>): Promise<void> {
    const sender = new ItemSender(items, this.#link.send, this.#link.maxPieceBytes);
    this.#responses = sender;
    if (this.#ended) sender.stop();
    for (; this.#asked > 0; this.#asked -= 1) sender.ask();
    await sender.run();
  }

  receive({ kind, number, data }: ReceivedFrame): void {
    if (this.#ended) return;
    if (number !== this.#nextNumber) {
      this.#sendIfOpen('fail');
      this.#abandon('A part of the request was lost.');
      return;
    }
    this.#nextNumber += 1;
    this.#silentTicks = 0;
    switch (kind) {
      case 'piece':
        this.#body.addPiece(data);
        break;
      case 'item':
        this.#body.addLastPiece(data);
        break;
      case 'end':
        this.#body.end();
        break;
      case 'fail':
        this.#body.end(new Error('The caller failed while it sent the body.'));
        break;
      case 'next':
        if (this.#responses === undefined) this.#asked += 1;
        else this.#responses.ask();
        break;
      case 'credit':
        this.#responses?.credit();
        break;
      case 'cancel':
        this.#abandon('The caller no longer waits.');
        break;
    }
  }

  /** Called regularly: notices a caller that is gone, and says that the handler still works. */
  tick(): void {
    this.#ticks += 1;
    this.#silentTicks += 1;
    if (this.#silentTicks >= TICKS_UNTIL_SILENT) this.#abandon("The caller's node no longer answers.");
    else if (this.#ticks % TICKS_PER_ALIVE === 0) this.#sendIfOpen('alive');
  }

  /** Ends the request because this node stops. */
  stop(): void {
    this.#sendIfOpen('fail');
    this.#abandon('The node stops.');
  }

  #sendIfOpen(kind: OwnerFrame): void {
    if (!this.#ended) this.#link.send(kind);
  }

  #abandon(message: string): void {
    const error = new Error(message);
    this.#end();
    this.#body.end(error);
    this.#abandoned.abort(error);
    this.#responses?.stop();
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#link.onEnd();
  }
}
