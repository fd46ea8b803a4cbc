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

/** Counts tests by result in Vitest's JSON report; a file that fails before its first test is a failure. @throws ZodError or SyntaxError for others */
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
