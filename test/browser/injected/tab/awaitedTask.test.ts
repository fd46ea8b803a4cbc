import { expect, it } from 'vitest';
import { isAwaited, type Task, type TaskWait } from '../../../../src/browser/injected/tab/awaitedTask.ts';
import { TaskHistory } from '../../../../src/browser/injected/tab/taskHistory.ts';

const WAIT: TaskWait = {
  longestDelayMs: 900,
  longestOngoingMs: 0,
  showsEffect: true,
  maxMs: 5_000,
  includesOthers: true,
  hadRequests: true,
};
const task = (more: Partial<Task>): Task => ({
  kind: 'timeout',
  dueAt: 500,
  delayMs: 500,
  goesOn: true,
  ofStep: false,
  chainStartedAt: 0,
  signature: 'timeout 50 tick',
  rounds: 0,
  target: 'button',
  expected: 1,
  answers: false,
  isSure: false,
  ...more,
});

it('isAwaited awaits a timer that a response has set, also the next ones', () => {
  const history = new TaskHistory();
  expect([0, 1, 2].map(rounds => isAwaited(task({ rounds }), WAIT, 0, history))).toEqual([true, true, true]);
});

it('isAwaited takes a timer that the page sets again and again for a clock, for every element', () => {
  const history = new TaskHistory();
  expect(isAwaited(task({ rounds: 3 }), WAIT, 0, history)).toBe(false);
  expect(isAwaited(task({ target: 'another button' }), WAIT, 0, history)).toBe(false);
});

it('isAwaited awaits a timer of the step with the delay of a clock', () => {
  const history = new TaskHistory();
  isAwaited(task({ rounds: 3 }), WAIT, 0, history);
  expect(isAwaited(task({ ofStep: true }), WAIT, 0, history)).toBe(true);
});

it('isAwaited awaits a message that no script has asked for only as the first effect of a step', () => {
  const reply = task({ kind: 'reply', ofStep: true, isGuess: true, dueAt: 1_000 });
  const awaited = (showsEffect: boolean) =>
    isAwaited(reply, { ...WAIT, longestDelayMs: 3_200, showsEffect }, 0, new TaskHistory());
  expect([awaited(false), awaited(true)]).toEqual([true, false]);
});
