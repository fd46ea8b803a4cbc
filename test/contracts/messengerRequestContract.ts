/** The contract of NodeMessenger for a request and its response. */
import { describe, expect, it } from 'vitest';
import type { IncomingRequest } from '../../src/domain/ports/nodes.ts';
import {
  aborted,
  bytes,
  type MessengerPair,
  NODE_A,
  NODE_B,
  patterned,
  requestOptions,
  serveEndless,
  text,
} from './messengerNetwork.ts';

/** @param pair returns the nodes of the running test */
export function describeRequests(pair: () => MessengerPair): void {
  const caller = () => pair().caller;
  const owner = () => pair().owner;

  describe('request()', () => {
    it('returns the response of the handler', async () => {
      await owner().serve(NODE_B, async ({ payload }) => bytes(`got ${text(payload)}`));
      expect(text(await caller().request(NODE_B, bytes('hello'), requestOptions()))).toBe('got hello');
    });

    it('reaches this node too', async () => {
      await caller().serve(NODE_A, async ({ payload }) => payload);
      expect(text(await caller().request(NODE_A, bytes('myself'), requestOptions()))).toBe('myself');
    });

    it('carries the trace context and the remaining time', async () => {
      const trace = {
        traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
        tracestate: 'a=b',
      };
      const seen = Promise.withResolvers<IncomingRequest>();
      await owner().serve(NODE_B, async request => {
        seen.resolve(request);
        return bytes('');
      });
      await caller().request(NODE_B, bytes(''), requestOptions({ trace, timeoutMs: 12_345 }));
      const request = await seen.promise;
      expect(request.trace).toEqual(trace);
      expect(request.remainingMs).toBeGreaterThan(0);
      expect(request.remainingMs).toBeLessThanOrEqual(12_345);
    });

    it('carries an empty payload and an empty response', async () => {
      await owner().serve(NODE_B, async ({ payload }) => payload);
      expect(await caller().request(NODE_B, new Uint8Array(), requestOptions())).toHaveLength(0);
    });

    it('carries payloads of several megabytes in both directions', async () => {
      const large = patterned(5_000_003);
      await owner().serve(NODE_B, async ({ payload }) => payload);
      expect(Buffer.compare(await caller().request(NODE_B, large, requestOptions()), large)).toBe(0);
    });

    it('gives each of many requests at once its own response', async () => {
      await owner().serve(NODE_B, async ({ payload }) => bytes(`${text(payload)}!`));
      const texts = Array.from({ length: 300 }, (_, i) => `request ${i}`);
      const responses = await Promise.all(
        texts.map(each => caller().request(NODE_B, bytes(each), requestOptions())),
      );
      expect(responses.map(text)).toEqual(texts.map(each => `${each}!`));
    });

    it('is gone if no node listens under the id or the epoch', async () => {
      await owner().serve(NODE_B, async () => bytes(''));
      await expect(caller().request(NODE_A, bytes(''), requestOptions())).rejects.toMatchObject({
        reason: 'gone',
      });
      const later = { ...NODE_B, epoch: NODE_B.epoch + 1 };
      await expect(caller().request(later, bytes(''), requestOptions())).rejects.toMatchObject({
        reason: 'gone',
      });
    });

    it('is gone for a large payload and for one with a body too', async () => {
      const large = patterned(3_000_000);
      await expect(caller().request(NODE_B, large, requestOptions())).rejects.toMatchObject({
        reason: 'gone',
      });
      const body = (async function* () {
        yield bytes('unread');
      })();
      await expect(caller().request(NODE_B, bytes(''), requestOptions({ body }))).rejects.toMatchObject({
        reason: 'gone',
      });
    });

    it('is gone after the node stopped serving', async () => {
      const stop = await owner().serve(NODE_B, async () => bytes(''));
      await stop();
      await expect(caller().request(NODE_B, bytes(''), requestOptions())).rejects.toMatchObject({
        reason: 'gone',
      });
    });

    it('is silent if the handler throws, and does not carry the text of the error', async () => {
      await owner().serve(NODE_B, async () => {
        throw new Error('a secret');
      });
      const failure = await caller()
        .request(NODE_B, bytes(''), requestOptions())
        .catch((error: unknown) => error);
      expect(failure).toMatchObject({ reason: 'silent' });
      expect(String(failure)).not.toContain('a secret');
    });

    it('an abort of the caller ends the wait with its reason and aborts the handler', async () => {
      const { received } = await serveEndless(owner());
      const leaving = new AbortController();
      const waiting = caller().request(NODE_B, bytes(''), requestOptions({ signal: leaving.signal }));
      const { signal } = await await received;
      const reason = new Error('the caller left');
      leaving.abort(reason);
      await expect(waiting).rejects.toBe(reason);
      await aborted(signal);
    });

    it('sends nothing if the signal has already aborted', async () => {
      await owner().serve(NODE_B, async () => bytes(''));
      const reason = new Error('left before');
      const signal = AbortSignal.abort(reason);
      await expect(caller().request(NODE_B, bytes(''), requestOptions({ signal }))).rejects.toBe(reason);
    });

    it('is silent after its timeout, and aborts the handler', async () => {
      const { received } = await serveEndless(owner());
      const waiting = caller().request(NODE_B, bytes(''), requestOptions({ timeoutMs: 200 }));
      await expect(waiting).rejects.toMatchObject({ reason: 'silent' });
      await aborted((await await received).signal);
    });

    it('is silent if the other node disconnects while it works', async () => {
      const { received } = await serveEndless(owner());
      const waiting = caller().request(NODE_B, bytes(''), requestOptions());
      await await received;
      await Promise.all([expect(waiting).rejects.toMatchObject({ reason: 'silent' }), owner().close()]);
    });
  });
}
