import { describe, expect, it } from 'vitest';
import { Places } from '../../../src/browser/pool/places.ts';
import { Failure } from '../../../src/domain/failures.ts';

const never = new AbortController().signal;
const long = 60_000;

describe('places', () => {
  it('are taken up to the capacity; past the line the next is refused at once', async () => {
    const places = new Places({ capacity: 2, line: 0, patienceMs: long });
    await places.take(never);
    await places.take(never);
    expect(places.free).toBe(0);
    await expect(places.take(never)).rejects.toMatchObject({
      code: 'AT_CAPACITY',
      facts: { retryAfterSeconds: 60 },
    });
  });

  it('go to who waits longest', async () => {
    const places = new Places({ capacity: 1, line: 2, patienceMs: long });
    const leave = await places.take(never);
    const order: number[] = [];
    const first = places.take(never).then(next => {
      order.push(1);
      next();
    });
    const second = places.take(never).then(next => {
      order.push(2);
      next();
    });
    leave();
    await Promise.all([first, second]);
    expect(order).toEqual([1, 2]);
    expect(places.taken).toBe(0);
  });

  it('are not held by a caller that went away from the line', async () => {
    const places = new Places({ capacity: 1, line: 5, patienceMs: long });
    const leave = await places.take(never);
    const caller = new AbortController();
    const gone = places.take(caller.signal);
    caller.abort(new Error('gone'));
    await expect(gone).rejects.toThrow('gone');
    leave();
    expect(places.taken).toBe(0);
  });

  it('refuse a waiting caller when its patience is over', async () => {
    const places = new Places({ capacity: 1, line: 5, patienceMs: 1 });
    await places.take(never);
    await expect(places.take(never)).rejects.toMatchObject({ code: 'AT_CAPACITY' });
  });

  it('are given back once, however often it is said', async () => {
    const places = new Places({ capacity: 2, line: 0, patienceMs: long });
    const leave = await places.take(never);
    await places.take(never);
    leave();
    leave();
    expect(places.taken).toBe(1);
  });

  it('send everybody in the line away when the service shuts down', async () => {
    const places = new Places({ capacity: 1, line: 5, patienceMs: long });
    await places.take(never);
    const waiting = places.take(never);
    places.refuseAll(new Failure('SHUTTING_DOWN', 'bye'));
    await expect(waiting).rejects.toMatchObject({ code: 'SHUTTING_DOWN' });
  });
});
