import { expect, it } from 'vitest';
import { toStepInput } from '../../src/domain/session/performedOperation.ts';

it('an event names at most ten elements of a gesture, each once, however long the value is', () => {
  const value = 'L1 L1 L2 '.repeat(100_000) + 'B7';
  const step = { actionId: 'S17', value, enter: false, params: {} };
  expect(toStepInput(step, null)?.targets).toEqual([{ actionId: 'L1' }, { actionId: 'L2' }]);
  const many = Array.from({ length: 50 }, (_, n) => `L${n}`).join(' ');
  expect(toStepInput({ ...step, value: many }, null)?.targets).toHaveLength(10);
});
