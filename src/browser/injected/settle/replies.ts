/** The answers that the messages of a step await: of workers, sockets, frames, databases, files and keys. */

import { FIRST_EFFECT_MS, LATER_EFFECT_MS, MAX_SILENCES, NEXT_ANSWER_MS } from '../../settle/policy.ts';
import type { Chain, TaskWait } from './report.ts';
import { type Callback, now, prototypeOf, type StandIns } from './standIns.ts';

/** Interfaces with functions whose promises no task of the page fulfils, or that return a request of a database. Some exist in secure contexts only. */
const ANSWERING =
  'Blob SubtleCrypto Cache CacheStorage FileSystemFileHandle FileSystemDirectoryHandle StorageManager Clipboard FontFace FontFaceSet Permissions ServiceWorkerContainer HTMLImageElement MediaDevices CookieStore HTMLMediaElement BaseAudioContext OfflineAudioContext CredentialsContainer RTCPeerConnection IDBFactory IDBDatabase IDBObjectStore IDBIndex'.split(
    ' ',
  );
/** Functions whose answer is the call of a function that is passed to them. */
const CALLING = [
  [window, 'requestIdleCallback'],
  [Document.prototype, 'startViewTransition'],
  [HTMLCanvasElement.prototype, 'toBlob'],
  [prototypeOf('Geolocation'), 'getCurrentPosition'],
  [prototypeOf('LockManager'), 'request'],
  [prototypeOf('Scheduler'), 'postTask'],
] as const;

/** Returns the names of the functions of an interface. */
const functionNames = (holder: object): readonly string[] =>
  Object.entries(Object.getOwnPropertyDescriptors(holder))
    .filter(([name, { value }]) => typeof value === 'function' && name !== 'constructor')
    .map(([name]) => name);

/**
 * Records what pages ask for.
 * @param posted called when the page has sent a message that may stay in the window: schedulers continue their own work so
 * @param isStep returns true while a step runs that has not opened the document
 */
