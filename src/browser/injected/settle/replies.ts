/** The answers that the messages of a step await: of workers, sockets, frames, databases, files and keys. */
import {
  FIRST_EFFECT_MS,
  LATER_EFFECT_MS,
  MAX_SILENCES,
  NEXT_ANSWER_MS,
  SECOND_ANSWER_MS,
} from '../../settle/policy.ts';
import type { Chain, TaskWait } from './report.ts';

interface Reply {
  /** Null until it is known which work has sent the message. */
  chain: Chain | null;
  askedAt: number;
  /** Number of answers that are still expected. */
  expected: number;
  /** True if the page has sent no message: an answer is expected only as the first effect of the step. */
  isGuess: boolean;
  /** Time until which one more part of an answer is awaited; null before the first. */
  partUntil: number | null;
}

export interface RepliesDeps {
  presentChain(): Chain | null;
  ofStep(chain: Chain | null): boolean;
  /** Receives a reply without a chain: the present task may turn out to be work of one. */
  adopt(reply: { chain: Chain | null }): void;
  /** Called when the present task turns out to be work of a chain. */
  claim(chain: Chain): void;
  wakeAll(): void;
}

export class Replies {
  readonly #deps: RepliesDeps;
  readonly #open = new Map<object, Reply>();
  /** Number of times in a row that workers and sockets have not answered in time. */
  readonly #silences = new WeakMap<object, number>();
  /** True for sources that have answered in parts, false for those that have not. */
  readonly #answersInParts = new WeakMap<object, boolean>();

  constructor(deps: RepliesDeps) {
    this.#deps = deps;
  }

  begin(): void {
    this.#open.clear();
  }

  areOpen(): boolean {
    return this.#open.values().some(({ chain }) => this.#deps.ofStep(chain));
  }

  /** Forgets the messages that no known work has sent. */
  forgetUnclaimed(): void {
    for (const [source, { chain }] of this.#open) if (chain === null) this.#open.delete(source);
  }

  /** Records a message of the step. @param isGuess see `Reply.isGuess` */
  asked(source: object, isGuess: boolean): void {
    const chain = this.#deps.presentChain();
    const askedAt = performance.now();
    const open = this.#open.get(source);
    if (open === undefined || open.chain === null) {
      const reply: Reply = { chain, askedAt, expected: 1, isGuess, partUntil: null };
      this.#open.set(source, reply);
      if (chain === null) this.#deps.adopt(reply);
    } else if (open.partUntil !== null || open.isGuess)
      Object.assign(open, { askedAt, isGuess, expected: 1, partUntil: null });
    else if (!isGuess) Object.assign(open, { askedAt, expected: open.expected + 1 });
  }

  /** Records an answer. @returns true if no more are expected */
  answered(source: object): boolean {
    this.#silences.delete(source);
    const reply = this.#open.get(source);
    if (reply === undefined) return true;
    if (reply.partUntil !== null) this.#answersInParts.set(source, true);
    else reply.expected--;
    if (reply.expected === 0 || reply.partUntil !== null) this.#follow(source, reply);
    if (reply.chain !== null) this.#deps.claim(reply.chain);
    this.#deps.wakeAll();
    return !this.#open.has(source);
  }

  /** Forgets a source that the page has closed. */
  closed(source: object): void {
    if (this.#open.delete(source)) this.#deps.wakeAll();
  }

  /** Awaits one more part of an answer, if the source may send one. */
  #follow(source: object, reply: Reply): void {
    const inParts = this.#answersInParts.get(source);
    if (!sendsParts(source) || inParts === false) {
      this.#open.delete(source);
      return;
    }
    const partMs = inParts === true ? NEXT_ANSWER_MS : SECOND_ANSWER_MS;
    Object.assign(reply, { expected: 1, isGuess: false, partUntil: performance.now() + partMs });
  }

  /** Returns true while an answer may still show an effect of the step. */
  areAwaited(wait: TaskWait): boolean {
    let areAwaited = false;
    for (const [source, reply] of this.#open)
      if (this.#deps.ofStep(reply.chain)) areAwaited = this.#isAwaited(source, reply, wait) || areAwaited;
    return areAwaited;
  }

  #isAwaited(source: object, reply: Reply, wait: TaskWait): boolean {
    const { chain, askedAt, isGuess, partUntil } = reply;
    const now = performance.now();
    if (wait.isPromised) return partUntil === null || now < partUntil;
    if (partUntil !== null) {
      // What goes on for longer than effects do is a feed.
      const isFeed = now - (chain?.startedAt ?? now) > FIRST_EFFECT_MS;
      if (now < partUntil && !isFeed) return true;
      if (isFeed || this.#answersInParts.get(source) !== true) this.#answersInParts.set(source, false);
      this.#open.delete(source);
      return false;
    }
    const silences = this.#silences.get(source) ?? 0;
    if ((isGuess && wait.showsEffect) || silences >= MAX_SILENCES) return false;
    if (now - askedAt < (wait.showsEffect ? LATER_EFFECT_MS : FIRST_EFFECT_MS)) return true;
    this.#silences.set(source, silences + 1);
    this.#open.delete(source);
    return false;
  }
}

/** False for what the browser itself answers, once: databases, files, keys. */
const sendsParts = (source: object): boolean =>
  source instanceof EventTarget &&
  ![IDBRequest, IDBTransaction, FileReader].some(type => source instanceof type);
