/**
 * The functions with which a page asks for something that comes later: messages to servers and workers, files, databases, keys.
 * Their replacements tell when the answer has come.
 */
import {
  type Callback,
  type FunctionReplacement,
  prototypeOf,
  replaced,
  replacedCallback,
  replacedConstructor,
} from './functionReplacements.ts';

/** Receives the calls of the replaced functions. */
export interface ReplyObserver {
  /**
   * Called when the page has asked for something.
   * @param isGuess true if the page has sent no message, so that an answer is expected only as the first effect of the step
   * @returns false if no step waits for the answer
   */
  asked(source: object, isGuess?: boolean): boolean;
  /** Called when an answer has come. @returns true if no more are expected */
  answered(source: object): boolean;
  /** Called when the page has closed a source. */
  closed(source: object): void;
  /** Called when the page has sent a message that may stay in the window: schedulers continue their own work so. */
  posted(): void;
}

/** Interfaces whose functions return promises that no task of the page fulfils, and these functions. Some exist in secure contexts only. */
const PROMISING = [
  ['Blob', 'text arrayBuffer bytes'],
  ['SubtleCrypto', 'digest encrypt decrypt sign verify generateKey deriveKey deriveBits importKey exportKey'],
  ['Cache', 'match matchAll add addAll put delete keys'],
  ['CacheStorage', 'open match'],
  ['FileSystemFileHandle', 'getFile createWritable'],
  ['FileSystemDirectoryHandle', 'getFileHandle'],
  ['Clipboard', 'readText read'],
  ['FontFace', 'load'],
  ['FontFaceSet', 'load'],
  ['Permissions', 'query'],
  ['ServiceWorkerContainer', 'register getRegistration'],
  ['HTMLImageElement', 'decode'],
] as const;
/** The functions of stores and indexes that return a request. */
const STORE_REQUESTS = 'get getAll getKey getAllKeys count put add delete clear openCursor'.split(' ');

