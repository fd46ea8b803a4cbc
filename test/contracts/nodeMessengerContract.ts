/** What each NodeMessenger has to do. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type {
  IncomingRequest,
  NodeMessenger,
  RequestHandler,
  RequestOptions,
} from '../../src/domain/ports/nodeMessenger.ts';
import type { NodeEpoch } from '../../src/domain/ports/nodeRegistry.ts';

/** Several nodes of one cluster. */
export interface MessengerNetwork {
  /** Connects another node. */
  connect(): Promise<NodeMessenger>;
  /** Breaks the connections of all nodes. Resolves when each node knows. */
  interrupt(): Promise<void>;
  /** Restores the connections of all nodes. Resolves when each node knows. */
  resume(): Promise<void>;
  /** Disconnects all nodes. */
  close(): Promise<void>;
}

const A: NodeEpoch = { nodeId: 'node-a', epoch: 1 };
const B: NodeEpoch = { nodeId: 'node.b *>', epoch: 2 };
const C: NodeEpoch = { nodeId: 'node-c', epoch: 3 };

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (payload: Uint8Array): string => new TextDecoder().decode(payload);
const options = (more: Partial<RequestOptions> = {}): RequestOptions => ({
  signal: new AbortController().signal,
  timeoutMs: 20_000,
  trace: {},
  ...more,
});
const load = (sessions: number, capacity = 100) => ({ sessions, capacity, draining: false });
const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

async function collect(items: AsyncIterable<Uint8Array>): Promise<string[]> {
  const texts: string[] = [];
  for await (const item of items) texts.push(text(item));
  return texts;
}

/** Bytes that repeat with a period that divides no power of two, so that a lost or doubled piece changes them. */
const patterned = (length: number): Uint8Array => Uint8Array.from({ length }, (_, i) => i % 251);

