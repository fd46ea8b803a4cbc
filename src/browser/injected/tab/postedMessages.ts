/** Counts the messages that a step posts within its window: schedulers continue long work so, in many short tasks. */

/** Maximum time in which such tasks count as work of the step. Milliseconds. */
const MAX_CHAIN_MS = 2_500;
/** Time after a message in which its listener has run. A message that follows within this time continues the work. Milliseconds. */
const RECENT_MS = 50;
/** A chain of messages that lasts longer is awaited until it has been silent for `RECENT_MS`. Milliseconds. */
const LONG_CHAIN_MS = 50;
/** Number of messages of the recorder's own after which a message of the page has certainly arrived. */
const HOPS = 2;

export class PostedMessages {
  readonly #channel = new MessageChannel();
  readonly #post = MessagePort.prototype.postMessage;
  readonly #onArrival: () => void;
  #pending = 0;
  #startedAt = -Infinity;
  #postedAt = -Infinity;
  /** True for a page that has posted without end: it is not waited for again. */
  #isEndless = false;

  /** @param onArrival called when no message is pending any more */
  constructor(onArrival: () => void) {
    this.#onArrival = onArrival;
    this.#channel.port1.onmessage = ({ data }) => this.#arrived(Number(data));
  }

  /** Records a message of the page. */
  posted(): void {
    const now = performance.now();
    if (this.#pending === 0 && !this.isRecent()) this.#startedAt = now;
    this.#postedAt = now;
    this.#pending++;
    this.#send(HOPS);
  }

  /** Returns true if work that starts now may come from a message of the step. */
  isRecent(): boolean {
    return this.#pending > 0 || performance.now() < this.#postedAt + RECENT_MS;
  }

  /** Returns true while a message of the step has not arrived. */
  isPending(): boolean {
    if (this.#isEndless) return false;
    const chainMs = performance.now() - this.#startedAt;
    if (this.#pending === 0 && !(chainMs > LONG_CHAIN_MS && this.isRecent())) return false;
    this.#isEndless = chainMs > MAX_CHAIN_MS;
    return !this.#isEndless;
  }

  #send(hops: number): void {
    Reflect.apply(this.#post, this.#channel.port2, [hops]);
  }

  #arrived(hops: number): void {
    if (hops > 1) {
      this.#send(hops - 1);
      return;
    }
    if (--this.#pending === 0) this.#onArrival();
  }
}
