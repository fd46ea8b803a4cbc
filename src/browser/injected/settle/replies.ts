/** The answers that the messages of a step await: of workers, sockets, frames, databases, files and keys. */

import { FIRST_EFFECT_MS, LATER_EFFECT_MS, MAX_SILENCES, NEXT_ANSWER_MS } from '../../settle/policy.ts';
import {
  type Callback,
  type FunctionReplacement,
  observing,
  prototypeOf,
  replaced,
  replacedConstructor,
  replacedWith,
  swapped,
} from './functionReplacements.ts';
import type { Chain, TaskWait } from './report.ts';

/** Interfaces with functions whose promises no task of the page fulfils, or that return a request of a database. Some exist in secure contexts only. */
const ANSWERING =
  'Blob SubtleCrypto Cache CacheStorage FileSystemFileHandle FileSystemDirectoryHandle StorageManager Clipboard FontFace FontFaceSet Permissions ServiceWorkerContainer HTMLImageElement MediaDevices LockManager CookieStore Scheduler IDBFactory IDBDatabase IDBObjectStore IDBIndex'.split(
    ' ',
  );
/** Functions whose answer is the call of a function that is passed to them. */
const CALLING = [
  [window, 'requestIdleCallback'],
  [Document.prototype, 'startViewTransition'],
  [HTMLCanvasElement.prototype, 'toBlob'],
  [prototypeOf('Geolocation'), 'getCurrentPosition'],
] as const;

/** Returns the names of the functions of an interface. */
const functionNames = (holder: object): readonly string[] =>
  Object.entries(Object.getOwnPropertyDescriptors(holder))
    .filter(([name, { value }]) => typeof value === 'function' && name !== 'constructor')
    .map(([name]) => name);

/**
 * Returns the replacements of the functions with which pages ask.
 * @param posted called when the page has sent a message that may stay in the window: schedulers continue their own work so
 */
export function replySources(replies: Replies, posted: () => void): readonly (FunctionReplacement | null)[] {
  const then = Promise.prototype.then as Callback;
  const listening = new WeakMap<EventTarget, Set<string>>();
  /** Reports the answers of a source, from now on: a listener that is added again comes after those of the page. */
  const listen = (source: EventTarget, events: readonly string[]): void => {
    const known = listening.get(source) ?? new Set();
    listening.set(source, known);
    for (const event of events) {
      if (known.has(event)) continue;
      known.add(event);
      source.addEventListener(event, () => void replies.answered(source));
    }
  };
  const ask = (source: unknown, events: readonly string[], isGuess = false): void => {
    if (source instanceof EventTarget && replies.asked(source, isGuess)) listen(source, events);
  };
  /** The answer is an event of the object on which the function is called. */
  const byEvent = (holder: object | null, name: string, event: string): FunctionReplacement | null =>
    replaced(holder, name, (source, _result, [message]) => {
      if (source instanceof MessagePort) {
        posted();
        // Schedulers post nothing to themselves; what is asked of a worker has content.
        if (message === null || !/^(?:object|string)$/.test(typeof message)) return;
      }
      ask(source, [event]);
    });
  const awaitRequest = (request: unknown): void => {
    if (request instanceof IDBRequest || request instanceof IDBTransaction)
      ask(request, ['success', 'complete', 'error', 'abort']);
  };
  /** The answer is one more event of the request of the cursor that the function moves. */
  const byCursor = (name: string): FunctionReplacement | null =>
    replaced(IDBCursor.prototype, name, cursor => {
      if (cursor instanceof IDBCursor) awaitRequest(cursor.request);
    });
  const onResult = (_source: unknown, result: unknown): void => {
    awaitRequest(result);
    if (!(result instanceof Promise) || !replies.asked(result)) return;
    const answered = (): void => void replies.answered(result);
    // Called before what the page does with the result, because the page has no reference to it yet.
    Reflect.apply(then, result, [answered, answered]);
  };
  /** The answer is the result of a promise, or an event of the request that the function returns. */
  const byResult = (holder: object | null, name: string): FunctionReplacement | null =>
    replaced(holder, name, onResult);
  const readyOf = prototypeOf('ServiceWorkerContainer');
  const ready = readyOf === null ? undefined : Object.getOwnPropertyDescriptor(readyOf, 'ready')?.get;
  /** The answer is the call of one of the functions that are passed. */
  const byCall = ([holder, name]: readonly [object | null, string]): FunctionReplacement | null =>
    replacedWith(holder, name, (original, self, args) => {
      const source = {};
      if (!replies.asked(source)) return Reflect.apply(original, self, args);
      const wrapped = (callback: Callback): Callback =>
        function (this: unknown, ...given: unknown[]): unknown {
          replies.answered(source);
          return Reflect.apply(callback, this, given);
        };
      const passed = args.map(arg => (typeof arg === 'function' ? wrapped(arg as Callback) : arg));
      return Reflect.apply(original, self, passed);
    });
  const closing = (holder: object | null, name: string): FunctionReplacement | null =>
    replaced(holder, name, source => {
      if (source instanceof EventTarget) replies.closed(source);
    });
  /** The first answer is that the source is open; then it may speak first. */
  const opening = (name: string, isGuess: boolean): FunctionReplacement | null =>
    replacedConstructor(name, source => {
      ask(source, ['open', 'error']);
      source.addEventListener('open', () => ask(source, ['message'], isGuess), { once: true });
    });
  return [
    ...CALLING.map(byCall),
    replaced(BroadcastChannel.prototype, 'postMessage', posted),
    opening('WebSocket', true),
    opening('EventSource', false),
    // A worker may begin to work when it starts, without a message.
    replacedConstructor('Worker', source => ask(source, ['message'], true)),
    closing(EventSource.prototype, 'close'),
    closing(WebSocket.prototype, 'close'),
    closing(Worker.prototype, 'terminate'),
    foreignFrames(replies),
    byEvent(WebSocket.prototype, 'send', 'message'),
    byEvent(Worker.prototype, 'postMessage', 'message'),
    byEvent(MessagePort.prototype, 'postMessage', 'message'),
    // A service worker answers its clients, not the object that was called.
    replaced(prototypeOf('ServiceWorker'), 'postMessage', () => ask(navigator.serviceWorker, ['message'])),
    ...['readAsText', 'readAsDataURL', 'readAsArrayBuffer', 'readAsBinaryString'].map(name =>
      byEvent(FileReader.prototype, name, 'load'),
    ),
    ...['continue', 'continuePrimaryKey', 'advance'].map(byCursor),
    readyOf === null || ready === undefined
      ? null
      : swapped(readyOf, 'ready', ready, new Proxy(ready, { apply: observing(onResult) }), 'get'),
    byResult(window, 'createImageBitmap'),
    byResult(window.Notification ?? null, 'requestPermission'),
    ...ANSWERING.flatMap(interfaceName => {
      const holder = prototypeOf(interfaceName);
      return holder === null ? [] : functionNames(holder).map(name => byResult(holder, name));
    }),
  ];
}

