/** The answers that the messages of a step await: of workers, sockets, frames, databases, files and keys. */

import { FIRST_EFFECT_MS, LATER_EFFECT_MS, MAX_SILENCES, NEXT_ANSWER_MS } from '../../settle/policy.ts';
import type { Chain, TaskWait } from './report.ts';
import { type Callback, now, prototypeOf, type StandIns } from './standIns.ts';

/** Interfaces with functions whose promises no task of the page fulfils, or that return a request of a database. Some exist in secure contexts only. */
const ANSWERING =
  'Blob SubtleCrypto Cache CacheStorage FileSystemFileHandle FileSystemDirectoryHandle FileSystemWritableFileStream WritableStream StorageManager Clipboard FontFace FontFaceSet Permissions ServiceWorkerContainer HTMLImageElement MediaDevices CookieStore HTMLMediaElement BaseAudioContext OfflineAudioContext CredentialsContainer RTCPeerConnection IDBFactory IDBDatabase IDBObjectStore IDBIndex'.split(
    ' ',
  );
/** Other functions with such promises, and attributes. */
const PROMISING = [
  [window, 'createImageBitmap', 'value'],
  [prototypeOf('Scheduler'), 'yield', 'value'],
  [window.Notification ?? null, 'requestPermission', 'value'],
  [WebAssembly, 'compile compileStreaming instantiate instantiateStreaming', 'value'],
  [prototypeOf('ServiceWorkerContainer'), 'ready', 'get'],
  [prototypeOf('FontFaceSet'), 'ready', 'get'],
  [prototypeOf('ViewTransition'), 'ready finished updateCallbackDone', 'get'],
] as const;
/** Functions whose answer is the call of a function that is passed to them. */
const CALLING = [
  [window, 'requestIdleCallback'],
  [Document.prototype, 'startViewTransition'],
  [HTMLCanvasElement.prototype, 'toBlob'],
  [prototypeOf('Geolocation'), 'getCurrentPosition'],
  [prototypeOf('LockManager'), 'request'],
  [prototypeOf('Scheduler'), 'postTask'],
] as const;
/** Functions whose answer is an event of the object on which they are called. */
const BY_EVENT = [
  [WebSocket.prototype, 'send', 'message'],
  [Worker.prototype, 'postMessage', 'message'],
  [FileReader.prototype, 'readAsText readAsDataURL readAsArrayBuffer readAsBinaryString', 'load'],
] as const;
const CLOSING = [
  [EventSource.prototype, 'close'],
  [WebSocket.prototype, 'close'],
  [Worker.prototype, 'terminate'],
] as const;

const functionNames = (holder: object): readonly string[] =>
  Object.entries(Object.getOwnPropertyDescriptors(holder))
    .filter(([name, { value }]) => typeof value === 'function' && name !== 'constructor')
    .map(([name]) => name);

/** The origin of work, as far as the recorder knows it. */
export interface Origins {
  /** Returns the chain of work that starts now; null if nothing is known of it. */
  presentChain(): Chain | null;
  ofStep(chain: Chain | null): boolean;
  isOfStep(): boolean;
  /** True while a step runs that has not opened the document. */
  isStep(): boolean;
  /** Called when work of the step, or work of unknown origin, has asked for something. */
  onSent(): void;
  /** Called when a message is sent that may stay in the window: schedulers continue their own work so. */
  onPosted(): void;
  /** Receives a reply without a chain: the present task may turn out to be work of one. */
  adopt(reply: { chain: Chain | null }): void;
  claim(chain: Chain): void;
  wakeAll(): void;
}

interface Reply {
  /** Null until it is known which work has sent the message. */
  chain: Chain | null;
  askedAt: number;
  expected: number;
  /** True if the page has sent no message: an answer is expected only as the first effect of the step. */
  isGuess: boolean;
  /** Time until which one more part of an answer is awaited; null before the first. */
  partUntil: number | null;
}

export class Replies {
  readonly #origins: Origins;
  readonly #open = new Map<object, Reply>();
  /** Number of times in a row that workers and sockets have not answered in time. */
  readonly #silences = new WeakMap<object, number>();

