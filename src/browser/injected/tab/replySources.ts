/**
 * The functions with which a page asks for something that comes later: messages to servers and workers, files, databases, keys.
 * Their replacements tell when the answer has come.
 */
import type { Callback, FunctionReplacement } from './windowFunctions.ts';

/** Receives the calls of the replaced functions. */
export interface ReplyObserver {
  /**
   * Called when the page has asked for something.
   * @returns a function to call when an answer has come, which returns true if no more are expected; null if no operation waits for this
   * one, or waits already
   */
  asked(source: object): (() => boolean) | null;
  /** Called when the page has sent a message that may stay in the window: schedulers continue their own work so. */
  posted(): void;
}

/** Returns the functions and their replacements. */
export function replySources(observer: ReplyObserver): readonly FunctionReplacement[] {
  const then = Promise.prototype.then as Callback;
  /** The answer is an event of the object on which the function is called. */
  const byEvent = (prototype: object, name: string, event: string): FunctionReplacement | null =>
    replaced(prototype, name, (source, _result, [message]) => {
      if (source instanceof MessagePort) {
        observer.posted();
        // Schedulers post nothing to themselves; what is asked of a worker has content.
        if (message === null || !/^(?:object|string)$/.test(typeof message)) return;
      }
      if (!(source instanceof EventTarget)) return;
      const answered = observer.asked(source);
      if (answered === null) return;
      const listener = (): void => {
        if (answered()) source.removeEventListener(event, listener);
      };
      source.addEventListener(event, listener);
    });
  /** The answer is an event of the request that the function returns. */
  const byResult = (prototype: object, name: string): FunctionReplacement | null =>
    replaced(prototype, name, (_source, result) => {
      if (!(result instanceof IDBRequest)) return;
      const answered = observer.asked(result);
      if (answered === null) return;
      for (const event of ['success', 'error']) result.addEventListener(event, answered, { once: true });
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
    byEvent(WebSocket.prototype, 'send', 'message'),
    byEvent(Worker.prototype, 'postMessage', 'message'),
    byEvent(MessagePort.prototype, 'postMessage', 'message'),
    ...['readAsText', 'readAsDataURL', 'readAsArrayBuffer', 'readAsBinaryString'].map(name =>
      byEvent(FileReader.prototype, name, 'load'),
    ),
    ...['open', 'deleteDatabase'].map(name => byResult(IDBFactory.prototype, name)),
    ...'get getAll getKey getAllKeys count put add delete clear openCursor'
      .split(' ')
      .flatMap(name => [byResult(IDBObjectStore.prototype, name), byResult(IDBIndex.prototype, name)]),
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
  ['Clipboard', 'readText writeText read write'],
] as const;

/** @param wrap returns what is passed on in the place of the function that the page has passed */
function replacedCallback(
  prototype: object | null,
  name: string,
  wrap: (callback: Callback) => Callback,
): FunctionReplacement | null {
  const holder = prototype as Record<string, Callback>;
  const original = prototype === null ? undefined : holder[name];
  if (original === undefined) return null;
  const replacement = new Proxy(original, {
    apply(target, self, [callback, ...rest]: unknown[]) {
      const passed = typeof callback === 'function' ? wrap(callback as Callback) : callback;
      return Reflect.apply(target, self, [passed, ...rest]);
    },
  });
  return { holder, name, original, replacement };
}

function prototypeOf(interfaceName: string): object | null {
  const found = (window as unknown as Record<string, { readonly prototype?: object } | undefined>)[
    interfaceName
  ];
  return found?.prototype ?? null;
}

/** @param called receives the object, the result and the arguments of each call */
function replaced(
  prototype: object | null,
  name: string,
  called: (source: unknown, result: unknown, args: readonly unknown[]) => void,
): FunctionReplacement | null {
  const holder = prototype as Record<string, Callback>;
  const original = prototype === null ? undefined : holder[name];
  if (original === undefined) return null;
  const replacement = new Proxy(original, {
    apply(target, self, args: unknown[]) {
      const result = Reflect.apply(target, self, args);
      called(self, result, args);
      return result;
    },
  });
  return { holder, name, original, replacement };
}
