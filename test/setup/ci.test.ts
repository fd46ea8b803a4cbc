import { execFile } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let checkout: string;

beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'pagespace-ci-'));
  cpSync(fileURLToPath(new URL('../../.ci/run', import.meta.url)), join(checkout, '.ci/run'));
  mkdirSync(join(checkout, 'bin'));
});
afterEach(() => rmSync(checkout, { recursive: true, force: true }));

/** Runs .ci/run with this shell script as npm. */
function ci(npm: string): Promise<{ code: number; lastLine: string }> {
  const path = join(checkout, 'bin/npm');
  writeFileSync(path, `#!/bin/sh\n${npm}\n`);
  chmodSync(path, 0o755);
  const env = { ...process.env, PATH: `${join(checkout, 'bin')}${delimiter}${process.env.PATH}` };
  return new Promise(resolve => {
    const child = execFile(join(checkout, '.ci/run'), { env }, (_, out) =>
      resolve({ code: child.exitCode ?? -1, lastLine: out.trimEnd().split('\n').at(-1) ?? '' }),
    );
  });
}

describe('.ci/run', () => {
  it('ends with the counts of the tests and code 0 when all pass', async () => {
    expect(await ci("echo '12 passed, 0 failed'")).toEqual({ code: 0, lastLine: '12 passed, 0 failed' });
  });

  it("ends with the counts and npm's exit code when npm prints more after them", async () => {
    const npm = "echo '11 passed, 1 failed, 2 skipped'; echo 'npm error Lifecycle script failed' >&2; exit 1";
    expect(await ci(npm)).toEqual({ code: 1, lastLine: '11 passed, 1 failed, 2 skipped' });
  });

  it('ends with one failure when no tests ran', async () => {
    expect(await ci("echo 'pagespace: npm ci failed'; exit 1")).toEqual({
      code: 1,
      lastLine: '0 passed, 1 failed',
    });
  });

  it('ends with one failure when the counts are missing, even if npm exits with code 0', async () => {
    expect(await ci('exit 0')).toEqual({ code: 1, lastLine: '0 passed, 1 failed' });
  });
});
