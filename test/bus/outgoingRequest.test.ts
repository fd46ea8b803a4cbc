import { expect, it } from 'vitest';
import { TICKS_PER_ALIVE } from '../../src/bus/itemStream.ts';
import { OutgoingRequest } from '../../src/bus/requestExchange.ts';
import { bytes, requestOptions } from '../contracts/messengerNetwork.ts';

/** A request that no node has answered when its first `alive` is due, and the end of the flush that comes before it. */
function lateRequest() {
  const sent: string[] = [];
  const flushed = Promise.withResolvers<void>();
  const request = new OutgoingRequest(bytes(''), requestOptions(), {
    send: kind => void sent.push(kind),
    flush: () => flushed.promise,
    maxPieceBytes: 1_000,
    payloadFollows: false,
    onEnd: () => undefined,
  });
  for (let n = 0; n < TICKS_PER_ALIVE; n++) request.tick();
  return { request, sent, flushed, response: request.next() };
}

it('a request that no node received is gone, however late the server says so', async () => {
  const { request, sent, response } = lateRequest();
  request.noResponder();
  await expect(response).rejects.toMatchObject({ reason: 'gone' });
  expect(sent).toEqual(['request']);
});

it('the outcome of a request that was delivered is unknown when its node listens no more', async () => {
  const { request, sent, flushed, response } = lateRequest();
  flushed.resolve();
  await expect.poll(() => sent).toEqual(['request', 'alive']);
  request.noResponder();
  await expect(response).rejects.toMatchObject({ reason: 'silent' });
});

it('a request whose connection ends before the flush sends nothing more', async () => {
  const { request, sent, flushed, response } = lateRequest();
  request.connectionLost();
  flushed.reject(new Error('the connection is closed'));
  await expect(response).rejects.toMatchObject({ reason: 'silent' });
  expect(sent).toEqual(['request']);
});
