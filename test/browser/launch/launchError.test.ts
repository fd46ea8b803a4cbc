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

/** Tries a browser that a shell script starts, and tells what the failure says. */
async function faultOf(script: string): Promise<string> {
  const executablePath = join(folder, 'chromium');
  await writeFile(executablePath, `#!/bin/sh\n${script}\n`);
  await chmod(executablePath, 0o755);
  const failed = launchChromium({ executablePath, sandbox: 'on', egress, flags: [] });
  return failed.then(
    () => 'It started.',
    (error: Error) => error.message,
  );
}

describe('a browser that does not start', () => {
  // User namespaces are Linux's.
  it.runIf(process.platform === 'linux')('says that the sandbox cannot run, and what to do', async () => {
    const fault = await faultOf(
      `exec unshare --user --keep-caps sh -c 'echo 0 > /proc/sys/user/max_user_namespaces; exec ${testChromium()} "$@"' sh "$@"`,
    );
    expect(fault).toMatch(/sandbox cannot run here.*\n.*\n.*PAGESPACE_CHROMIUM_SANDBOX=off/);
    expect(fault).not.toMatch(/--disable|chromiumSandbox/);
  });

  it('says so too where a container may not change its root', async () => {
    const fault = await faultOf(
      'echo "FATAL:credentials.cc(127)] Check failed: . sys_chroot(): Operation not permitted (1)" >&2; exit 1',
    );
    expect(fault).toMatch(/sandbox cannot run here/);
  });

  it('says what it said itself, and not with which switches it was started', async () => {
    const fault = await faultOf('echo "error while loading libnss3.so" >&2; exit 127');
    expect(fault).toMatch(
      /^Chromium \(.*\/chromium\) did not start: .*\n {2}error while loading libnss3\.so/,
    );
    expect(fault).not.toMatch(/--disable/);
  });
});
