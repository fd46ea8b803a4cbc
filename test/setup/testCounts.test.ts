import { describe, expect, it } from 'vitest';
import { countTests, formatCounts } from '../../src/setup/testCounts.ts';

const file = (status: string, ...tests: string[]) => ({
  status,
  assertionResults: tests.map(each => ({ status: each })),
});
const countsOf = (...testResults: ReturnType<typeof file>[]) => countTests(JSON.stringify({ testResults }));

describe('countTests and formatCounts', () => {
  it('count the tests by result', () => {
    expect(
      countsOf(file('failed', 'passed', 'failed', 'passed'), file('passed', 'pending', 'todo', 'passed')),
    ).toEqual({
      passed: 3,
      failed: 1,
      skipped: 2,
    });
  });

  it('count a file that fails outside of its tests as one failure', () => {
    expect(countsOf(file('failed'), file('failed', 'passed'))).toEqual({ passed: 1, failed: 2, skipped: 0 });
  });

  it('throw for text that is not a report', () => {
    expect(() => countTests('{}')).toThrow();
  });

  it.each([
    [{ passed: 12, failed: 0, skipped: 0 }, '12 passed, 0 failed'],
    [{ passed: 12, failed: 1, skipped: 3 }, '12 passed, 1 failed, 3 skipped'],
  ])('format %j as %j', (counts, line) => {
    expect(formatCounts(counts)).toBe(line);
  });
});
