import { expect, it } from 'vitest';
import { TurnQueue } from '../../src/async/fairTurns.ts';

it('TurnQueue lets owners take turns, and returns the items of each in order', () => {
  const queue = new TurnQueue<string>();
  for (const item of ['a1', 'a2', 'a3']) queue.push('a', item);
  queue.push('b', 'b1');
  const taken = [queue.shift(), queue.shift()];
  queue.push('c', 'c1');
  for (let item = queue.shift(); item !== null; item = queue.shift()) taken.push(item);
  expect(taken).toEqual(['a1', 'b1', 'a2', 'c1', 'a3']);
});

it('TurnQueue leaves out owners that may not run now', () => {
  const queue = new TurnQueue<string>();
  for (const item of ['a1', 'a2']) queue.push('a', item);
  queue.push('b', 'b1');
  expect(queue.shift(owner => owner !== 'a')).toBe('b1');
  expect(queue.shift(owner => owner !== 'a')).toBeNull();
  expect(queue.shift()).toBe('a1');
});
