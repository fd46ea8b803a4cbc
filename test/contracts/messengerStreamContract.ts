/** How a NodeMessenger sends bodies and streams. */
import { describe, expect, it } from 'vitest';
import type { RequestHandler } from '../../src/domain/ports/nodes.ts';
import {
  aborted,
  bytes,
  collect,
  type MessengerPair,
  NODE_B,
  patterned,
  requestOptions,
  serveEndless,
  text,
} from './messengerNetwork.ts';

/** @param pair returns the nodes of the running test */
export function describeStreams(pair: () => MessengerPair): void {
  const caller = () => pair().caller;
  const owner = () => pair().owner;

  describe('the body of a request', () => {
    it('arrives whole and in order', async () => {
      await owner().serve(NODE_B, async ({ body }) => bytes((await collect(body)).join(',')));
      const body = (async function* () {
        for (const part of ['one', 'two', 'three']) yield bytes(part);
      })();
      expect(text(await caller().request(NODE_B, bytes(''), requestOptions({ body })))).toBe('one,two,three');
    });

    it('is empty for none', async () => {
      await owner().serve(NODE_B, async ({ body }) => bytes(String((await collect(body)).length)));
      expect(text(await caller().request(NODE_B, bytes(''), requestOptions()))).toBe('0');
    });

    it('carries parts above the maximum size of a message', async () => {
      const large = patterned(3_000_001);
      await owner().serve(NODE_B, async ({ body }) => {
        const parts: Uint8Array[] = [];
        for await (const part of body) parts.push(part);
        return Buffer.concat(parts);
      });
      const body = (async function* () {
        yield large;
        yield bytes('end');
      })();
      const response = await caller().request(NODE_B, bytes(''), requestOptions({ body }));
      expect(Buffer.compare(response, Buffer.concat([large, bytes('end')]))).toBe(0);
    });

    it('is read no faster than the other node reads it', async () => {
      let produced = 0;
      let ended = false;
      await owner().serve(NODE_B, async request => {
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
      expect(text(await caller().request(NODE_B, bytes(''), requestOptions({ body })))).toBe('enough');
      expect(produced).toBeLessThanOrEqual(3);
      await expect.poll(() => ended).toBe(true);
    });

    it('that fails makes the read of the handler fail', async () => {
      await owner().serve(NODE_B, async ({ body }) =>
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
      expect(text(await caller().request(NODE_B, bytes(''), requestOptions({ body })))).toBe('broken');
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
      await owner().serve(NODE_B, async function* () {
        for (const item of ['one', '', 'three']) yield bytes(item);
      });
      expect(await collect(caller().stream(NODE_B, bytes(''), requestOptions()))).toEqual([
        'one',
        '',
        'three',
      ]);
    });

    it('yields the one response of a handler without a stream', async () => {
      await owner().serve(NODE_B, async () => bytes('only'));
      expect(await collect(caller().stream(NODE_B, bytes(''), requestOptions()))).toEqual(['only']);
    });

    it('carries items of several megabytes', async () => {
      const large = patterned(3_000_007);
      await owner().serve(NODE_B, async function* () {
        yield large;
        yield large;
      });
      const received: boolean[] = [];
      for await (const item of caller().stream(NODE_B, bytes(''), requestOptions()))
        received.push(Buffer.compare(item, large) === 0);
      expect(received).toEqual([true, true]);
    });

    it('produces an item only when the reader asks for it', async () => {
      const produced = { count: 0 };
      await owner().serve(NODE_B, counting(produced));
      const items = caller().stream(NODE_B, bytes(''), requestOptions());
      for (const expected of [1, 2, 3]) {
        expect(text((await items.next()).value)).toBe(`item ${expected}`);
        expect(produced.count).toBe(expected);
      }
      await items.return?.();
    });

    it('return() ends the handler', async () => {
      const ended = Promise.withResolvers<void>();
      await owner().serve(NODE_B, counting({ count: 0 }, ended));
      for await (const item of caller().stream(NODE_B, bytes(''), requestOptions())) {
        expect(text(item)).toBe('item 1');
        break;
      }
      await ended.promise;
    });

    it('return() during next() ends both sides', async () => {
      const { received } = await serveEndless(owner());
      const items = caller().stream(NODE_B, bytes(''), requestOptions());
      const waiting = items.next();
      const { signal } = await await received;
      await items.return?.();
      expect((await waiting).done).toBe(true);
      await aborted(signal);
    });

    it('an abort of the caller ends the stream with its reason, and the handler', async () => {
      const ended = Promise.withResolvers<void>();
      await owner().serve(NODE_B, counting({ count: 0 }, ended));
      const leaving = new AbortController();
      const items = caller().stream(NODE_B, bytes(''), requestOptions({ signal: leaving.signal }));
      await items.next();
      const reason = new Error('the caller left');
      leaving.abort(reason);
      await expect(items.next()).rejects.toBe(reason);
      await ended.promise;
    });

    it('is silent if the handler throws in the middle', async () => {
      await owner().serve(NODE_B, async function* () {
        yield bytes('one');
        throw new Error('a secret');
      });
      const items = caller().stream(NODE_B, bytes(''), requestOptions());
      expect(text((await items.next()).value)).toBe('one');
      await expect(items.next()).rejects.toMatchObject({ reason: 'silent' });
      expect((await items.next()).done).toBe(true);
    });

    it('is gone if no node listens', async () => {
      await expect(caller().stream(NODE_B, bytes(''), requestOptions()).next()).rejects.toMatchObject({
        reason: 'gone',
      });
    });

    it('limits the wait for the first item only', async () => {
      const second = Promise.withResolvers<void>();
      await owner().serve(NODE_B, async function* ({ payload }) {
        if (text(payload) === 'late') await second.promise;
        yield bytes('one');
        await second.promise;
        yield bytes('two');
      });
      /** A stream whose first item has come within its limit: within the first limit that this machine keeps. */
      const begin = async (
        timeoutMs = 250,
      ): Promise<{ items: AsyncIterator<Uint8Array>; timeoutMs: number }> => {
        const items = caller().stream(NODE_B, bytes(''), requestOptions({ timeoutMs }));
        return items.next().then(
          () => ({ items, timeoutMs }),
          () => begin(timeoutMs * 4),
        );
      };
      const { items, timeoutMs } = await begin();
      const waiting = items.next();
      // A stream that began later, whose first item does not come, is over its limit: so is the first one.
      const late = caller().stream(NODE_B, bytes('late'), requestOptions({ timeoutMs }));
      await expect(late.next()).rejects.toMatchObject({ reason: 'silent' });
      second.resolve();
      expect(text((await waiting).value)).toBe('two');
      await items.return?.();
    });
  });
}
