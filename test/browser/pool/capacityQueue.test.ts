import { describe, expect, it } from 'vitest';
import { CapacityQueue } from '../../../src/browser/pool/capacityQueue.ts';
import { Failure } from '../../../src/domain/failures.ts';

const never = new AbortController().signal;
const long = 60_000;

describe('places', () => {
  it('are taken up to the capacity; past the line the next is refused at once', async () => {
    const places = new CapacityQueue({ capacity: 2, maxWaiting: 0, waitTimeoutMs: long });
    await places.acquire(never);
    await places.acquire(never);
    expect(places.free).toBe(0);
    await expect(places.acquire(never)).rejects.toMatchObject({
      code: 'AT_CAPACITY',
      context: { retryAfterSeconds: 60 },
    });
  });

  it('go to who waits longest', async () => {
    const places = new CapacityQueue({ capacity: 1, maxWaiting: 2, waitTimeoutMs: long });
    const leave = await places.acquire(never);
    const order: number[] = [];
    const first = places.acquire(never).then(next => {
      order.push(1);
      next();
    });
    const second = places.acquire(never).then(next => {
      order.push(2);
      next();
    });
    leave();
    await Promise.all([first, second]);
    expect(order).toEqual([1, 2]);
    expect(places.acquired).toBe(0);
  });

  it('are not held by a caller that went away from the line', async () => {
    const places = new CapacityQueue({ capacity: 1, maxWaiting: 5, waitTimeoutMs: long });
    const leave = await places.acquire(never);
    const caller = new AbortController();
    const gone = places.acquire(caller.signal);
    caller.abort(new Error('gone'));
    await expect(gone).rejects.toThrow('gone');
    leave();
    expect(places.acquired).toBe(0);
  });

  it('refuse a waiting caller when its patience is over', async () => {
    const places = new CapacityQueue({ capacity: 1, maxWaiting: 5, waitTimeoutMs: 1 });
    await places.acquire(never);
    await expect(places.acquire(never)).rejects.toMatchObject({ code: 'AT_CAPACITY' });
  });

  it('are given back once, however often it is said', async () => {
    const places = new CapacityQueue({ capacity: 2, maxWaiting: 0, waitTimeoutMs: long });
    const leave = await places.acquire(never);
    await places.acquire(never);
    leave();
    leave();
    expect(places.acquired).toBe(1);
  });

  it('send everybody in the line away when the service shuts down', async () => {
    const places = new CapacityQueue({ capacity: 1, maxWaiting: 5, waitTimeoutMs: long });
    await places.acquire(never);
    const waiting = places.acquire(never);
    places.rejectAll(new Failure('SHUTTING_DOWN', 'bye'));
    await expect(waiting).rejects.toMatchObject({ code: 'SHUTTING_DOWN' });
  });
});
