/**
 * Follows the requests that scripts send: what runs when a response or its body has come is work of the chain that has sent the request.
 * Knows the requests whose responses nothing uses, such as beacons: nothing can follow them.
 */
import { SILENT_BODY_MS } from '../../settle/policy.ts';
import type { Chain } from './report.ts';
import type { Callback, StandIns } from './standIns.ts';

/** The functions that read a body, by their interfaces. */
const READERS: readonly (readonly [object | null, string])[] = [
  [Response.prototype, 'json text arrayBuffer blob formData bytes'],
  [ReadableStreamDefaultReader.prototype, 'read'],
  [ReadableStreamBYOBReader.prototype, 'read'],
  [ReadableStream.prototype, 'pipeTo'],
  // That of `for await`.
  [Reflect.getPrototypeOf(new ReadableStream().values()), 'next'],
];

export interface RequestSourcesDeps {
  presentChain(): Chain | null;
  isOfStep(): boolean;
  /** True while a step runs that has not opened the document. */
  isStep(): boolean;
  /** Called when the present task turns out to be work of a chain. */
  claim(chain: Chain): void;
  /** Called when work of the step has sent a request. */
  onSent(): void;
}

export interface RequestSources {
  begin(): void;
  /** Returns the addresses of the requests whose responses or bodies nothing uses, one on each line. */
  unused(): string;
}

export function requestSources(standIns: StandIns, deps: RequestSourcesDeps): RequestSources {
  const { presentChain, isOfStep, isStep, claim, onSent } = deps;
  const { apply, defineProperty } = Reflect;
  const then = Promise.prototype.then as Callback;
  let reading = 0;
  /** The last request to each address: whether something uses the response, and when that has come. */
  const sent = new Map<string, { isUsed: boolean; answeredAt: number }>();

  /** Returns a function to call when what was asked for now has come. The time until then does not count as time of the chain. */
  const resumption = (): (() => void) => {
    const chain = presentChain();
    const at = performance.now();
    return () => {
      if (chain !== null) claim({ ...chain, startedAt: chain.startedAt + performance.now() - at });
    };
  };
  /** Sees whether a promise is used: `await` reads its constructor, everything else calls `then`. */
  const watchUse = (promise: object, request: { isUsed: boolean }): void => {
    let isOurs = false;
    defineProperty(promise, 'constructor', {
      configurable: true,
      get() {
        request.isUsed ||= !isOurs;
        return Promise;
      },
    });
    defineProperty(promise, 'then', {
      configurable: true,
      writable: true,
      value(this: unknown, ...callbacks: unknown[]): unknown {
        request.isUsed ||= typeof callbacks[0] === 'function';
        isOurs = true;
        const next = apply(then, promise, callbacks);
        isOurs = false;
        // A promise that only catches errors is used if what it returns is.
        if (!request.isUsed) watchUse(next as object, request);
        return next;
      },
    });
  };
  standIns.observing(window, 'fetch', (_self, result, [input]) => {
    if (!(result instanceof Promise)) return;
    const url = input instanceof Request ? input.url : URL.parse(String(input), document.baseURI)?.href;
    const isUsed = !isStep() || !isOfStep();
    const request = { isUsed, answeredAt: Infinity };
    sent.set(url?.split('#', 1)[0] ?? '', request);
    const resume = resumption();
    const answered = (): void => {
      request.answeredAt = performance.now();
      resume();
    };
    apply(then, result, [answered, resume]);
    if (isUsed) return;
    onSent();
    watchUse(result, request);
  });
  standIns.observing(XMLHttpRequest.prototype, 'send', self => {
    if (!(self instanceof XMLHttpRequest)) return;
    if (isOfStep()) onSent();
    const resume = resumption();
    for (const type of ['readystatechange', 'load', 'loadend', 'error', 'abort', 'timeout'])
      self.addEventListener(type, resume);
  });
  for (const [holder, names] of READERS)
    for (const name of names.split(' '))
      standIns.observing(holder, name, (_self, result) => {
        if (!(result instanceof Promise)) return;
        reading++;
        const resume = resumption();
        const ended = (): void => {
          reading--;
          resume();
        };
        apply(then, result, [ended, ended]);
      });
  return {
    begin: () => sent.clear(),
    unused() {
      const before = reading === 0 ? performance.now() - SILENT_BODY_MS : -Infinity;
      const unused = [...sent].filter(([, { isUsed, answeredAt }]) => !isUsed || answeredAt < before);
      return unused.map(([url]) => url).join('\n');
    },
  };
}
