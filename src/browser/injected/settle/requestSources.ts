/**
 * Follows the requests that scripts send: what runs when a response or its body has come is work of the chain that has sent the request.
 * Knows the requests whose responses nothing uses, such as beacons: nothing can follow them.
 */
import { MAX_TASKS, SILENT_BODY_MS } from '../../settle/policy.ts';
import type { Origins } from './replies.ts';
import { now, type StandIns } from './standIns.ts';

/** The functions that read a body, by their interfaces. */
const READERS: readonly (readonly [object | null, string])[] = [
  [Response.prototype, 'json text arrayBuffer blob formData bytes'],
  [ReadableStreamDefaultReader.prototype, 'read'],
  [ReadableStreamBYOBReader.prototype, 'read'],
  [ReadableStream.prototype, 'pipeTo'],
  // That of `for await`.
  [Reflect.getPrototypeOf(new ReadableStream().values()), 'next'],
];

export interface RequestSources {
  begin(): void;
  /** Returns the addresses of the requests whose responses or bodies nothing uses, one on each line. */
  unused(): string;
}

export function requestSources(standIns: StandIns, origins: Origins): RequestSources {
  const { presentChain, isOfStep, isStep, claim, onSent } = origins;
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
    if (!isStep() || !(result instanceof Promise) || url === null || sent.size >= MAX_TASKS) return;
    const request = { isUsed: !isOfStep(), answeredAt: Infinity };
    sent.set(url.split('#', 1)[0] ?? '', request);
    if (!request.isUsed) onSent();
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
    if (isOfStep()) onSent();
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
    begin: () => sent.clear(),
    unused() {
      const before = reading === 0 ? now() - SILENT_BODY_MS : -Infinity;
      const unused = [...sent].filter(([, { isUsed, answeredAt }]) => !isUsed || answeredAt < before);
      return unused.map(([url]) => url).join('\n');
    },
  };
}

/** Returns the address of a request, without a call of the page's; null for an object that the browser asks for its text. */
function urlOf(input: unknown): string | null {
  if (input instanceof Request) return input.url;
  if (input instanceof URL || input instanceof Location) return input.href;
  return typeof input === 'string' ? (URL.parse(input, document.baseURI)?.href ?? null) : null;
}
