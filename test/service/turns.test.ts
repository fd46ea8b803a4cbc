import { describe, expect, it } from 'vitest';
import { Failure } from '../../src/domain/failures.ts';
import { Turns } from '../../src/service/turns.ts';

const never = new AbortController().signal;

describe('operations in one session', () => {
  it('run one after another, in order of arrival', async () => {
    const turns = new Turns();
    const order: string[] = [];
    const first = await turns.take(never);
    const second = turns.take(never).then(done => {
      order.push('second');
      done();
    });
    const third = turns.take(never).then(done => {
      order.push('third');
      done();
    });
    order.push('first');
    first();
    await Promise.all([second, third]);
    expect(order).toEqual(['first', 'second', 'third']);
  });

  it('wait at most eight; the next is refused with SESSION_BUSY', async () => {
    const turns = new Turns();
    const done = await turns.take(never);
    const waiting = Array.from({ length: 8 }, () => turns.take(never).then(end => end()));
    await expect(turns.take(never)).rejects.toMatchObject({ code: 'SESSION_BUSY' });
    done();
    await Promise.all(waiting);
    (await turns.take(never))();
  });

  it('leave the line when their caller goes away', async () => {
    const turns = new Turns();
    const done = await turns.take(never);
    const caller = new AbortController();
    const gone = turns.take(caller.signal);
    const next = turns.take(never);
    caller.abort(new Failure('OPERATION_TIMEOUT', 'gone'));
    await expect(gone).rejects.toMatchObject({ code: 'OPERATION_TIMEOUT' });
    done();
    (await next)();
  });

  it('are all sent away when the session ends', async () => {
    const turns = new Turns();
    await turns.take(never);
    const waiting = [turns.take(never), turns.take(never)];
    turns.refuseAll(new Failure('SESSION_CLOSED', 'closed'));
    for (const one of waiting) await expect(one).rejects.toMatchObject({ code: 'SESSION_CLOSED' });
  });

  it('end their turn once, however often they say so', async () => {
    const turns = new Turns();
    const done = await turns.take(never);
    const second = turns.take(never);
    const third = turns.take(never);
    done();
    done();
    const end = await second;
    const raced = await Promise.race([third.then(() => 'third'), Promise.resolve('waiting')]);
    expect(raced).toBe('waiting');
    end();
    (await third)();
  });
});
