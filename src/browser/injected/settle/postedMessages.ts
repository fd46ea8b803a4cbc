/** Counts the messages that a step posts within its window: schedulers continue long work so, in many short tasks. */
import { FIRST_EFFECT_MS, POSTED_MS } from '../../settle/policy.ts';
import type { TaskWait } from './report.ts';

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

  /** Time at which the present row of messages started, as `performance.now()`. */
  get startedAt(): number {
    return this.#startedAt;
  }

  /** Records a message of the page. */
  posted(): void {
    const now = performance.now();
    if (!this.isRecent()) this.#startedAt = now;
    this.#postedAt = now;
    this.#pending++;
    this.#send(HOPS);
  }

  /** Returns true if work that starts now may come from a message of the step. */
  isRecent(): boolean {
    return this.#pending > 0 || performance.now() < this.#postedAt + POSTED_MS;
  }

  /** Returns true while a message of the step has not arrived, and, in a row of messages, while another may follow. */
  isPending({ isPromised }: TaskWait): boolean {
    if (this.#isEndless && !isPromised) return false;
    const rowMs = performance.now() - this.#startedAt;
    if (this.#pending === 0 && !(rowMs > POSTED_MS && this.isRecent())) return false;
    this.#isEndless = rowMs > FIRST_EFFECT_MS;
    return isPromised || !this.#isEndless;
  }

  #send(hops: number): void {
    Reflect.apply(this.#post, this.#channel.port2, [hops]);
  }

  #arrived(hops: number): void {
    if (hops > 1) this.#send(hops - 1);
    else if (--this.#pending === 0) this.#onArrival();
  }
}
