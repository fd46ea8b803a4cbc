/** The answers that a step awaits: of workers, sockets, frames, databases, files and keys; and what runs when responses have come. */

import * as policy from '../../settle/policy.ts';
import { type Callback, now, prototypeOf, type StandIns } from './standIns.ts';

/** Interfaces with functions whose promises no task of the page fulfils, or that return a request of a database. Some exist in secure contexts only. */
const ANSWERING =
  'Blob SubtleCrypto Cache CacheStorage FileSystemFileHandle FileSystemDirectoryHandle FileSystemWritableFileStream WritableStream StorageManager Clipboard FontFace FontFaceSet Permissions ServiceWorkerContainer HTMLImageElement MediaDevices CookieStore HTMLMediaElement BaseAudioContext OfflineAudioContext OffscreenCanvas CredentialsContainer RTCPeerConnection IDBFactory IDBDatabase IDBObjectStore IDBIndex'.split(
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

/** The functions that read a body, by their interfaces. */
const READERS: readonly (readonly [object | null, string])[] = [
  [Response.prototype, 'json text arrayBuffer blob formData bytes'],
  [ReadableStreamDefaultReader.prototype, 'read'],
  [ReadableStreamBYOBReader.prototype, 'read'],
  [ReadableStream.prototype, 'pipeTo'],
  // That of `for await`.
  [Reflect.getPrototypeOf(new ReadableStream().values()), 'next'],
];

const functionNames = (holder: object): readonly string[] =>
  Object.entries(Object.getOwnPropertyDescriptors(holder))
    .filter(([name, { value }]) => typeof value === 'function' && name !== 'constructor')
    .map(([name]) => name);

/** The recorded work for which `TaskRecorder.next` waits. */
export interface TaskWait {
  readonly showsEffect: boolean;
  readonly offersAction: boolean;
  readonly maxMs: number;
  /** True if the caller has set `maxMs`: then everything is waited for that ends within it. */
  readonly isPromised: boolean;
  /** True to wait also for timers of unknown origin: the step was performed in a frame, which may have told the document above it. */
  readonly includesOthers: boolean;
}

/** Work that began with one input of a step, or with one timer of the page's own. */
export interface Chain {
  /** Number of the step; 0 for the page's own work. */
  readonly step: number;
  /** Time of the beginning, as `performance.now()`, later by the time that servers took. */
  readonly startedAt: number;
}

/** The origin of work, as the recorder knows it: see src/browser/injected/settle/tasks.ts. */
export interface Origins {
  presentChain(): Chain | null;
  ofStep(chain: Chain | null): boolean;
  isOfStep(): boolean;
  /** True while a step runs that has not opened the document. */
  isStep(): boolean;
  /** Called when a message is sent that may stay in the window: schedulers continue their own work so. */
  onPosted(): void;
  /** Receives work without a chain: the present task may turn out to be work of one. */
  adopt(work: { chain: Chain | null }): void;
  claim(chain: Chain): void;
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

export function watchReplies(standIns: StandIns, origins: Origins) {
  const { apply } = Reflect;
  const { addEventListener } = EventTarget.prototype;
  const { presentChain, ofStep, isOfStep, isStep, adopt, claim } = origins;
  const open = new Map<object, Reply>();
  /** Number of times in a row that workers and sockets have not answered in time. */
  const silences = new WeakMap<object, number>();

  /** Records that the page has asked for something. @returns false if no step waits for the answer */
  function asked(source: object, isGuess = false): boolean {
    const chain = presentChain();
    if (chain !== null && !ofStep(chain)) return false;
    const askedAt = now();
    const before = open.get(source);
    if (before === undefined || before.chain === null) {
      const reply: Reply = { chain, askedAt, expected: 1, isGuess, partUntil: null };
      open.set(source, reply);
      if (chain === null) adopt(reply);
    } else if (before.partUntil !== null || before.isGuess)
      Object.assign(before, { askedAt, isGuess, expected: 1, partUntil: null });
    else if (!isGuess) Object.assign(before, { askedAt, expected: before.expected + 1 });
    return true;
  }

  function answered(source: object): void {
    silences.delete(source);
    const reply = open.get(source);
    if (reply === undefined) return;
    reply.expected--;
    if (reply.expected > 0) reply.partUntil = null;
    else if (!sendsParts(source)) open.delete(source);
    else Object.assign(reply, { expected: 1, isGuess: false, partUntil: now() + policy.NEXT_ANSWER_MS });
    if (reply.chain !== null) claim(reply.chain);
  }

  function isAwaited(source: object, reply: Reply, wait: TaskWait): boolean {
    const { chain, askedAt, isGuess, partUntil } = reply;
    const time = now();
    if (wait.isPromised) return partUntil === null || time < partUntil;
    const silent = silences.get(source) ?? 0;
    if (partUntil !== null) {
      // What goes on for longer than effects do is a feed.
      if (time < partUntil && time - (chain?.startedAt ?? time) <= policy.EFFECT_MS) return true;
    } else {
      if ((isGuess && wait.showsEffect) || silent >= policy.MAX_SILENCES) return false;
      if (time - askedAt < policy.EFFECT_MS) return true;
      silences.set(source, silent + 1);
    }
    open.delete(source);
    return false;
  }

  // A listener that is added again stays where it is.
  const onAnswer = ({ currentTarget }: Event): void =>
    standIns.noting(() => {
      if (currentTarget !== null) answered(currentTarget);
    });
  const ask = (source: unknown, events: readonly string[], isGuess = false): void => {
    if (!(source instanceof EventTarget) || !asked(source, isGuess)) return;
    for (const event of events) apply(addEventListener, source, [event, onAnswer]);
  };
  const awaitRequest = (request: unknown): void => {
    if (request instanceof IDBRequest || request instanceof IDBTransaction)
      ask(request, ['success', 'complete', 'error', 'abort']);
  };
  const onResult = (_source: unknown, result: unknown): void => {
    awaitRequest(result);
    if (isStep() && result instanceof Promise && asked(result))
      standIns.observeResult(result, () => answered(result));
  };
  for (const [holder, names, key] of PROMISING)
    for (const name of names.split(' ')) standIns.observing(holder, name, onResult, key);
  for (const holder of ANSWERING.map(prototypeOf))
    for (const name of functionNames(holder ?? {})) standIns.observing(holder, name, onResult);
  for (const [holder, name] of CALLING)
    standIns.calling(holder, name, (_self, args) => {
      const source = {};
      if (!asked(source)) return undefined;
      for (let nth = 0; nth < args.length; nth++) {
        const callback = args[nth];
        if (typeof callback !== 'function') continue;
        args[nth] = standIns.callback(callback as Callback, () => answered(source));
      }
      return undefined;
    });
  for (const [holder, names, event] of BY_EVENT)
    for (const name of names.split(' ')) standIns.observing(holder, name, source => ask(source, [event]));
  for (const { prototype } of [EventSource, WebSocket, Worker])
    for (const name of ['close', 'terminate'])
      standIns.observing(prototype, name, source => open.delete(source as object));
  // The answer is one more event of the request of the cursor.
  for (const name of ['continue', 'continuePrimaryKey', 'advance'])
    standIns.observing(IDBCursor.prototype, name, cursor => {
      if (cursor instanceof IDBCursor) awaitRequest(cursor.request);
    });
  const workerPorts = new WeakSet<MessagePort>();
  const onPort = (_worker: unknown, port: unknown) => port instanceof MessagePort && workerPorts.add(port);
  standIns.observing(prototypeOf('SharedWorker'), 'port', onPort, 'get');
  standIns.observing(MessagePort.prototype, 'postMessage', (port, _result, [message]) => {
    origins.onPosted();
    // Schedulers post nothing to themselves; what is asked of a worker has content.
    const isAsked = message !== null && /^(?:object|string)$/.test(typeof message);
    if (isAsked || (port instanceof MessagePort && workerPorts.has(port))) ask(port, ['message']);
  });
  standIns.observing(BroadcastChannel.prototype, 'postMessage', channel => {
    origins.onPosted();
    ask(channel, ['message'], true);
  });
  // The browser goes through the history later; where there is no entry, nothing comes.
  for (const name of ['back', 'forward', 'go'])
    standIns.observing(History.prototype, name, () => {
      const source = {};
      if (!asked(source, true)) return;
      standIns.listen(window, 'popstate', () => answered(source), { once: true });
    });
  // A service worker answers its clients, not the object that was called.
  standIns.observing(prototypeOf('ServiceWorker'), 'postMessage', () =>
    ask(navigator.serviceWorker, ['message']),
  );
  // What a page sends to the window of a frame, no function of the page tells.
  const onFrame = (_frame: unknown, frame: unknown) => frame !== null && ask(window, ['message'], true);
  standIns.observing(HTMLIFrameElement.prototype, 'contentWindow', onFrame, 'get');
  // The first answer is that the source is open; then it may speak first.
  for (const name of ['WebSocket', 'EventSource'])
    standIns.observing(window, name, (_self, source) => {
      if (!(source instanceof EventTarget)) return;
      ask(source, ['open', 'error']);
      standIns.listen(source, 'open', () => ask(source, ['message'], name === 'WebSocket'), { once: true });
    });
  // A worker may begin to work when it starts, without a message.
  standIns.observing(window, 'Worker', (_self, source) => ask(source, ['message'], true));
  let reading = 0;
  /** The last request to each address: whether something uses the response, and when that has come. */
  const sent = new Map<string, { isUsed: boolean; answeredAt: number }>();

  /** Returns a function to call when what was asked for now has come. The time until then does not count as time of the chain. */
  const resumption = (): (() => void) => {
    const chain = presentChain();
    const at = now();
    return () => {
      if (chain !== null) claim({ ...chain, startedAt: chain.startedAt + now() - at });
    };
  };
  standIns.observing(window, 'fetch', (_self, result, [input]) => {
    const url = urlOf(input);
    if (!isStep() || !(result instanceof Promise) || url === null || sent.size >= policy.MAX_TASKS) return;
    const request = { isUsed: !isOfStep(), answeredAt: Infinity };
    sent.set(url.split('#', 1)[0] ?? '', request);
    const resume = resumption();
    const answered = (): void => {
      request.answeredAt = now();
      resume();
    };
    const used = (): void => {
      request.isUsed = true;
    };
    standIns.observeResult(result, answered, used);
  });
  standIns.observing(XMLHttpRequest.prototype, 'send', self => {
    if (!isStep() || !(self instanceof XMLHttpRequest)) return;
    const resume = resumption();
    for (const type of ['readystatechange', 'load', 'loadend', 'error', 'abort', 'timeout'])
      standIns.listen(self, type, resume);
  });
  for (const [holder, names] of READERS)
    for (const name of names.split(' '))
      standIns.observing(holder, name, (_self, result) => {
        if (!isStep() || !(result instanceof Promise)) return;
        reading++;
        const resume = resumption();
        standIns.observeResult(result, () => {
          reading--;
          resume();
        });
      });
  return {
    begin(): void {
      open.clear();
      sent.clear();
    },
    areOpen: () => open.values().some(({ chain }) => ofStep(chain)),
    /** Returns true while an answer may still show an effect of the step. */
    areAwaited(wait: TaskWait): boolean {
      let areAwaited = false;
      for (const [source, reply] of open)
        if (ofStep(reply.chain)) areAwaited = isAwaited(source, reply, wait) || areAwaited;
      return areAwaited;
    },
    /** Returns the addresses of the requests whose responses or bodies nothing uses, one on each line. */
    unused(): string {
      const before = reading === 0 ? now() - policy.SILENT_BODY_MS : -Infinity;
      const unused = [...sent].filter(([, { isUsed, answeredAt }]) => !isUsed || answeredAt < before);
      return unused.map(([url]) => url).join('\n');
    },
  };
}

/** False for what the browser itself answers, once: databases, files, keys; and for frames. */
const sendsParts = (source: object): boolean =>
  source instanceof EventTarget &&
  source !== window &&
  ![IDBRequest, IDBTransaction, FileReader].some(type => source instanceof type);

/** Returns the address of a request, without a call of the page's; null for an object that the browser asks for its text. */
function urlOf(input: unknown): string | null {
  if (input instanceof Request) return input.url;
  if (input instanceof URL || input instanceof Location) return input.href;
  return typeof input === 'string' ? (URL.parse(input, document.baseURI)?.href ?? null) : null;
}
