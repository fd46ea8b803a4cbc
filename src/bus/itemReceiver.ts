/** Receives items in pieces. Asks for an item only when the reader wants it. */
import { CREDIT } from './itemSender.ts';
import type { SendFrame } from './messageFrame.ts';

interface PendingRead {
  resolve(result: IteratorResult<Uint8Array, undefined>): void;
  reject(error: unknown): void;
}

/** The reader's side of an `ItemSender`. */
export class ItemReceiver implements AsyncIterableIterator<Uint8Array> {
  readonly #send: SendFrame<'next' | 'credit'>;
  /** Number of items that were asked for and have not arrived. */
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

  /** Adds a piece of the current item. */
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
