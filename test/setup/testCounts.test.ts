import { describe, expect, it } from 'vitest';
import { countTests, formatCounts } from '../../src/setup/testCounts.ts';

const file = (status: string, ...tests: string[]) => ({
  status,
  assertionResults: tests.map(each => ({ status: each })),
});
const tallyOf = (...testResults: ReturnType<typeof file>[]) => countTests(JSON.stringify({ testResults }));

describe('the tally', () => {
  it('counts tests by how they ended', () => {
    expect(
      tallyOf(file('failed', 'passed', 'failed', 'passed'), file('passed', 'pending', 'todo', 'passed')),
    ).toEqual({
      passed: 3,
      failed: 1,
      skipped: 2,
    });
  });

  it('counts a file that broke before or after its tests as one failure', () => {
    expect(tallyOf(file('failed'), file('failed', 'passed'))).toEqual({ passed: 1, failed: 2, skipped: 0 });
  });

  it('refuses what is no report', () => {
    expect(() => countTests('{}')).toThrow();
  });

  it.each([
    [{ passed: 12, failed: 0, skipped: 0 }, '12 passed, 0 failed'],
    [{ passed: 12, failed: 1, skipped: 3 }, '12 passed, 1 failed, 3 skipped'],
  ])('of %j reads %j', (tally, line) => {
    expect(formatCounts(tally)).toBe(line);
  });
});