/** Returns the functions and their replacements. */
export function replySources(observer: ReplyObserver): readonly (FunctionReplacement | null)[] {
  const then = Promise.prototype.then as Callback;
  const listening = new WeakMap<EventTarget, Set<string>>();
  /** Reports the answers of a source, from now on: a listener that is added again comes after those of the page. */
  const listen = (source: EventTarget, events: readonly string[]): void => {
    const known = listening.get(source) ?? new Set();
    listening.set(source, known);
    for (const event of events) {
      if (known.has(event)) continue;
      known.add(event);
      source.addEventListener(event, () => void observer.answered(source));
    }
  };
  const ask = (source: unknown, events: readonly string[], isGuess = false): void => {
    if (source instanceof EventTarget && observer.asked(source, isGuess)) listen(source, events);
  };
  /** The answer is an event of the object on which the function is called. */
  const byEvent = (holder: object | null, name: string, event: string): FunctionReplacement | null =>
    replaced(holder, name, (source, _result, [message]) => {
      if (source instanceof MessagePort) {
        observer.posted();
        // Schedulers post nothing to themselves; what is asked of a worker has content.
        if (message === null || !/^(?:object|string)$/.test(typeof message)) return;
      }
      ask(source, [event]);
    });
  const awaitRequest = (request: unknown): void => {
    if (request instanceof IDBRequest || request instanceof IDBTransaction)
      ask(request, ['success', 'complete', 'error', 'abort']);
  };
  /** The answer is an event of the request that the function returns. */
  const byRequest = (holder: object, name: string): FunctionReplacement | null =>
    replaced(holder, name, (_source, result) => awaitRequest(result));
  /** The answer is one more event of the request of the cursor that the function moves. */
  const byCursor = (name: string): FunctionReplacement | null =>
    replaced(IDBCursor.prototype, name, cursor => {
      if (cursor instanceof IDBCursor) awaitRequest(cursor.request);
    });
  /** The answer is the result of a promise. */
  const byPromise = (holder: object | null, name: string): FunctionReplacement | null =>
    replaced(holder, name, (_source, result) => {
      if (!(result instanceof Promise) || !observer.asked(result)) return;
      const answered = (): void => void observer.answered(result);
      // Called before what the page does with the result, because the page has no reference to it yet.
      Reflect.apply(then, result, [answered, answered]);
    });
  /** The answer is the call of the function that is passed: the window calls it when it has time. */
  const byCall = (holder: object | null, name: string): FunctionReplacement | null =>
    replacedCallback(holder, name, callback => {
      const source = {};
      if (!observer.asked(source)) return callback;
      return function (this: unknown, ...given: unknown[]): unknown {
        observer.answered(source);
        return Reflect.apply(callback, this, given);
      };
    });
  const closing = (holder: object | null, name: string): FunctionReplacement | null =>
    replaced(holder, name, source => {
      if (source instanceof EventTarget) observer.closed(source);
    });
  /** The first answer is that the source is open; then it may speak first. */
  const opening = (name: string, isGuess: boolean): FunctionReplacement | null =>
    replacedConstructor(name, source => {
      ask(source, ['open', 'error']);
      source.addEventListener('open', () => ask(source, ['message'], isGuess), { once: true });
    });
  return [
    byCall(window, 'requestIdleCallback'),
    byCall(prototypeOf('Scheduler'), 'postTask'),
    byCall(Document.prototype, 'startViewTransition'),
    replaced(BroadcastChannel.prototype, 'postMessage', () => observer.posted()),
    opening('WebSocket', true),
    opening('EventSource', false),
    // A worker may begin to work when it starts, without a message.
    replacedConstructor('Worker', source => ask(source, ['message'], true)),
    closing(EventSource.prototype, 'close'),
    closing(WebSocket.prototype, 'close'),
    closing(Worker.prototype, 'terminate'),
    foreignFrames(observer),
    byEvent(WebSocket.prototype, 'send', 'message'),
    byEvent(Worker.prototype, 'postMessage', 'message'),
    byEvent(MessagePort.prototype, 'postMessage', 'message'),
    // A service worker answers its clients, not the object that was called.
    replaced(prototypeOf('ServiceWorker'), 'postMessage', () => ask(navigator.serviceWorker, ['message'])),
    ...['readAsText', 'readAsDataURL', 'readAsArrayBuffer', 'readAsBinaryString'].map(name =>
      byEvent(FileReader.prototype, name, 'load'),
    ),
    byRequest(IDBDatabase.prototype, 'transaction'),
    ...['open', 'deleteDatabase'].map(name => byRequest(IDBFactory.prototype, name)),
    ...STORE_REQUESTS.flatMap(name => [
      byRequest(IDBObjectStore.prototype, name),
      byRequest(IDBIndex.prototype, name),
    ]),
    ...['continue', 'continuePrimaryKey', 'advance'].map(byCursor),
    byPromise(window, 'createImageBitmap'),
    ...PROMISING.flatMap(([interfaceName, names]) =>
      names.split(' ').map(name => byPromise(prototypeOf(interfaceName), name)),
    ),
  ];
}

/** Stands for the window of one frame, which may not be touched. */
class ForeignFrame {}

/** Expects the answer of a frame of another origin whose window a step has got hold of: what it sends to that window, no function of the page tells. */
function foreignFrames(observer: ReplyObserver): FunctionReplacement | null {
  const holder = HTMLIFrameElement.prototype;
  const original = Object.getOwnPropertyDescriptor(holder, 'contentWindow')?.get;
  const documentOf = Object.getOwnPropertyDescriptor(holder, 'contentDocument')?.get;
  const sourceOf = Object.getOwnPropertyDescriptor(MessageEvent.prototype, 'source')?.get;
  if (original === undefined || documentOf === undefined || sourceOf === undefined) return null;
  const frames = new WeakMap<object, ForeignFrame>();
  const awaitMessage = (frame: object, sender: unknown): void => {
    const known = frames.get(frame);
    const source = known ?? new ForeignFrame();
    frames.set(frame, source);
    // The window is read again and again: one answer is expected.
    if (!observer.asked(source, true) || known !== undefined) return;
    const listener = (event: MessageEvent): void => {
      if (Reflect.apply(sourceOf, event, []) !== sender || !observer.answered(source)) return;
      window.removeEventListener('message', listener, { capture: true });
      frames.delete(frame);
    };
    window.addEventListener('message', listener, { capture: true });
  };
  const replacement = new Proxy(original, {
    apply(target, frame, args: unknown[]) {
      const result: unknown = Reflect.apply(target, frame, args);
      if (result !== null && Reflect.apply(documentOf, frame, []) === null)
        awaitMessage(frame as object, result);
      return result;
    },
  });
  return { holder, name: 'contentWindow', original, replacement, isGetter: true };
}
