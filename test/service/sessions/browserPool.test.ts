import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { groupMembers, residentBytes } from '../../../src/browser/limits/processTable.ts';
import type { Viewer } from '../../../src/domain/account/account.ts';
import { isFailure } from '../../../src/domain/failure/failures.ts';
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

let registryPath: string;
beforeEach(() => {
  registryPath = mkdtempSync(join(tmpdir(), 'pagespace-pool-'));
});
afterEach(() => rmSync(registryPath, { recursive: true, force: true }));

const started = (options: StartServiceOptions = {}) => startService({ registryPath, ...options });

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

/** The processes of all registered browsers. */
const processes = () => registeredBrowsers(registryPath).flatMap(({ group }) => groupMembers(group));

describe('The browser pool', () => {
  it('starts as many sessions as its capacity of 200 starts at once, and refuses the others', async () => {
    await using service = await started({ capacity: 4, sessionsPerBrowser: 2 });
    const settled = await Promise.allSettled(Array.from({ length: 200 }, () => start(service)));
    const ids = settled.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []));
    const refused = settled.flatMap(one => (one.status === 'rejected' ? [one.reason] : []));
    expect(ids).toHaveLength(4);
    expect(refused.every(reason => isFailure(reason, 'AT_CAPACITY'))).toBe(true);
    expect(refused.every(reason => reason.context.retryAfterSeconds > 0)).toBe(true);
    // At most two sessions in a browser.
    expect(registeredBrowsers(registryPath)).toHaveLength(2);
    await Promise.all(ids.map(id => close(service, id)));
    expect([service.browsers.sessionCount, service.service.activeSessionCount()]).toEqual([0, 0]);
  });

  it('starts queued sessions as slots become available, and loses no slot to a caller that goes away', async () => {
    await using service = await started({ capacity: 2, maxWaiting: 50, waitTimeoutMs: 60_000 });
    const holders = await Promise.all([start(service), start(service)]);
    const leavingCallers = new AbortController();
    const gone = Array.from({ length: 5 }, () =>
      service.service.start(service.viewer, { ...plain, signal: leavingCallers.signal }),
    );
    const waiting = Array.from({ length: 4 }, async () => close(service, await start(service)));
    leavingCallers.abort(new Error('gone'));
    expect((await Promise.allSettled(gone)).every(({ status }) => status === 'rejected')).toBe(true);
    await Promise.all(holders.map(id => close(service, id)));
    await Promise.all(waiting);
    expect(service.browsers.sessionCount).toBe(0);
  });

  // `npm run soak -- --sessions 1000` runs a thousand: a slow leak does not show in a few seconds.
  it('has as many processes and as much memory after 9 sessions as after 3', async () => {
    await using service = await started({ capacity: 2, warmContexts: 1 });
    const cycle = async (count: number) => {
      for (let n = 0; n < count; n++) await close(service, await start(service));
    };
    const [browser = { pid: 0, group: 0 }] = registeredBrowsers(registryPath);
    await cycle(3);
    const before = residentBytes(browser.pid) ?? 0;
    await cycle(6);
    // The browser, its helper processes, one warm page, and the last page, which is closing.
    await expect.poll(() => processes().length).toBeLessThan(12);
    expect((residentBytes(browser.pid) ?? 0) - before).toBeLessThan(25_000_000);
    expect(registeredBrowsers(registryPath)).toEqual([browser]);
  });

  it('leaves no process and no registry entry after it has closed', async () => {
    const service = await started();
    await start(service);
    const left = registeredBrowsers(registryPath);
    await service[Symbol.asyncDispose]();
    // A killed process is in the table for some moments more, without its executable.
    await expect.poll(() => left.flatMap(({ group }) => groupMembers(group))).toEqual([]);
    expect(registeredBrowsers(registryPath)).toEqual([]);
  });
});

describe('The browser pool with isolated accounts', () => {
  it.each([0, 1])(
    'never has sessions of two accounts in one browser, with %i warm contexts',
    async warmContexts => {
      await using service = await started({ isolateAccounts: true, warmContexts });
      const bob = await addAccount(service.store, service.clock, 'bob');
      const viewers = [service.viewer, bob.viewer, service.viewer, bob.viewer];
      const ids = await Promise.all(viewers.map(viewer => start(service, viewer)));
      const statusOf = async (index: number) => {
        const [session] = await service.service.sessions(viewers[index] ?? service.viewer, [
          ids[index] ?? '',
        ]);
        return session?.status;
      };
      // Each browser that is killed ends sessions of one account only.
      for (const { pid } of registeredBrowsers(registryPath)) {
        const before = await Promise.all(ids.map((_, index) => statusOf(index)));
        process.kill(pid, 'SIGKILL');
        await expect.poll(() => registeredBrowsers(registryPath).some(one => one.pid === pid)).toBe(false);
        const after = await Promise.all(ids.map((_, index) => statusOf(index)));
        const lost = ids.keys().filter(index => before[index] !== after[index]);
        expect(new Set(lost.map(index => viewers[index]?.account.id)).size).toBeLessThanOrEqual(1);
      }
      expect(await Promise.all(ids.map((_, index) => statusOf(index)))).toEqual(ids.map(() => 'error'));
    },
  );

  it('closes a browser when the last session of its account has ended', async () => {
    await using service = await started({ isolateAccounts: true, hasSeveralAccounts: true });
    const id = await start(service);
    const [browser = { pid: 0, group: 0 }] = registeredBrowsers(registryPath);
    await close(service, id);
    await expect.poll(() => groupMembers(browser.group)).toEqual([]);
    await close(service, await start(service));
  });

  it('keeps the browser of the only account open, and closes it when a second account starts a session', async () => {
    await using service = await started({ isolateAccounts: true });
    await close(service, await start(service));
    const [browser = { pid: 0, group: 0 }] = registeredBrowsers(registryPath);
    await close(service, await start(service));
    expect(registeredBrowsers(registryPath)).toEqual([browser]);
    const bob = await addAccount(service.store, service.clock, 'bob');
    const id = await start(service, bob.viewer);
    expect(registeredBrowsers(registryPath)).not.toContainEqual(browser);
    await close(service, id, bob.viewer);
  });

  it('has a browser that served no account ready for the next account', async () => {
    await using service = await started({ isolateAccounts: true, hasSeveralAccounts: true, warmContexts: 1 });
    const bob = await addAccount(service.store, service.clock, 'bob');
    for (const viewer of [service.viewer, bob.viewer]) {
      const known = registeredBrowsers(registryPath).map(({ pid }) => pid);
      await start(service, viewer);
      // The session has an earlier browser; the new one is for the next account.
      await expect.poll(() => registeredBrowsers(registryPath).length).toBe(known.length + 1);
    }
  });

  it('can be turned off: then accounts share one browser', async () => {
    await using service = await started({ isolateAccounts: false });
    const bob = await addAccount(service.store, service.clock, 'bob');
    const ids = [await start(service), await start(service, bob.viewer)];
    expect(registeredBrowsers(registryPath)).toHaveLength(1);
    await close(service, ids[0] ?? '');
    await close(service, ids[1] ?? '', bob.viewer);
  });
});