/** Runs the contract over an adapter. */
export function describeNodeMessengerContract(name: string, make: () => Promise<MessengerNetwork>): void {
  describe(`NodeMessenger ${name}`, () => {
    let network: MessengerNetwork;
    let caller: NodeMessenger;
    let owner: NodeMessenger;
    beforeEach(async () => {
      network = await make();
      caller = await network.connect();
      owner = await network.connect();
    });
    afterEach(() => network.close());

    /** Serves as node B until the first request arrives, whose handler then runs until its signal aborts. */
    async function serveEndless(): Promise<Promise<IncomingRequest>> {
      const received = Promise.withResolvers<IncomingRequest>();
      await owner.serve(B, async request => {
        received.resolve(request);
        await aborted(request.signal);
        throw request.signal.reason;
      });
      return received.promise;
    }

    describe('request()', () => {
      it('returns the response of the handler', async () => {
        await owner.serve(B, async ({ payload }) => bytes(`got ${text(payload)}`));
        expect(text(await caller.request(B, bytes('hello'), options()))).toBe('got hello');
      });

      it('reaches this node too', async () => {
        await caller.serve(A, async ({ payload }) => payload);
        expect(text(await caller.request(A, bytes('myself'), options()))).toBe('myself');
      });

      it('carries the trace context and the remaining time', async () => {
        const trace = {
          traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
          tracestate: 'a=b',
        };
        const seen = Promise.withResolvers<IncomingRequest>();
        await owner.serve(B, async request => {
          seen.resolve(request);
          return bytes('');
        });
        await caller.request(B, bytes(''), options({ trace, timeoutMs: 12_345 }));
        const request = await seen.promise;
        expect(request.trace).toEqual(trace);
        expect(request.remainingMs).toBeGreaterThan(0);
        expect(request.remainingMs).toBeLessThanOrEqual(12_345);
      });

      it('carries an empty payload and an empty response', async () => {
        await owner.serve(B, async ({ payload }) => payload);
        expect(await caller.request(B, new Uint8Array(), options())).toHaveLength(0);
      });

      it('carries payloads of several megabytes in both directions', async () => {
        const large = patterned(5_000_003);
        await owner.serve(B, async ({ payload }) => payload);
        expect(Buffer.compare(await caller.request(B, large, options()), large)).toBe(0);
      });

      it('gives each of many requests at once its own response', async () => {
        await owner.serve(B, async ({ payload }) => bytes(`${text(payload)}!`));
        const texts = Array.from({ length: 300 }, (_, i) => `request ${i}`);
        const responses = await Promise.all(texts.map(each => caller.request(B, bytes(each), options())));
        expect(responses.map(text)).toEqual(texts.map(each => `${each}!`));
      });

      it('is gone if no node listens under the id or the epoch', async () => {
        await owner.serve(B, async () => bytes(''));
        await expect(caller.request(A, bytes(''), options())).rejects.toMatchObject({ reason: 'gone' });
        const later = { ...B, epoch: B.epoch + 1 };
        await expect(caller.request(later, bytes(''), options())).rejects.toMatchObject({ reason: 'gone' });
      });

      it('is gone for a large payload and for one with a body too', async () => {
        const large = patterned(3_000_000);
        await expect(caller.request(B, large, options())).rejects.toMatchObject({ reason: 'gone' });
        const body = (async function* () {
          yield bytes('unread');
        })();
        await expect(caller.request(B, bytes(''), options({ body }))).rejects.toMatchObject({
          reason: 'gone',
        });
      });

      it('is gone after the node stopped serving', async () => {
        const stop = await owner.serve(B, async () => bytes(''));
        await stop();
        await expect(caller.request(B, bytes(''), options())).rejects.toMatchObject({ reason: 'gone' });
      });

      it('is silent if the handler throws, and does not carry the text of the error', async () => {
        await owner.serve(B, async () => {
          throw new Error('a secret');
        });
        const failure = await caller.request(B, bytes(''), options()).catch((error: unknown) => error);
        expect(failure).toMatchObject({ reason: 'silent' });
        expect(String(failure)).not.toContain('a secret');
      });

      it('an abort of the caller ends the wait with its reason and aborts the handler', async () => {
        const received = serveEndless();
        const leaving = new AbortController();
        const waiting = caller.request(B, bytes(''), options({ signal: leaving.signal }));
        const { signal } = await await received;
        const reason = new Error('the caller left');
        leaving.abort(reason);
        await expect(waiting).rejects.toBe(reason);
        await aborted(signal);
      });

      it('sends nothing if the signal has already aborted', async () => {
        await owner.serve(B, async () => bytes(''));
        const reason = new Error('left before');
        const signal = AbortSignal.abort(reason);
        await expect(caller.request(B, bytes(''), options({ signal }))).rejects.toBe(reason);
      });

      it('is silent after its timeout, and aborts the handler', async () => {
        const received = serveEndless();
        const waiting = caller.request(B, bytes(''), options({ timeoutMs: 200 }));
        await expect(waiting).rejects.toMatchObject({ reason: 'silent' });
        await aborted((await await received).signal);
      });

      it('is silent if the other node disconnects while it works', async () => {
        const received = serveEndless();
        const waiting = caller.request(B, bytes(''), options());
        await await received;
        await Promise.all([expect(waiting).rejects.toMatchObject({ reason: 'silent' }), owner.close()]);
      });
    });

    describe('the body of a request', () => {
      it('arrives whole and in order', async () => {
        await owner.serve(B, async ({ body }) => bytes((await collect(body)).join(',')));
        const body = (async function* () {
          for (const part of ['one', 'two', 'three']) yield bytes(part);
        })();
        expect(text(await caller.request(B, bytes(''), options({ body })))).toBe('one,two,three');
      });

      it('is empty for none', async () => {
        await owner.serve(B, async ({ body }) => bytes(String((await collect(body)).length)));
        expect(text(await caller.request(B, bytes(''), options()))).toBe('0');
      });

      it('carries parts above the maximum size of a message', async () => {
        const large = patterned(3_000_001);
        await owner.serve(B, async ({ body }) => {
          const parts: Uint8Array[] = [];
          for await (const part of body) parts.push(part);
          return Buffer.concat(parts);
        });
        const body = (async function* () {
          yield large;
          yield bytes('end');
        })();
        const response = await caller.request(B, bytes(''), options({ body }));
        expect(Buffer.compare(response, Buffer.concat([large, bytes('end')]))).toBe(0);
      });

      it('is read no faster than the other node reads it', async () => {
        let produced = 0;
        let ended = false;
        await owner.serve(B, async request => {
          const body = request.body[Symbol.asyncIterator]();
          await body.next();
          await body.next();
          return bytes('enough');
        });
        const body = (async function* () {
          try {
            for (;;) {
              produced += 1;
              yield bytes('part');
            }
          } finally {
            ended = true;
          }
        })();
        expect(text(await caller.request(B, bytes(''), options({ body })))).toBe('enough');
        expect(produced).toBeLessThanOrEqual(3);
        await expect.poll(() => ended).toBe(true);
      });

      it('that fails makes the read of the handler fail', async () => {
        await owner.serve(B, async ({ body }) =>
          bytes(
            await collect(body).then(
              () => 'whole',
              () => 'broken',
            ),
          ),
        );
        const body = (async function* () {
          yield bytes('part');
          throw new Error('the upload broke');
        })();
        expect(text(await caller.request(B, bytes(''), options({ body })))).toBe('broken');
      });
    });

    describe('stream()', () => {
      const counting = (produced: { count: number }, ended = Promise.withResolvers<void>()): RequestHandler =>
        async function* () {
          try {
            for (;;) {
              produced.count += 1;
              yield bytes(`item ${produced.count}`);
            }
          } finally {
            ended.resolve();
          }
        };

      it('yields the items of the handler in order and ends', async () => {
        await owner.serve(B, async function* () {
          for (const item of ['one', '', 'three']) yield bytes(item);
        });
        expect(await collect(caller.stream(B, bytes(''), options()))).toEqual(['one', '', 'three']);
      });

      it('yields the one response of a handler without a stream', async () => {
        await owner.serve(B, async () => bytes('only'));
        expect(await collect(caller.stream(B, bytes(''), options()))).toEqual(['only']);
      });

      it('carries items of several megabytes', async () => {
        const large = patterned(3_000_007);
        await owner.serve(B, async function* () {
          yield large;
          yield large;
        });
        const received: boolean[] = [];
        for await (const item of caller.stream(B, bytes(''), options()))
          received.push(Buffer.compare(item, large) === 0);
        expect(received).toEqual([true, true]);
      });

      it('produces an item only when the reader asks for it', async () => {
        const produced = { count: 0 };
        await owner.serve(B, counting(produced));
        const items = caller.stream(B, bytes(''), options());
        for (const expected of [1, 2, 3]) {
          expect(text((await items.next()).value)).toBe(`item ${expected}`);
          expect(produced.count).toBe(expected);
        }
        await items.return?.();
      });

      it('return() ends the handler', async () => {
        const ended = Promise.withResolvers<void>();
        await owner.serve(B, counting({ count: 0 }, ended));
        for await (const item of caller.stream(B, bytes(''), options())) {
          expect(text(item)).toBe('item 1');
          break;
        }
        await ended.promise;
      });

      it('return() during next() ends both sides', async () => {
        const received = serveEndless();
        const items = caller.stream(B, bytes(''), options());
        const waiting = items.next();
        const { signal } = await await received;
        await items.return?.();
        expect((await waiting).done).toBe(true);
        await aborted(signal);
      });

      it('an abort of the caller ends the stream with its reason, and the handler', async () => {
        const ended = Promise.withResolvers<void>();
        await owner.serve(B, counting({ count: 0 }, ended));
        const leaving = new AbortController();
        const items = caller.stream(B, bytes(''), options({ signal: leaving.signal }));
        await items.next();
        const reason = new Error('the caller left');
        leaving.abort(reason);
        await expect(items.next()).rejects.toBe(reason);
        await ended.promise;
      });

      it('is silent if the handler throws in the middle', async () => {
        await owner.serve(B, async function* () {
          yield bytes('one');
          throw new Error('a secret');
        });
        const items = caller.stream(B, bytes(''), options());
        expect(text((await items.next()).value)).toBe('one');
        await expect(items.next()).rejects.toMatchObject({ reason: 'silent' });
        expect((await items.next()).done).toBe(true);
      });

      it('is gone if no node listens', async () => {
        await expect(caller.stream(B, bytes(''), options()).next()).rejects.toMatchObject({ reason: 'gone' });
      });

      it('limits the wait for the first item only', async () => {
        const second = Promise.withResolvers<void>();
        await owner.serve(B, async function* () {
          yield bytes('one');
          await second.promise;
          yield bytes('two');
        });
        const items = caller.stream(B, bytes(''), options({ timeoutMs: 250 }));
        await items.next();
        const waiting = items.next();
        setTimeout(second.resolve, 400);
        expect(text((await waiting).value)).toBe('two');
        await items.return?.();
      });
    });

    describe('a break of the connection', () => {
      it('makes running requests silent and new ones unavailable, until it is back', async () => {
        const received = serveEndless();
        const changes: boolean[] = [];
        caller.onConnectionChange(isConnected => changes.push(isConnected));
        const waiting = caller.request(B, bytes(''), options());
        const silent = expect(waiting).rejects.toMatchObject({ reason: 'silent' });
        await await received;
        await network.interrupt();
        await silent;
        expect(caller.isConnected).toBe(false);
        await expect(caller.request(B, bytes(''), options())).rejects.toMatchObject({
          reason: 'unavailable',
        });
        await expect(caller.place(options())).rejects.toMatchObject({ reason: 'unavailable' });
        caller.announce('topic', 'lost');
        await network.resume();
        expect(caller.isConnected).toBe(true);
        expect(changes).toEqual([false, true]);
        await owner.serve(C, async () => bytes('again'));
        expect(text(await caller.request(C, bytes(''), options()))).toBe('again');
      });
    });

    describe('place()', () => {
      /** Returns the id of the chosen node, or the reason why there is none. */
      const placed = async (messenger: NodeMessenger, except: readonly NodeEpoch[] = []): Promise<string> =>
        messenger.place({ signal: new AbortController().signal, timeoutMs: 5_000, except }).then(
          ({ nodeId }) => nodeId,
          (error: { reason: string }) => error.reason,
        );

      it('is full while no node offers itself', async () => {
        expect(await placed(caller)).toBe('full');
      });

      it('chooses the least loaded node', async () => {
        caller.reportLoad(A, load(60));
        owner.reportLoad(B, load(10));
        await expect.poll(() => placed(caller)).toBe(B.nodeId);
        await expect.poll(() => placed(owner)).toBe(B.nodeId);
      });

      it('leaves out full nodes and draining ones', async () => {
        caller.reportLoad(A, load(10, 10));
        owner.reportLoad(B, { ...load(0), draining: true });
        const third = await network.connect();
        third.reportLoad(C, load(99));
        await expect.poll(() => placed(caller)).toBe(C.nodeId);
        third.reportLoad(C, load(100));
        await expect.poll(() => placed(caller)).toBe('full');
        caller.reportLoad(A, load(9, 10));
        await expect.poll(() => placed(caller)).toBe(A.nodeId);
      });

      it('leaves out the nodes of `except`', async () => {
        caller.reportLoad(A, load(60));
        owner.reportLoad(B, load(10));
        await expect.poll(() => placed(caller)).toBe(B.nodeId);
        expect(await placed(caller, [B])).toBe(A.nodeId);
        expect(await placed(caller, [A, B])).toBe('full');
      });

      it('spreads many questions at once over the nodes', async () => {
        const third = await network.connect();
        caller.reportLoad(A, load(0));
        owner.reportLoad(B, load(0));
        third.reportLoad(C, load(0));
        await expect
          .poll(async () => [await placed(caller, [A, B]), await placed(owner, [A, C])])
          .toEqual([C.nodeId, B.nodeId]);
        const chosen = await Promise.all(Array.from({ length: 30 }, () => placed(caller)));
        for (const { nodeId } of [A, B, C])
          expect(chosen.filter(each => each === nodeId).length).toBeGreaterThanOrEqual(5);
      });
    });

    describe('announce()', () => {
      it('reaches every node, also this one, by topic', async () => {
        const received: string[] = [];
        const both = Promise.withResolvers<void>();
        const record = (by: string) => (message: string) => {
          received.push(`${by} ${message}`);
          if (received.length === 2) both.resolve();
        };
        caller.onAnnouncement('cache.keys', record('caller'));
        owner.onAnnouncement('cache.keys', record('owner'));
        owner.onAnnouncement('other', record('other'));
        const removed = caller.onAnnouncement('cache.keys', record('removed'));
        removed();
        await owner.serve(B, async () => bytes(''));
        // The response proves that the subscriptions of the owner are in effect.
        await caller.request(B, bytes(''), options());
        caller.announce('cache.keys', 'drop');
        await both.promise;
        expect(received.toSorted()).toEqual(['caller drop', 'owner drop']);
      });
    });

    it('close() is idempotent', async () => {
      await caller.close();
      await caller.close();
      expect(caller.isConnected).toBe(false);
    });
  });
}
