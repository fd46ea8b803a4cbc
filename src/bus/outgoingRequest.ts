/** A request to another node, from the side of its caller. */
import { NoResponse, type RequestOptions } from '../domain/ports/nodeMessenger.ts';
import {
  type CallerFrame,
  ItemReceiver,
  ItemSender,
  type ReceivedFrame,
  type SendFrame,
  TICKS_PER_ALIVE,
  TICKS_UNTIL_LOST,
  TICKS_UNTIL_SILENT,
} from './itemStream.ts';

/** The functions of the messenger that a request uses. */
export interface OutgoingLink {
  /** Sends a message to the owner. The first one carries the headers of the request. */
  readonly send: SendFrame<CallerFrame>;
  /** Resolves when the server has passed on the messages so far, or has said that no node listens. */
  readonly flush: () => Promise<void>;
  readonly maxPieceBytes: number;
  /** True if a payload stands in the request itself. */
  readonly payloadFollows: boolean;
  /** Called once when the request has ended, however. */
  readonly onEnd: () => void;
}

/** Sends the request when the first item of the response is read. */
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

  /** Handles a message of the owner. */
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

  /** The connection of this node was lost. */
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

  /**
   * Says that this caller still waits. The caller must know first that a node has the request: if none listens, the server
   * answers an `alive` as it answers the request.
   */
  async #sendAlive(): Promise<void> {
    if (!this.#received && !this.#delivered) {
      // The messages of the server arrive in order. A flush fails with its connection, which ends the request.
      const isFlushed = await this.#link.flush().then(
        () => true,
        () => false,
      );
      if (!isFlushed || this.#ended) return;
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
