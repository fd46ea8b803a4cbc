import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { groupMembers, residentBytes } from '../../../src/browser/limits/processTable.ts';
import type { Viewer } from '../../../src/domain/account.ts';
import { isFailure } from '../../../src/domain/failures.ts';
import type { StartCommand } from '../../../src/service/sessions/sessionOperations.ts';
import { registeredBrowsers } from '../../support/browserProcesses.ts';
import {
  addAccount,
  type StartedService,
  type StartServiceOptions,
  startService,
} from '../../support/startService.ts';

const signal = new AbortController().signal;
const plain: StartCommand = { keepAlive: null, timeoutMinutes: null, screenshot: false, signal };

let recordPath: string;
beforeEach(() => {
  recordPath = mkdtempSync(join(tmpdir(), 'pagespace-pool-'));
});
afterEach(() => rmSync(recordPath, { recursive: true, force: true }));

const started = (options: StartServiceOptions = {}) => startService({ recordPath, ...options });

async function start({ service, viewer }: StartedService, as: Viewer = viewer): Promise<string> {
  return (await service.start(as, plain)).session.id;
}
async function close(
  { service, viewer }: StartedService,
  sessionId: string,
  as: Viewer = viewer,
): Promise<void> {
  await service.close(as, { sessionId, screenshot: false, signal });
}

/** Processes of all browsers of the record. */
const processes = () => registeredBrowsers(recordPath).flatMap(({ group }) => groupMembers(group));

describe('the pool', () => {
  it('takes as many as it has places, in any rush, and refuses the others at once', async () => {
    await using service = await started({ capacity: 20, sessionsPerBrowser: 8 });
    const settled = await Promise.allSettled(Array.from({ length: 200 }, () => start(service)));
    const ids = settled.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []));
    const refused = settled.flatMap(one => (one.status === 'rejected' ? [one.reason] : []));
    expect(ids).toHaveLength(20);
    expect(refused.every(reason => isFailure(reason, 'AT_CAPACITY'))).toBe(true);
    expect(refused.every(reason => reason.context.retryAfterSeconds > 0)).toBe(true);
    // Never more than eight in a browser.
    expect(registeredBrowsers(recordPath)).toHaveLength(3);
    await Promise.all(ids.map(id => close(service, id)));
    expect([service.browsers.sessionCount, service.service.activeSessionCount()]).toEqual([0, 0]);
  });

  it('lets those in the line in as places become free, in order, and loses none that go away', async () => {
    await using service = await started({ capacity: 2, maxQueueLength: 50, queueTimeoutMs: 60_000 });
    const holders = await Promise.all([start(service), start(service)]);
    const impatient = new AbortController();
    const gone = Array.from({ length: 10 }, () =>
      service.service.start(service.viewer, { ...plain, signal: impatient.signal }),
    );
    const waiting = Array.from({ length: 20 }, async () => close(service, await start(service)));
    impatient.abort(new Error('gone'));
    expect((await Promise.allSettled(gone)).every(({ status }) => status === 'rejected')).toBe(true);
    await Promise.all(holders.map(id => close(service, id)));
    await Promise.all(waiting);
    expect(service.browsers.sessionCount).toBe(0);
  });

  it('has as many processes and as much memory after a hundred sessions as after ten', async () => {
    await using service = await started({ capacity: 2, warmContexts: 1 });
    const cycle = async (count: number) => {
      for (let n = 0; n < count; n++) await close(service, await start(service));
    };
    const [browser = { pid: 0, group: 0 }] = registeredBrowsers(recordPath);
    await cycle(10);
    const before = residentBytes(browser.pid) ?? 0;
    await cycle(90);
    // The browser, its helpers, one warm page, and the last page going.
    await expect.poll(() => processes().length).toBeLessThan(12);
    expect((residentBytes(browser.pid) ?? 0) - before).toBeLessThan(60_000_000);
    expect(registeredBrowsers(recordPath)).toEqual([browser]);
  }, 90_000);

  it('is empty after it was closed: no process, no record', async () => {
    const service = await started();
    await start(service);
    const left = registeredBrowsers(recordPath);
    await service[Symbol.asyncDispose]();
    expect(left.flatMap(({ group }) => groupMembers(group))).toEqual([]);
    expect(registeredBrowsers(recordPath)).toEqual([]);
  });
});

describe('the pool with accounts kept apart', () => {
  it.each([0, 2])('never has sessions of two in one browser, with %i warm contexts', async warmContexts => {
    await using service = await started({ isolateAccounts: true, warmContexts });
    const bob = await addAccount(service.store, service.clock, 'bob');
    const viewers = [service.viewer, bob.viewer, service.viewer, bob.viewer];
    const ids = await Promise.all(viewers.map(viewer => start(service, viewer)));
    const statusOf = async (index: number) => {
      const [session] = await service.service.sessions(viewers[index] ?? service.viewer, [ids[index] ?? '']);
      return session?.status;
    };
    // Killed one by one, each browser takes sessions of one account.
    for (const { pid } of registeredBrowsers(recordPath)) {
      const before = await Promise.all(ids.map((_, index) => statusOf(index)));
      process.kill(pid, 'SIGKILL');
      await expect.poll(() => registeredBrowsers(recordPath).some(one => one.pid === pid)).toBe(false);
      const after = await Promise.all(ids.map((_, index) => statusOf(index)));
      const lost = ids.keys().filter(index => before[index] !== after[index]);
      expect(new Set(lost.map(index => viewers[index]?.account.id)).size).toBeLessThanOrEqual(1);
    }
    expect(await Promise.all(ids.map((_, index) => statusOf(index)))).toEqual(ids.map(() => 'error'));
  });

  it('ends a browser when the last session of its account has left', async () => {
    await using service = await started({ isolateAccounts: true });
    const id = await start(service);
    const [browser = { pid: 0, group: 0 }] = registeredBrowsers(recordPath);
    await close(service, id);
    await expect.poll(() => groupMembers(browser.group)).toEqual([]);
    await close(service, await start(service));
  });

  it('shares one browser among all where they are not kept apart', async () => {
    await using service = await started();
    const bob = await addAccount(service.store, service.clock, 'bob');
    const ids = [await start(service), await start(service, bob.viewer)];
    expect(registeredBrowsers(recordPath)).toHaveLength(1);
    await close(service, ids[0] ?? '');
    await close(service, ids[1] ?? '', bob.viewer);
  });
});
