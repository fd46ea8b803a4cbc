import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EgressProxy, startEgressProxy } from '../../../src/browser/egress/startEgressProxy.ts';
import { launchChromium } from '../../../src/browser/launch/launchChromium.ts';
import { testChromium } from '../../support/testChromium.ts';

let folder: string;
let egress: EgressProxy;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pagespace-'));
  egress = await startEgressProxy({ allow: [] });
});
afterEach(async () => {
  await egress.close();
  await rm(folder, { recursive: true });
});

/** Launches a shell script as the browser. @returns the message of the error */
async function launchErrorOf(script: string): Promise<string> {
  const executablePath = join(folder, 'chromium');
  await writeFile(executablePath, `#!/bin/sh\n${script}\n`);
  await chmod(executablePath, 0o755);
  const failed = launchChromium({ executablePath, sandbox: 'on', egress, flags: [] });
  return failed.then(
    () => 'It started.',
    (error: Error) => error.message,
  );
}

describe('launchChromium, when Chromium does not start,', () => {
  // Only Linux has user namespaces.
  it.runIf(process.platform === 'linux')(
    'throws an error that says that the sandbox cannot run and what to do',
    async () => {
      const message = await launchErrorOf(
        `exec unshare --user --keep-caps sh -c 'echo 0 > /proc/sys/user/max_user_namespaces; exec ${testChromium()} "$@"' sh "$@"`,
      );
      expect(message).toMatch(/sandbox cannot run here.*\n.*\n.*PAGESPACE_CHROMIUM_SANDBOX=off/);
      expect(message).not.toMatch(/--disable|chromiumSandbox/);
    },
  );

  it('throws the same error in a container that cannot change its root', async () => {
    const message = await launchErrorOf(
      'echo "FATAL:credentials.cc(127)] Check failed: . sys_chroot(): Operation not permitted (1)" >&2; exit 1',
    );
    expect(message).toMatch(/sandbox cannot run here/);
  });

  it('throws an error with the output of Chromium and without its switches', async () => {
    const message = await launchErrorOf('echo "error while loading libnss3.so" >&2; exit 127');
    expect(message).toMatch(
      /^Chromium \(.*\/chromium\) did not start: .*\n {2}error while loading libnss3\.so/,
    );
    expect(message).not.toMatch(/--disable/);
  });
});
