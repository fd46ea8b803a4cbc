import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { processRow } from '../../../src/browser/limits/processTable.ts';
import { BrowserProcessRegistry } from '../../../src/browser/pool/browserProcessRegistry.ts';

let folder: string;
let registry: BrowserProcessRegistry;
let children: ChildProcess[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pagespace-registry-'));
  registry = new BrowserProcessRegistry(folder);
  children = [];
});
afterEach(() => {
  for (const { pid } of children) killGroup(pid);
  rmSync(folder, { recursive: true, force: true });
});

/** Kills what is left of a program and of its child, which outlives it. */
function killGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, 'SIGKILL');
  } catch (error) {
    // The test has ended the whole group.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Starts a program instead of a browser: the leader of a process group, as with Playwright, and a child process. */
async function startBrowserLike(
  flag: string,
  ...more: readonly string[]
): Promise<{ pid: number; child: number; exited: Promise<unknown> }> {
  const code = `const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)']);
    console.log(child.pid); setInterval(() => {}, 1e6)`;
  const started = spawn(process.execPath, ['-e', code, '--', flag, ...more], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(started);
  const [line] = await once(started.stdout, 'data');
  return { pid: started.pid ?? 0, child: Number(line), exited: once(started, 'exit') };
}

describe('BrowserProcessRegistry', () => {
  it('killOrphans kills a browser that an earlier process left, with all its processes', async () => {
    const registration = registry.register();
    const { pid, child, exited } = await startBrowserLike(registration.flag);
    registration.setPid(pid);
    expect(await new BrowserProcessRegistry(folder).killOrphans()).toBe(1);
    await exited;
    expect([processRow(pid), processRow(child)]).toEqual([null, null]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('killOrphans kills a frozen browser', async () => {
    const registration = registry.register();
    const { pid, child } = await startBrowserLike(registration.flag);
    registration.setPid(pid);
    process.kill(-pid, 'SIGSTOP');
    expect(await new BrowserProcessRegistry(folder).killOrphans()).toBe(1);
    expect(processRow(child)).toBeNull();
  });

  it('killOrphans kills the remaining processes of a browser whose main process has ended', async () => {
    const registration = registry.register();
    const { pid, child, exited } = await startBrowserLike(registration.flag);
    registration.setPid(pid);
    expect(registration.group).toBe(pid);
    process.kill(pid, 'SIGKILL');
    await exited;
    // The number of a group whose leader has ended may name another group.
    expect(registration.group).toBeNull();
    expect(processRow(child)).not.toBeNull();
    expect(await new BrowserProcessRegistry(folder).killOrphans()).toBe(1);
    expect(processRow(child)).toBeNull();
  });

  it('killOrphans finds a browser without a recorded process id by its switch', async () => {
    const registration = registry.register();
    const { exited } = await startBrowserLike(registration.flag);
    expect(await new BrowserProcessRegistry(folder).killOrphans()).toBe(1);
    await exited;
  });

  it('killOrphans does not kill a later process with the same id', async () => {
    const registration = registry.register();
    const { pid } = await startBrowserLike('another program');
    registration.setPid(pid);
    const [name = ''] = readdirSync(folder);
    const written = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    written.browser.startedAt = written.leader.startedAt = 'another boot:1';
    writeFileSync(join(folder, name), JSON.stringify(written));
    expect(await new BrowserProcessRegistry(folder).killOrphans()).toBe(0);
    expect(processRow(pid)).not.toBeNull();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('unregister deletes the entry, and killOrphans the entry of a browser that never started', async () => {
    const registration = registry.register();
    registration.unregister();
    registration.unregister();
    registry.register();
    expect(await new BrowserProcessRegistry(folder).killOrphans()).toBe(0);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each(['recorded', 'unrecorded'])(
    'killOrphans deletes the profile of a browser whose process id is %s',
    async recorded => {
      const profile = mkdtempSync(join(tmpdir(), 'playwright_test-'));
      const registration = registry.register();
      const { pid } = await startBrowserLike(registration.flag, `--user-data-dir=${profile}`);
      if (recorded === 'recorded') registration.setPid(pid);
      await new BrowserProcessRegistry(folder).killOrphans();
      expect(existsSync(profile)).toBe(false);
    },
  );

  it('killOrphans deletes the profile of an ended browser of a service with another folder, and none that is used', async () => {
    const [ended = '', used = ''] = [1, 2].map(() => mkdtempSync(join(tmpdir(), 'playwright_test-')));
    for (const profile of [ended, used]) {
      const registration = registry.register();
      const { pid, exited } = await startBrowserLike(registration.flag, `--user-data-dir=${profile}`);
      registration.setPid(pid);
      if (profile === used) continue;
      process.kill(-pid, 'SIGKILL');
      await exited;
    }
    await new BrowserProcessRegistry(join(folder, 'another')).killOrphans();
    expect([existsSync(ended), existsSync(used)]).toEqual([false, true]);
    await new BrowserProcessRegistry(folder).killOrphans();
    expect(existsSync(used)).toBe(false);
  });

  it('killOrphans deletes an incomplete entry', async () => {
    writeFileSync(join(folder, 'torn.json'), '{"marker": "');
    expect(await registry.killOrphans()).toBe(0);
    expect(existsSync(join(folder, 'torn.json'))).toBe(false);
  });

  it('killOrphans returns 0 when the folder does not exist', async () => {
    expect(await new BrowserProcessRegistry(join(folder, 'none')).killOrphans()).toBe(0);
  });
});
