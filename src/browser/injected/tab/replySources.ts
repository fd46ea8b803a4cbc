/**
 * The functions with which a page asks for something that comes later: messages to servers and workers, files, databases, keys.
 * Their replacements tell when the answer has come.
 */
import { eventStreams } from './eventStreams.ts';
import { foreignFrames } from './foreignFrames.ts';
import { replaced, replacedCallback, replacedConstructor } from './replacedFunctions.ts';
import type { ReplyObserver } from './replyObserver.ts';
import type { Callback, FunctionReplacement } from './windowFunctions.ts';

/** Returns the functions and their replacements. */
export function replySources(observer: ReplyObserver): readonly FunctionReplacement[] {
  const then = Promise.prototype.then as Callback;
  const awaitEvents = (
    source: EventTarget,
    event: string,
    answered: ReturnType<ReplyObserver['asked']>,
  ): void => {
    if (answered === null) return;
    const listener = (answer: Event): void => {
      if (answered(answer)) source.removeEventListener(event, listener);
    };
    source.addEventListener(event, listener);
  };
  /** The answer is an event of the object on which the function is called. */
  const byEvent = (prototype: object, name: string, event: string): FunctionReplacement | null =>
    replaced(prototype, name, (source, _result, [message]) => {
      if (source instanceof MessagePort) {
        observer.posted();
        // Schedulers post nothing to themselves; what is asked of a worker has content.
        if (message === null || !/^(?:object|string)$/.test(typeof message)) return;
      }
      if (source instanceof EventTarget) awaitEvents(source, event, observer.asked(source));
    });
  const awaitRequest = (request: unknown): void => {
    if (!(request instanceof IDBRequest || request instanceof IDBTransaction)) return;
    const answered = observer.asked(request);
    if (answered === null) return;
    for (const event of ['success', 'complete', 'error', 'abort'])
      request.addEventListener(event, answered, { once: true });
  };
  /** The answer is one more event of the request of the cursor that the function moves. */
  const byCursor = (name: string): FunctionReplacement | null =>
    replaced(IDBCursor.prototype, name, source => {
      if (source instanceof IDBCursor) awaitRequest(source.request);
    });
  /** The answer is an event of the request that the function returns. */
  const byResult = (prototype: object, name: string): FunctionReplacement | null =>
    replaced(prototype, name, (_source, result) => {
      awaitRequest(result);
    });
  /** The answer is the result of a promise. */
  const byPromise = (holder: object | null, name: string): FunctionReplacement | null =>
    replaced(holder, name, (_source, result) => {
      if (!(result instanceof Promise)) return;
      const answered = observer.asked(result);
      // Called before what the page does with the result, because the page has no reference to it yet.
      if (answered !== null) Reflect.apply(then, result, [answered, answered]);
    });
  /** The answer is the call of the function that is passed: the window calls it when it has time. */
  const byCall = (holder: object | null, name: string): FunctionReplacement | null =>
    replacedCallback(holder, name, callback => {
      const answered = observer.asked(callback);
      return answered === null
        ? callback
        : function (this: unknown, ...given: unknown[]): unknown {
            answered();
            return Reflect.apply(callback, this, given);
          };
    });
  const all = [
    byCall(window, 'requestIdleCallback'),
    byCall(prototypeOf('Scheduler'), 'postTask'),
    byCall(Document.prototype, 'startViewTransition'),
    replaced(BroadcastChannel.prototype, 'postMessage', () => observer.posted()),
    replacedConstructor('WebSocket', source => {
      const opened = observer.asked(source);
      if (opened === null) return;
      source.addEventListener('error', opened, { once: true });
      const onOpen = (): void => {
        opened();
        // The server may speak first.
        awaitEvents(source, 'message', observer.asked(source, true));
      };
      source.addEventListener('open', onOpen, { once: true });
    }),
    ...eventStreams(observer),
    // A worker may begin to work when it starts, without a message.
    replacedConstructor('Worker', source => awaitEvents(source, 'message', observer.asked(source, true))),
    foreignFrames(observer),
    byEvent(WebSocket.prototype, 'send', 'message'),
    byEvent(Worker.prototype, 'postMessage', 'message'),
    byEvent(MessagePort.prototype, 'postMessage', 'message'),
    // A service worker answers its clients, not the object that was called.
    replaced(prototypeOf('ServiceWorker'), 'postMessage', () => {
      const { serviceWorker } = navigator;
      awaitEvents(serviceWorker, 'message', observer.asked(serviceWorker));
    }),
    ...['readAsText', 'readAsDataURL', 'readAsArrayBuffer', 'readAsBinaryString'].map(name =>
      byEvent(FileReader.prototype, name, 'load'),
    ),
    byResult(IDBDatabase.prototype, 'transaction'),
    ...['open', 'deleteDatabase'].map(name => byResult(IDBFactory.prototype, name)),
    ...'get getAll getKey getAllKeys count put add delete clear openCursor'
      .split(' ')
      .flatMap(name => [byResult(IDBObjectStore.prototype, name), byResult(IDBIndex.prototype, name)]),
    ...['continue', 'continuePrimaryKey', 'advance'].map(byCursor),
    byPromise(window, 'createImageBitmap'),
    byPromise(HTMLImageElement.prototype, 'decode'),
    ...PROMISING.flatMap(([interfaceName, names]) =>
      names.split(' ').map(name => byPromise(prototypeOf(interfaceName), name)),
    ),
  ];
  return all.filter(source => source !== null);
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
] as const;

function prototypeOf(interfaceName: string): object | null {
  const found = (window as unknown as Record<string, { readonly prototype?: object } | undefined>)[
    interfaceName
  ];
  return found?.prototype ?? null;
}
