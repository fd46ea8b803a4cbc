import { describe, expect, it } from 'vitest';
import { Failure } from '../../../src/domain/failure/failures.ts';
import { OperationQueue } from '../../../src/service/sessions/operationDeadline.ts';

const never = new AbortController().signal;

describe('OperationQueue', () => {
  it('runs operations one after another in order of arrival', async () => {
    const queue = new OperationQueue();
    const order: string[] = [];
    const first = await queue.acquire(never);
    const second = queue.acquire(never).then(release => {
      order.push('second');
      release();
    });
    const third = queue.acquire(never).then(release => {
      order.push('third');
      release();
    });
    order.push('first');
    first();
    await Promise.all([second, third]);
    expect(order).toEqual(['first', 'second', 'third']);
  });

  it('rejects the ninth waiting operation with SESSION_BUSY', async () => {
    const queue = new OperationQueue();
    const release = await queue.acquire(never);
    const waiting = Array.from({ length: 8 }, () => queue.acquire(never).then(releaseNext => releaseNext()));
    await expect(queue.acquire(never)).rejects.toMatchObject({ code: 'SESSION_BUSY' });
    release();
    await Promise.all(waiting);
    (await queue.acquire(never))();
  });

  it('removes a waiting operation when its caller disconnects', async () => {
    const queue = new OperationQueue();
    const release = await queue.acquire(never);
    const caller = new AbortController();
    const gone = queue.acquire(caller.signal);
    const next = queue.acquire(never);
    caller.abort(new Failure('OPERATION_TIMEOUT', 'gone'));
    await expect(gone).rejects.toMatchObject({ code: 'OPERATION_TIMEOUT' });
    release();
    (await next)();
  });

  it('rejectAll() rejects all waiting operations', async () => {
    const queue = new OperationQueue();
    await queue.acquire(never);
    const waiting = [queue.acquire(never), queue.acquire(never)];
    queue.rejectAll(new Failure('SESSION_CLOSED', 'closed'));
    for (const operation of waiting)
      await expect(operation).rejects.toMatchObject({ code: 'SESSION_CLOSED' });
  });

  it('ignores a second release', async () => {
    const queue = new OperationQueue();
    const release = await queue.acquire(never);
    const second = queue.acquire(never);
    const third = queue.acquire(never);
    release();
    release();
    const end = await second;
    const raced = await Promise.race([third.then(() => 'third'), Promise.resolve('waiting')]);
    expect(raced).toBe('waiting');
    end();
    (await third)();
  });
});