export function replySources(
  standIns: StandIns,
  replies: Replies,
  posted: () => void,
  isStep: () => boolean,
): void {
  const listening = new WeakMap<EventTarget, Set<string>>();
  /** Reports the answers of a source, from now on: a listener that is added again comes after those of the page. */
  const listen = (source: EventTarget, events: readonly string[]): void => {
    const known = listening.get(source) ?? new Set();
    listening.set(source, known);
    for (const event of events) {
      if (known.has(event)) continue;
      known.add(event);
      standIns.listen(source, event, () => void replies.answered(source));
    }
  };
  const ask = (source: unknown, events: readonly string[], isGuess = false): void => {
    if (source instanceof EventTarget && replies.asked(source, isGuess)) listen(source, events);
  };
  /** The answer is an event of the object on which the function is called. */
  const byEvent = (holder: object | null, name: string, event: string): void =>
    standIns.observing(holder, name, (source, _result, [message]) => {
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
  const byCursor = (name: string): void =>
    standIns.observing(IDBCursor.prototype, name, cursor => {
      if (cursor instanceof IDBCursor) awaitRequest(cursor.request);
    });
  const onResult = (_source: unknown, result: unknown): void => {
    awaitRequest(result);
    if (!isStep() || !(result instanceof Promise) || !replies.asked(result)) return;
    const answered = (): void => void replies.answered(result);
    standIns.observeResult(result, { fulfilled: answered, rejected: answered });
  };
  /** The answer is the call of one of the functions that are passed. */
  const byCall = ([holder, name]: readonly [object | null, string]): void =>
    standIns.calling(holder, name, (_self, args) => {
      const source = {};
      if (!replies.asked(source)) return undefined;
      for (let nth = 0; nth < args.length; nth++) {
        const callback = args[nth];
        if (typeof callback !== 'function') continue;
        args[nth] = function (this: unknown, ...given: unknown[]): unknown {
          standIns.noting(() => void replies.answered(source));
          return Reflect.apply(callback as Callback, this, given);
        };
      }
      return undefined;
    });
  const closing = (holder: object | null, name: string): void =>
    standIns.observing(holder, name, source => {
      if (source instanceof EventTarget) replies.closed(source);
    });
  /** The first answer is that the source is open; then it may speak first. */
  const opening = (name: string, isGuess: boolean): void =>
    standIns.creating(name, source => {
      ask(source, ['open', 'error']);
      standIns.listen(source, 'open', () => ask(source, ['message'], isGuess), { once: true });
    });
  CALLING.forEach(byCall);
  standIns.observing(BroadcastChannel.prototype, 'postMessage', channel => {
    posted();
    ask(channel, ['message'], true);
  });
  opening('WebSocket', true);
  opening('EventSource', false);
  // A worker may begin to work when it starts, without a message.
  standIns.creating('Worker', source => ask(source, ['message'], true));
  closing(EventSource.prototype, 'close');
  closing(WebSocket.prototype, 'close');
  closing(Worker.prototype, 'terminate');
  // What a page sends to the window of a frame, no function of the page tells.
  const onFrame = (_frame: unknown, frame: unknown): void => {
    if (frame !== null) ask(window, ['message'], true);
  };
  standIns.observing(HTMLIFrameElement.prototype, 'contentWindow', onFrame, 'get');
  byEvent(WebSocket.prototype, 'send', 'message');
  byEvent(Worker.prototype, 'postMessage', 'message');
  byEvent(MessagePort.prototype, 'postMessage', 'message');
  // A service worker answers its clients, not the object that was called.
  standIns.observing(prototypeOf('ServiceWorker'), 'postMessage', () =>
    ask(navigator.serviceWorker, ['message']),
  );
  for (const name of ['readAsText', 'readAsDataURL', 'readAsArrayBuffer', 'readAsBinaryString'])
    byEvent(FileReader.prototype, name, 'load');
  for (const name of ['continue', 'continuePrimaryKey', 'advance']) byCursor(name);
  standIns.observing(prototypeOf('ServiceWorkerContainer'), 'ready', onResult, 'get');
  standIns.observing(prototypeOf('FontFaceSet'), 'ready', onResult, 'get');
  standIns.observing(prototypeOf('Scheduler'), 'yield', onResult);
  for (const name of ['ready', 'finished', 'updateCallbackDone'])
    standIns.observing(prototypeOf('ViewTransition'), name, onResult, 'get');
  standIns.observing(window, 'createImageBitmap', onResult);
  standIns.observing(window.Notification ?? null, 'requestPermission', onResult);
  for (const holder of ANSWERING.map(prototypeOf))
    if (holder !== null) for (const name of functionNames(holder)) standIns.observing(holder, name, onResult);
  for (const name of ['compile', 'compileStreaming', 'instantiate', 'instantiateStreaming'])
    standIns.observing(WebAssembly, name, onResult);
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
    const askedAt = now();
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
        partUntil: now() + NEXT_ANSWER_MS,
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
    const time = now();
    if (wait.isPromised) return partUntil === null || time < partUntil;
    if (partUntil !== null) {
      // What goes on for longer than effects do is a feed.
      const isFeed = time - (chain?.startedAt ?? time) > FIRST_EFFECT_MS;
      if (time < partUntil && !isFeed) return true;
      this.#open.delete(source);
      return false;
    }
    const silences = this.#silences.get(source) ?? 0;
    if ((isGuess && wait.showsEffect) || silences >= MAX_SILENCES) return false;
    if (time - askedAt < (wait.showsEffect ? LATER_EFFECT_MS : FIRST_EFFECT_MS)) return true;
    this.#silences.set(source, silences + 1);
    this.#open.delete(source);
    return false;
  }
}

/** False for what the browser itself answers, once: databases, files, keys; and for frames. */
const sendsParts = (source: object): boolean =>
  source instanceof EventTarget &&
  source !== window &&
  ![IDBRequest, IDBTransaction, FileReader].some(type => source instanceof type);
