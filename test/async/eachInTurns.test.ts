import { expect, test } from 'vitest';
import { eachInTurns } from '../../src/async/fairTurns.ts';

test('eachInTurns() visits all items in order, and lets other work run between its turns', async () => {
  const visited: (number | string)[] = [];
  setImmediate(() => visited.push('other work'));
  await eachInTurns([1, 2, 3, 4, 5], 2, item => void visited.push(item));
  expect(visited).toEqual([1, 2, 'other work', 3, 4, 5]);
});

test('eachInTurns() visits a short list at once', () => {
  const visited: number[] = [];
  void eachInTurns([1, 2], 2, item => void visited.push(item));
  expect(visited).toEqual([1, 2]);
});
