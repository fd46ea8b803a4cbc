import { describe, expect, it } from 'vitest';
import { FairTurns } from '../../src/async/fairTurns.ts';

describe('FairTurns', () => {
  it('alternates between callers, however many operations each has', async () => {
    const turns = new FairTurns();
    const order: string[] = [];
    const run = async (caller: string) => {
      await turns.of(caller).next();
      order.push(caller);
    };
    await Promise.all([...Array.from({ length: 5 }, () => run('greedy')), run('modest'), run('other')]);
    expect(order).toEqual(['greedy', 'greedy', 'modest', 'other', 'greedy', 'greedy', 'greedy']);
  });

  it('gives one turn in each pass of the event loop, so that sockets are read in between', async () => {
    const turns = new FairTurns();
    const order: string[] = [];
    const passes = async () => {
      for (let pass = 0; pass < 4; pass += 1) {
        await new Promise(resolve => setImmediate(resolve));
        order.push('pass');
      }
    };
    const operations = Array.from({ length: 4 }, async () => {
      await turns.of('a').next();
      order.push('turn');
    });
    await Promise.all([...operations, passes()]);
    expect(order.join(' ')).not.toContain('turn turn turn');
    expect(order.filter(one => one === 'turn')).toHaveLength(4);
  });

  it('continue() waits for the next turn only when the present one is long', async () => {
    let now = 0;
    const turns = new FairTurns(() => now);
    const own = turns.of('a');
    let passes = 0;
    const count = setImmediate(() => (passes += 1));
    await own.next();
    now = 7;
    await own.continue();
    expect(passes).toBe(0);
    now = 8;
    await own.continue();
    expect(passes).toBe(1);
    clearImmediate(count);
  });

  it('sliced() has all items in order, over several turns if the work is long', async () => {
    let now = 0;
    const turns = new FairTurns(() => now);
    const own = turns.of('a');
    const items = Array.from({ length: 20 }, (_, index) => index);
    const order: (number | 'other')[] = [];
    const other = (async () => {
      for (let turn = 0; turn < 3; turn += 1) {
        await turns.of('b').next();
        order.push('other');
      }
    })();
    for await (const item of own.sliced(items, 10)) {
      order.push(item);
      now += 3;
    }
    await other;
    expect(order.filter(one => one !== 'other')).toEqual(items);
    expect(order.lastIndexOf('other')).toBeLessThan(15);
  });

  it('sliced() returns a short list itself', () => {
    const items = [1, 2, 3];
    expect(new FairTurns().of('a').sliced(items, 3)).toBe(items);
  });
});
