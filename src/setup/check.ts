/** `npm test`: runs the checks and all tests. Arguments go to Vitest. With `--checks` it runs only the checks. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { countTests, formatCounts, type TestCounts } from './testCounts.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Check {
  readonly name: string;
  readonly script: string;
  readonly args?: readonly string[];
}

const CHECKS: readonly Check[] = [
  { name: 'format and lint', script: 'lint' },
  { name: 'types', script: 'types' },
  { name: 'no unused file, export or dependency', script: 'unused' },
  { name: 'schema.graphql matches the code', script: 'schema', args: ['--check'] },
  { name: 'the generated documents match the schema', script: 'codegen', args: ['--check'] },
  { name: 'the generated parts of the manuals match the code', script: 'docs', args: ['--check'] },
];

interface CheckResult {
  readonly name: string;
  readonly passed: boolean;
  readonly seconds: number;
  /** Standard output and standard error of the script. */
  readonly output: string;
}

if (process.argv[2] === '--checks') {
  const results = await runChecks(printResult);
  process.exitCode = results.every(({ passed }) => passed) ? 0 : 1;
} else {
  // The tests wait for browsers half of the time, and the checks use that time. Print their results after the tests,
  // whose progress display uses the terminal until then.
  const [tests, checks] = await Promise.all([runTests(process.argv.slice(2)), runChecks()]);
  for (const result of checks) printResult(result);
  const failedChecks = checks.filter(({ passed }) => !passed).length;
  // A failed check counts as one failed test, so that the last line never reports success when a check failed.
  const counts = { ...tests, failed: tests.failed + failedChecks };
  process.stdout.write(`${formatCounts(counts)}\n`);
  process.exitCode = counts.failed === 0 ? 0 : 1;
}

/** Runs the checks one after another, because the tests need the processor too. */
async function runChecks(onResult?: (result: CheckResult) => void): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const { name, script, args } of CHECKS) {
    const start = performance.now();
    const { code, output } = await run(
      'npm',
      ['run', '--silent', script, ...(args ? ['--', ...args] : [])],
      'pipe',
    );
    const result = { name, passed: code === 0, seconds: (performance.now() - start) / 1_000, output };
    results.push(result);
    onResult?.(result);
  }
  return results;
}

function printResult({ name, passed, seconds, output }: CheckResult): void {
  if (!passed) process.stdout.write(output);
  process.stdout.write(`${passed ? '✓' : '✗'} ${name} (${seconds.toFixed(1)} s)\n`);
}

async function runTests(args: readonly string[]): Promise<TestCounts> {
  const folder = mkdtempSync(join(tmpdir(), 'pagespace-test-'));
  const report = join(folder, 'report.json');
  try {
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const { code } = await run(process.execPath, [vitest, 'run', ...reporters, ...args], 'inherit');
    const counts = existsSync(report)
      ? countTests(readFileSync(report, 'utf8'))
      : { passed: 0, failed: 0, skipped: 0 };
    // Vitest can fail although every test passed: an error outside the tests, or a missing report.
    return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs a command in the root folder of the clone. @returns its exit code, and with `pipe` its output */
async function run(
  command: string,
  args: readonly string[],
  stdio: 'inherit' | 'pipe',
): Promise<{ code: number | null; output: string }> {
  const child = spawn(command, args, {
    cwd: root,
    stdio: ['inherit', stdio, stdio],
    shell: process.platform === 'win32',
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', data => {
      output += data;
    });
  const [code] = await once(child, 'close');
  return { code, output };
}
