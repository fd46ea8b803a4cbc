import { describe, expect, it } from 'vitest';
import { createCapacityQueue } from '../../../src/browser/pool/chromiumHost.ts';
import { Failure } from '../../../src/domain/failure/failures.ts';

const neverAborted = new AbortController().signal;
const LONG_MS = 60_000;

describe('createCapacityQueue', () => {
  it('gives out as many slots as its capacity, and refuses the next caller at once when the queue is full', async () => {
    const slots = createCapacityQueue({ capacity: 2, maxWaiting: 0, waitTimeoutMs: LONG_MS });
    await slots.acquire(neverAborted);
    await slots.acquire(neverAborted);
    expect(slots.available).toBe(0);
    await expect(slots.acquire(neverAborted)).rejects.toMatchObject({
      code: 'AT_CAPACITY',
      context: { retryAfterSeconds: 60 },
    });
  });

  it('gives a released slot to the caller that has waited longest', async () => {
    const slots = createCapacityQueue({ capacity: 1, maxWaiting: 2, waitTimeoutMs: LONG_MS });
    const release = await slots.acquire(neverAborted);
    const order: number[] = [];
    const first = slots.acquire(neverAborted).then(next => {
      order.push(1);
      next();
    });
    const second = slots.acquire(neverAborted).then(next => {
      order.push(2);
      next();
    });
    release();
    await Promise.all([first, second]);
    expect(order).toEqual([1, 2]);
    expect(slots.acquired).toBe(0);
  });

  it('lets accounts take turns for released slots', async () => {
    const slots = createCapacityQueue({ capacity: 1, maxWaiting: 9, waitTimeoutMs: LONG_MS });
    const release = await slots.acquire(neverAborted, 'a');
    const order: string[] = [];
    const wait = (account: string) =>
      slots.acquire(neverAborted, account).then(next => {
        order.push(account);
        next();
      });
    const waiting = ['a', 'a', 'a', 'b', 'b', 'c'].map(wait);
    release();
    await Promise.all(waiting);
    expect(order).toEqual(['a', 'b', 'c', 'a', 'b', 'a']);
  });

  it('refuses the newest caller of the account with the longest queue in place of one of another account', async () => {
    const slots = createCapacityQueue({ capacity: 1, maxWaiting: 3, waitTimeoutMs: LONG_MS });
    const release = await slots.acquire(neverAborted, 'a');
    const outcomes = ['a', 'a', 'a', 'b', 'c', 'a', 'b'].map(account =>
      slots.acquire(neverAborted, account).then(
        next => {
          next();
          return 'slot';
        },
        ({ code }) => code,
      ),
    );
    release();
    expect(await Promise.all(outcomes)).toEqual([
      ...['slot', 'AT_CAPACITY', 'AT_CAPACITY', 'slot', 'slot'],
      ...['AT_CAPACITY', 'AT_CAPACITY'],
    ]);
  });

  it('gives no slot to a caller whose signal aborted in the queue', async () => {
    const slots = createCapacityQueue({ capacity: 1, maxWaiting: 5, waitTimeoutMs: LONG_MS });
    const release = await slots.acquire(neverAborted);
    const caller = new AbortController();
    const gone = slots.acquire(caller.signal);
    caller.abort(new Error('gone'));
    await expect(gone).rejects.toThrow('gone');
    release();
    expect(slots.acquired).toBe(0);
  });

  it('refuses a caller that has waited for the whole timeout', async () => {
    const slots = createCapacityQueue({ capacity: 1, maxWaiting: 5, waitTimeoutMs: 1 });
    await slots.acquire(neverAborted);
    await expect(slots.acquire(neverAborted)).rejects.toMatchObject({ code: 'AT_CAPACITY' });
  });

  it('releases a slot once when release is called twice', async () => {
    const slots = createCapacityQueue({ capacity: 2, maxWaiting: 0, waitTimeoutMs: LONG_MS });
    const release = await slots.acquire(neverAborted);
    await slots.acquire(neverAborted);
    release();
    release();
    expect(slots.acquired).toBe(1);
  });

  it('rejects every waiting caller on rejectAll', async () => {
    const slots = createCapacityQueue({ capacity: 1, maxWaiting: 5, waitTimeoutMs: LONG_MS });
    await slots.acquire(neverAborted);
    const waiting = slots.acquire(neverAborted);
    slots.rejectAll(new Failure('SHUTTING_DOWN', 'bye'));
    await expect(waiting).rejects.toMatchObject({ code: 'SHUTTING_DOWN' });
  });
});
