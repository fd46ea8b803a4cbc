import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { lowerBrowserPriority } from '../../../src/browser/limits/browserPriority.ts';

const reason = existsSync('/proc/self/autogroup') ? '' : '(this system has no autogroups)';
let child: ChildProcess;

async function startChild(detached: boolean): Promise<number> {
  child = spawn('sleep', ['600'], { detached, stdio: 'ignore' });
  await once(child, 'spawn');
  return child.pid ?? 0;
}
const groupOf = (pid: number | 'self'): string => readFileSync(`/proc/${pid}/autogroup`, 'utf8').trim();

afterEach(() => {
  child.kill('SIGKILL');
});

describe.skipIf(reason !== '')(`lowerBrowserPriority ${reason}`, () => {
  it('gives a browser a smaller share of the processors than the service', async () => {
    const pid = await startChild(true);
    // The system refuses writes of unprivileged processes that come within a tenth of a second.
    await expect
      .poll(() => {
        lowerBrowserPriority(pid);
        return groupOf(pid);
      })
      .toMatch(/nice 7$/);
  });

  it('changes nothing for a browser that shares the session of the service', async () => {
    const before = groupOf('self');
    const pid = await startChild(false);
    lowerBrowserPriority(pid);
    expect([groupOf(pid), groupOf('self')]).toEqual([before, before]);
  });
});
