import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { BrowserPriorities, browserNiceness } from '../../../src/browser/limits/processorShare.ts';

const reason = existsSync('/proc/self/autogroup') ? '' : '(this system has no autogroups)';
let child: ChildProcess | undefined;

async function startChild(detached: boolean): Promise<number> {
  child = spawn('sleep', ['600'], { detached, stdio: 'ignore' });
  await once(child, 'spawn');
  return child.pid ?? 0;
}
const browser = (pid: number) => ({ pid, isClosed: false });
const groupOf = (pid: number | 'self'): string => readFileSync(`/proc/${pid}/autogroup`, 'utf8').trim();

afterEach(() => {
  child?.kill('SIGKILL');
  child = undefined;
});

describe('browserNiceness()', () => {
  it('leaves two browsers the share of the service, and divides that of two among more of them', () => {
    expect([1, 2, 3, 4, 6, 8, 20].map(count => browserNiceness(count, false))).toEqual([0, 0, 2, 4, 5, 7, 7]);
  });

  it('gives each browser a fifth of the share of a service that goes first', () => {
    expect([1, 2, 20].map(count => browserNiceness(count, true))).toEqual([7, 7, 7]);
  });
});

describe.skipIf(reason !== '')(`BrowserPriorities ${reason}`, () => {
  it('gives a browser a smaller share of the processors than a service that goes first', async () => {
    const pid = await startChild(true);
    const priorities = new BrowserPriorities(true);
    priorities.share([browser(pid)]);
    await expect.poll(() => groupOf(pid)).toMatch(/nice 7$/);
    priorities.end();
  });

  it('changes the shares with the number of browsers', async () => {
    const pid = await startChild(true);
    const priorities = new BrowserPriorities(false);
    priorities.share([browser(pid), browser(process.pid), browser(process.pid + 1_000_000_000)]);
    await expect.poll(() => groupOf(pid)).toMatch(/nice 2$/);
    priorities.share([browser(pid), { ...browser(process.pid), isClosed: true }]);
    await expect.poll(() => groupOf(pid)).toMatch(/nice 0$/);
    priorities.end();
  });

  it('changes nothing for a browser that shares the session of the service', async () => {
    const before = groupOf('self');
    const pid = await startChild(false);
    new BrowserPriorities(true).share([browser(pid)]);
    expect([groupOf(pid), groupOf('self')]).toEqual([before, before]);
  });
});
