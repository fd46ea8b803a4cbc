/**
 * The messages that one request consists of. The last two tokens of a message's subject are its kind and its number,
 * which counts from 0 in each direction: a gap means that a message was lost.
 */

/** The messages of the caller: the request first, then the rest. */
export type CallerFrame =
  | 'request'
  | 'piece'
  | 'item'
  | 'end'
  | 'fail'
  | 'next'
  | 'credit'
  | 'alive'
  | 'cancel';

/**
 * The messages of the owner. `received`: the request has arrived. `piece`: a part of an item; `item`: its last part;
 * `only`: the last part of the only item; `end`: no more items; `fail`: the handler failed; `next`: asks for the next item of the
 * body; `credit`: asks for more pieces; `alive`: the handler still works; `unknown`: the owner does not know the request.
 */
export type OwnerFrame =
  | 'received'
  | 'piece'
  | 'item'
  | 'only'
  | 'end'
  | 'fail'
  | 'next'
  | 'credit'
  | 'alive'
  | 'unknown';

export type SendFrame<Kind extends string> = (kind: Kind, data?: Uint8Array) => void;

export interface ReceivedFrame {
  readonly kind: string;
  readonly number: number;
  readonly data: Uint8Array;
}

/** Names of the headers of a request. All other headers are its trace context. */
export const TIMEOUT_HEADER = 'Pagespace-Timeout-Ms';
/** Present if the payload does not stand in the request itself, but is the first item that follows it. */
export const PAYLOAD_FOLLOWS_HEADER = 'Pagespace-Payload-Follows';
export const BODY_FOLLOWS_HEADER = 'Pagespace-Body-Follows';

export const TICK_MS = 500;
export const TICKS_PER_ALIVE = 2;
/**
 * A request without any answer after this many ticks was lost. An owner acknowledges at once, and says at the first `alive` if it does not
 * know the request, so more ticks only wait for an owner whose process is busy: its work would go on while the caller hears that the
 * outcome is unknown.
 */
export const TICKS_UNTIL_LOST = 6;
/** A side that was silent for this many ticks is gone: three `alive` did not arrive. */
export const TICKS_UNTIL_SILENT = 7;

/** Maximum size of a piece in bytes: small requests between the pieces of a large one do not wait long. */
const MAX_PIECE_BYTES = 262_144;
/** Bytes of a message that stay free for its headers and subjects. */
const OVERHEAD_BYTES = 4_096;

/** `maxPayload`: maximum size of a message in bytes. */
export const maxPieceBytes = (maxPayload: number): number =>
  Math.min(MAX_PIECE_BYTES, Math.floor(Math.max(maxPayload - OVERHEAD_BYTES, maxPayload / 2)));

interface PendingRead {
  resolve(result: IteratorResult<Uint8Array, undefined>): void;
  reject(error: unknown): void;
}

/** The reader's side of an `ItemSender`. */
export class ItemReceiver implements AsyncIterableIterator<Uint8Array> {
  readonly #send: SendFrame<'next' | 'credit'>;
  #asked: number;
  #pieces: Uint8Array[] = [];
  readonly #items: Uint8Array[] = [];
  readonly #reads: PendingRead[] = [];
  #end: { readonly error?: unknown } | undefined;

  /** @param asked number of items that the other side sends without being asked */
  constructor(send: SendFrame<'next' | 'credit'>, asked: number) {
    this.#send = send;
    this.#asked = asked;
  }

  next(): Promise<IteratorResult<Uint8Array, undefined>> {
    const item = this.#items.shift();
    if (item !== undefined) return Promise.resolve({ done: false, value: item });
    if (this.#end !== undefined) return this.#ended();
    const { promise, resolve, reject } = Promise.withResolvers<IteratorResult<Uint8Array, undefined>>();
    this.#reads.push({ resolve, reject });
    if (this.#asked < this.#reads.length) {
      this.#asked += 1;
      this.#send('next');
    }
    return promise;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  addPiece(piece: Uint8Array): void {
    this.#pieces.push(piece);
    if (this.#pieces.length % CREDIT === 0) this.#send('credit');
  }

  /** Adds the last piece of the current item, and gives the item to the reader. */
  addLastPiece(piece: Uint8Array): void {
    const item = this.#pieces.length === 0 ? piece : Buffer.concat([...this.#pieces, piece]);
    this.#pieces = [];
    this.#asked -= 1;
    const read = this.#reads.shift();
    if (read === undefined) this.#items.push(item);
    else read.resolve({ done: false, value: item });
  }

  /** Ends the items. The reader gets the error once, if there is one. Only the first call has an effect. */
  end(error?: unknown): void {
    if (this.#end !== undefined) return;
    this.#end = error === undefined ? {} : { error };
    for (const { resolve, reject } of this.#reads.splice(0)) this.#ended().then(resolve, reject);
  }

  #ended(): Promise<IteratorResult<Uint8Array, undefined>> {
    const { error } = this.#end ?? {};
    this.#end = {};
    return error === undefined ? Promise.resolve({ done: true, value: undefined }) : Promise.reject(error);
  }
}

/** Number of pieces of an item that are sent before the other side has to ask for more. */
const WINDOW = 8;
/** Number of pieces for which a receiver asks at once. */
const CREDIT = 4;

type ItemFrame = 'piece' | 'item' | 'end' | 'fail';

export class ItemSender {
  readonly #items: AsyncIterator<Uint8Array>;
  readonly #send: SendFrame<ItemFrame>;
  readonly #maxPieceBytes: number;
  #asked = 0;
  #window = WINDOW;
  #stopped = false;
  #wake: () => void = () => {};

  constructor(items: AsyncIterator<Uint8Array>, send: SendFrame<ItemFrame>, maxPieceBytes: number) {
    this.#items = items;
    this.#send = send;
    this.#maxPieceBytes = maxPieceBytes;
  }

  ask(): void {
    this.#asked += 1;
    this.#wake();
  }

  /** The reader has taken some pieces of an item that is not complete. */
  credit(): void {
    this.#window += CREDIT;
    this.#wake();
  }

  /** Ends the iterator. Nothing is sent afterwards. Idempotent. */
  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#wake();
    // The iterator may wait for a value that never arrives, and its own end may fail.
    this.#items.return?.().catch(() => {});
  }

  /** Runs until the iterator ends or fails, or `stop()`. Sends `end` or `fail` last. Never rejects. */
  async run(): Promise<void> {
    try {
      for (;;) {
        await this.#until(() => this.#asked > 0);
        if (this.#stopped) return;
        this.#asked -= 1;
        const item = await this.#items.next();
        if (this.#stopped) return;
        if (item.done === true) break;
        await this.sendItem(item.value, 'item');
      }
      this.#emit('end');
    } catch {
      this.#emit('fail');
    }
  }

  async sendItem<Last extends string>(item: Uint8Array, last: Last): Promise<void> {
    this.#window = WINDOW;
    for (let start = 0; ; start += this.#maxPieceBytes) {
      const piece = item.subarray(start, start + this.#maxPieceBytes);
      if (start + piece.length >= item.length) {
        if (!this.#stopped) (this.#send as SendFrame<string>)(last, piece);
        return;
      }
      await this.#until(() => this.#window > 0);
      if (this.#stopped) return;
      this.#window -= 1;
      this.#send('piece', piece);
    }
  }

  #emit(kind: ItemFrame): void {
    if (!this.#stopped) this.#send(kind);
  }

  async #until(condition: () => boolean): Promise<void> {
    while (!condition() && !this.#stopped) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
  }
}
