/** A request of another node, from the side of the node that answers it. */
import type { IncomingRequest, RequestHandler } from '../domain/ports/nodeMessenger.ts';
import {
  ItemReceiver,
  ItemSender,
  type OwnerFrame,
  type ReceivedFrame,
  type SendFrame,
  TICKS_PER_ALIVE,
  TICKS_UNTIL_SILENT,
} from './itemStream.ts';

/** The fields of an incoming request, and the functions of the messenger that it uses. */
export interface IncomingLink {
  readonly send: SendFrame<OwnerFrame>;
  readonly maxPieceBytes: number;
  readonly trace: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** True if the payload is the first item that follows the request. */
  readonly payloadFollows: boolean;
  readonly bodyFollows: boolean;
  /** Called once when the request has ended, however. */
  readonly onEnd: () => void;
}

/** Calls the handler with the request and sends its response. */
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

  /** Handles a message of the caller. */
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
