import { z } from 'zod';

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

const reportShape = z.object({
  testResults: z.array(
    z.object({ status: z.string(), assertionResults: z.array(z.object({ status: z.string() })) }),
  ),
});

/**
 * Counts the tests in Vitest's JSON report, by result.
 * @returns the counts; a file that failed before its first test (an import that throws) is one failure
 * @throws ZodError or SyntaxError when the text is not such a report
 */
export function countTests(report: string): TestCounts {
  const files = reportShape.parse(JSON.parse(report)).testResults;
  const statuses = files.flatMap(file => file.assertionResults.map(test => test.status));
  const count = (status: string) => statuses.filter(each => each === status).length;
  const broken = files.filter(
    file => file.status === 'failed' && !file.assertionResults.some(test => test.status === 'failed'),
  );
  const passed = count('passed');
  const failed = count('failed');
  return { passed, failed: failed + broken.length, skipped: statuses.length - passed - failed };
}

/** Formats the result of a test run: `12 passed, 0 failed`, and `, 3 skipped` if any were skipped. */
export const formatCounts = ({ passed, failed, skipped }: TestCounts): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