/** Stands for the window of one frame, which may not be touched. */
class ForeignFrame {}

/** Expects the answer of a frame whose window a step has got hold of: what it sends to that window, no function of the page tells. */
function foreignFrames(replies: Replies): FunctionReplacement | null {
  const holder = HTMLIFrameElement.prototype;
  const original = Object.getOwnPropertyDescriptor(holder, 'contentWindow')?.get;
  const sourceOf = Object.getOwnPropertyDescriptor(MessageEvent.prototype, 'source')?.get;
  if (original === undefined || sourceOf === undefined) return null;
  const frames = new WeakMap<object, ForeignFrame>();
  const awaitMessage = (frame: object, sender: unknown): void => {
    const known = frames.get(frame);
    const source = known ?? new ForeignFrame();
    frames.set(frame, source);
    // The window is read again and again: one answer is expected.
    if (!replies.asked(source, true) || known !== undefined) return;
    const listener = (event: MessageEvent): void => {
      if (Reflect.apply(sourceOf, event, []) !== sender || !replies.answered(source)) return;
      window.removeEventListener('message', listener, { capture: true });
      frames.delete(frame);
    };
    window.addEventListener('message', listener, { capture: true });
  };
  const replacement = new Proxy(original, {
    apply(target, frame, args: unknown[]) {
      const result: unknown = Reflect.apply(target, frame, args);
      if (result !== null) awaitMessage(frame as object, result);
      return result;
    },
  });
  return swapped(holder, 'contentWindow', original, replacement, 'get');
}

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
  /** Called when work of the step, or work of unknown origin, has asked for something. */
  onSent(): void;
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

  /**
   * Records that the page has asked for something.
   * @param isGuess see `Reply.isGuess`
   * @returns false if no step waits for the answer
   */
  asked(source: object, isGuess = false): boolean {
    const { presentChain, ofStep, onSent, adopt } = this.#deps;
    const chain = presentChain();
    if (chain !== null && !ofStep(chain)) return false;
    onSent();
    const askedAt = performance.now();
    const open = this.#open.get(source);
    if (open === undefined || open.chain === null) {
      const reply: Reply = { chain, askedAt, expected: 1, isGuess, partUntil: null };
      this.#open.set(source, reply);
      if (chain === null) adopt(reply);
    } else if (open.partUntil !== null || open.isGuess)
      Object.assign(open, { askedAt, isGuess, expected: 1, partUntil: null });
    else if (!isGuess) Object.assign(open, { askedAt, expected: open.expected + 1 });
    return true;
  }

  /** Records an answer. @returns true if no more are expected */
  answered(source: object): boolean {
    this.#silences.delete(source);
    const reply = this.#open.get(source);
    if (reply === undefined) return true;
    reply.expected--;
    if (reply.expected > 0) reply.partUntil = null;
    else if (!sendsParts(source)) this.#open.delete(source);
    else
      Object.assign(reply, {
        expected: 1,
        isGuess: false,
        partUntil: performance.now() + NEXT_ANSWER_MS,
      });
    if (reply.chain !== null) this.#deps.claim(reply.chain);
    this.#deps.wakeAll();
    return !this.#open.has(source);
  }

  /** Forgets a source that the page has closed. */
  closed(source: object): void {
    if (this.#open.delete(source)) this.#deps.wakeAll();
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
