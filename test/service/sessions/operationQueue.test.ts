import { describe, expect, it } from 'vitest';
import { Failure } from '../../../src/domain/failures.ts';
import { OperationQueue } from '../../../src/service/sessions/operationQueue.ts';

const never = new AbortController().signal;

describe('operations in one session', () => {
  it('run one after another, in order of arrival', async () => {
    const turns = new OperationQueue();
    const order: string[] = [];
    const first = await turns.acquire(never);
    const second = turns.acquire(never).then(done => {
      order.push('second');
      done();
    });
    const third = turns.acquire(never).then(done => {
      order.push('third');
      done();
    });
    order.push('first');
    first();
    await Promise.all([second, third]);
    expect(order).toEqual(['first', 'second', 'third']);
  });

  it('wait at most eight; the next is refused with SESSION_BUSY', async () => {
    const turns = new OperationQueue();
    const done = await turns.acquire(never);
    const waiting = Array.from({ length: 8 }, () => turns.acquire(never).then(end => end()));
    await expect(turns.acquire(never)).rejects.toMatchObject({ code: 'SESSION_BUSY' });
    done();
    await Promise.all(waiting);
    (await turns.acquire(never))();
  });

  it('leave the line when their caller goes away', async () => {
    const turns = new OperationQueue();
    const done = await turns.acquire(never);
    const caller = new AbortController();
    const gone = turns.acquire(caller.signal);
    const next = turns.acquire(never);
    caller.abort(new Failure('OPERATION_TIMEOUT', 'gone'));
    await expect(gone).rejects.toMatchObject({ code: 'OPERATION_TIMEOUT' });
    done();
    (await next)();
  });

  it('are all sent away when the session ends', async () => {
    const turns = new OperationQueue();
    await turns.acquire(never);
    const waiting = [turns.acquire(never), turns.acquire(never)];
    turns.rejectAll(new Failure('SESSION_CLOSED', 'closed'));
    for (const one of waiting) await expect(one).rejects.toMatchObject({ code: 'SESSION_CLOSED' });
  });

  it('end their turn once, however often they say so', async () => {
    const turns = new OperationQueue();
    const done = await turns.acquire(never);
    const second = turns.acquire(never);
    const third = turns.acquire(never);
    done();
    done();
    const end = await second;
    const raced = await Promise.race([third.then(() => 'third'), Promise.resolve('waiting')]);
    expect(raced).toBe('waiting');
    end();
    (await third)();
  });
});
