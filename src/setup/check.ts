/** `npm test`: every check, then every test; the last line is `N passed, N failed`. Arguments go to Vitest. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { countTests, formatCounts, type TestCounts } from './testCounts.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A check before the tests: a script of package.json, and a file without which there is nothing to check yet. */
interface Check {
  readonly name: string;
  readonly script: string;
  readonly args?: readonly string[];
  readonly requiredFile?: string;
}

const CHECKS: readonly Check[] = [
  { name: 'format and lint', script: 'lint' },
  { name: 'types', script: 'types' },
  {
    name: 'schema.graphql is as the code prints it',
    script: 'schema',
    args: ['--check'],
    requiredFile: 'src/setup/writeSchema.ts',
  },
  {
    name: 'the generated documents are as the schema makes them',
    script: 'codegen',
    args: ['--check'],
    requiredFile: 'codegen.ts',
  },
  { name: 'the tables in the documents are as the code has them', script: 'docs', args: ['--check'] },
];

const onlyChecks = process.argv[2] === '--checks';
const failed: string[] = [];
for (const check of CHECKS) {
  if (check.requiredFile !== undefined && !existsSync(join(root, check.requiredFile))) continue;
  const begin = performance.now();
  const script = ['run', '--silent', check.script, ...(check.args ? ['--', ...check.args] : [])];
  const { passed, said } = await runCommand('npm', script, 'pipe');
  if (!passed) process.stdout.write(said);
  const took = `${((performance.now() - begin) / 1_000).toFixed(1)} s`;
  process.stdout.write(`${passed ? '✓' : '✗'} ${check.name} (${took})\n`);
  if (!passed) failed.push(check.name);
}

if (onlyChecks) process.exitCode = failed.length === 0 ? 0 : 1;
else {
  const tests = await runTests(process.argv.slice(2));
  for (const name of failed) process.stdout.write(`✗ ${name} (see above)\n`);
  // A failed check is counted as one failure: the line never says that all is well when it is not.
  const tally = { ...tests, failed: tests.failed + failed.length };
  process.stdout.write(`${formatCounts(tally)}\n`);
  process.exitCode = tally.failed === 0 ? 0 : 1;
}

async function runTests(args: readonly string[]): Promise<TestCounts> {
  const folder = mkdtempSync(join(tmpdir(), 'pagespace-test-'));
  const report = join(folder, 'report.json');
  try {
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const { passed } = await runCommand(process.execPath, [vitest, 'run', ...reporters, ...args], 'inherit');
    const tally = existsSync(report)
      ? countTests(readFileSync(report, 'utf8'))
      : { passed: 0, failed: 0, skipped: 0 };
    // Vitest may fail though every test passed: an error outside the tests, or no report at all.
    return !passed && tally.failed === 0 ? { ...tally, failed: 1 } : tally;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @returns whether it ended well, and with `pipe` what it said */
async function runCommand(
  command: string,
  args: readonly string[],
  output: 'inherit' | 'pipe',
): Promise<{ passed: boolean; said: string }> {
  const child = spawn(command, args, {
    cwd: root,
    stdio: ['inherit', output, output],
    shell: process.platform === 'win32',
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', data => {
      said += data;
    });
  const [code] = await once(child, 'close');
  return { passed: code === 0, said };
}
