import { describe, expect, test } from 'vitest';
import { Semaphore } from '../../src/async/fairTurns.ts';

const refusal = () => new Error('full');

describe('Semaphore', () => {
  test('gives out its permits and refuses the next caller when no caller may wait', async () => {
    const semaphore = new Semaphore({ permits: 2, maxWaiting: 0, refusal });
    await semaphore.acquire();
    await semaphore.acquire();
    expect([semaphore.acquired, semaphore.available]).toEqual([2, 0]);
    await expect(semaphore.acquire()).rejects.toThrow('full');
  });

  test('serves waiting callers in order of arrival', async () => {
    const semaphore = new Semaphore({ permits: 1 });
    const order: number[] = [];
    await Promise.all([1, 2, 3].map(n => semaphore.run(async () => void order.push(n))));
    expect(order).toEqual([1, 2, 3]);
    expect(semaphore.acquired).toBe(0);
  });

  test('queues a caller that arrives while a permit passes on', async () => {
    const semaphore = new Semaphore({ permits: 1 });
    const release = await semaphore.acquire();
    const order: string[] = [];
    const queued = semaphore.acquire().then(next => {
      order.push('queued');
      next();
    });
    release();
    const late = semaphore.acquire().then(next => {
      order.push('late');
      next();
    });
    await Promise.all([queued, late]);
    expect(order).toEqual(['queued', 'late']);
  });

  test('removes a caller from the queue when its signal aborts', async () => {
    const semaphore = new Semaphore({ permits: 1, maxWaiting: 1 });
    const release = await semaphore.acquire();
    const caller = new AbortController();
    const gone = semaphore.acquire(caller.signal);
    caller.abort(new Error('gone'));
    await expect(gone).rejects.toThrow('gone');
    release();
    expect(semaphore.acquired).toBe(0);
  });

  test('gives the permit to a caller whose signal aborts just after the permit passed on', async () => {
    const semaphore = new Semaphore({ permits: 1 });
    const release = await semaphore.acquire();
    const caller = new AbortController();
    const waiting = semaphore.acquire(caller.signal);
    release();
    caller.abort();
    (await waiting)();
    expect(semaphore.acquired).toBe(0);
  });

  test('refuses a caller that waits too long', async () => {
    const semaphore = new Semaphore({ permits: 1, waitTimeoutMs: 1, refusal });
    await semaphore.acquire();
    await expect(semaphore.acquire()).rejects.toThrow('full');
  });

  test('releases a permit once, however often it is called', async () => {
    const semaphore = new Semaphore({ permits: 2 });
    const release = await semaphore.acquire();
    await semaphore.acquire();
    release();
    release();
    expect(semaphore.acquired).toBe(1);
  });

  test('releases the permit of a task that fails', async () => {
    const semaphore = new Semaphore({ permits: 1 });
    await expect(semaphore.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(semaphore.acquired).toBe(0);
  });

  test('rejects every waiting caller at once', async () => {
    const semaphore = new Semaphore({ permits: 1 });
    await semaphore.acquire();
    const waiting = [semaphore.acquire(), semaphore.acquire()];
    semaphore.rejectAll(new Error('closing'));
    expect((await Promise.allSettled(waiting)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
