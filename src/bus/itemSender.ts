/** Sends the items of an iterator when the other side asks for them, each in pieces. */
import type { SendFrame } from './messageFrame.ts';

/** Number of pieces of an item that are sent before the other side has to ask for more. */
const WINDOW = 8;
/** Number of pieces for which a receiver asks at once. */
export const CREDIT = 4;

/** The frames of a sender. */
type ItemFrame = 'piece' | 'item' | 'end' | 'fail';

/** Sends one item for each `ask()`. */
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

  /** The reader wants one more item. */
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

  /** Sends one item in pieces, the last one as `last`. */
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