  /** Starts to record what the page asks for. */
  constructor(standIns: StandIns, origins: Origins) {
    this.#origins = origins;
    const { apply } = Reflect;
    const { addEventListener } = EventTarget.prototype;
    // A listener that is added again stays where it is.
    const onAnswer = ({ currentTarget }: Event): void =>
      standIns.noting(() => {
        if (currentTarget !== null) this.#answered(currentTarget);
      });
    const ask = (source: unknown, events: readonly string[], isGuess = false): void => {
      if (!(source instanceof EventTarget) || !this.#asked(source, isGuess)) return;
      for (const event of events) apply(addEventListener, source, [event, onAnswer]);
    };
    const awaitRequest = (request: unknown): void => {
      if (request instanceof IDBRequest || request instanceof IDBTransaction)
        ask(request, ['success', 'complete', 'error', 'abort']);
    };
    const onResult = (_source: unknown, result: unknown): void => {
      awaitRequest(result);
      if (origins.isStep() && result instanceof Promise && this.#asked(result))
        standIns.observeResult(result, () => this.#answered(result));
    };
    for (const [holder, names, key] of PROMISING)
      for (const name of names.split(' ')) standIns.observing(holder, name, onResult, key);
    for (const holder of ANSWERING.map(prototypeOf))
      for (const name of functionNames(holder ?? {})) standIns.observing(holder, name, onResult);
    for (const [holder, name] of CALLING)
      standIns.calling(holder, name, (_self, args) => {
        const source = {};
        if (!this.#asked(source)) return undefined;
        for (let nth = 0; nth < args.length; nth++) {
          const callback = args[nth];
          if (typeof callback !== 'function') continue;
          args[nth] = standIns.callback(callback as Callback, () => this.#answered(source));
        }
        return undefined;
      });
    for (const [holder, names, event] of BY_EVENT)
      for (const name of names.split(' ')) standIns.observing(holder, name, source => ask(source, [event]));
    for (const [holder, name] of CLOSING)
      standIns.observing(holder, name, source => {
        if (source instanceof EventTarget && this.#open.delete(source)) origins.wakeAll();
      });
    // The answer is one more event of the request of the cursor.
    for (const name of ['continue', 'continuePrimaryKey', 'advance'])
      standIns.observing(IDBCursor.prototype, name, cursor => {
        if (cursor instanceof IDBCursor) awaitRequest(cursor.request);
      });
    standIns.observing(MessagePort.prototype, 'postMessage', (port, _result, [message]) => {
      origins.onPosted();
      // Schedulers post nothing to themselves; what is asked of a worker has content.
      if (message !== null && /^(?:object|string)$/.test(typeof message)) ask(port, ['message']);
    });
    standIns.observing(BroadcastChannel.prototype, 'postMessage', channel => {
      origins.onPosted();
      ask(channel, ['message'], true);
    });
    // The browser goes through the history later; where there is no entry, nothing comes.
    for (const name of ['back', 'forward', 'go'])
      standIns.observing(History.prototype, name, () => {
        const source = {};
        if (!this.#asked(source, true)) return;
        standIns.listen(window, 'popstate', () => this.#answered(source), { once: true });
      });
    // A service worker answers its clients, not the object that was called.
    standIns.observing(prototypeOf('ServiceWorker'), 'postMessage', () =>
      ask(navigator.serviceWorker, ['message']),
    );
    // What a page sends to the window of a frame, no function of the page tells.
    const onFrame = (_frame: unknown, frame: unknown): void => {
      if (frame !== null) ask(window, ['message'], true);
    };
    standIns.observing(HTMLIFrameElement.prototype, 'contentWindow', onFrame, 'get');
    // The first answer is that the source is open; then it may speak first.
    for (const name of ['WebSocket', 'EventSource'])
      standIns.creating(name, source => {
        ask(source, ['open', 'error']);
        standIns.listen(source, 'open', () => ask(source, ['message'], name === 'WebSocket'), { once: true });
      });
    // A worker may begin to work when it starts, without a message.
    standIns.creating('Worker', source => ask(source, ['message'], true));
  }

  begin(): void {
    this.#open.clear();
  }

  areOpen(): boolean {
    return this.#open.values().some(({ chain }) => this.#origins.ofStep(chain));
  }

  /** Forgets the messages that no known work has sent. */
  forgetUnclaimed(): void {
    for (const [source, { chain }] of this.#open) if (chain === null) this.#open.delete(source);
  }

  /** Returns true while an answer may still show an effect of the step. */
  areAwaited(wait: TaskWait): boolean {
    let areAwaited = false;
    for (const [source, reply] of this.#open)
      if (this.#origins.ofStep(reply.chain)) areAwaited = this.#isAwaited(source, reply, wait) || areAwaited;
    return areAwaited;
  }

  /** Records that the page has asked for something. @returns false if no step waits for the answer */
  #asked(source: object, isGuess = false): boolean {
    const { presentChain, ofStep, onSent, adopt } = this.#origins;
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

  #answered(source: object): void {
    this.#silences.delete(source);
    const reply = this.#open.get(source);
    if (reply === undefined) return;
    reply.expected--;
    if (reply.expected > 0) reply.partUntil = null;
    else if (!sendsParts(source)) this.#open.delete(source);
    else Object.assign(reply, { expected: 1, isGuess: false, partUntil: now() + NEXT_ANSWER_MS });
    if (reply.chain !== null) this.#origins.claim(reply.chain);
    this.#origins.wakeAll();
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
