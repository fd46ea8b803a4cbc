import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { processRow } from '../../../src/browser/limits/processTable.ts';
import { BrowserProcessRegistry } from '../../../src/browser/pool/browserProcessRegistry.ts';

let folder: string;
let record: BrowserProcessRegistry;
let children: ChildProcess[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pagespace-record-'));
  record = new BrowserProcessRegistry(folder);
  children = [];
});
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** A program that stands for a browser: it leads a group, as Playwright's do, and a child of its own is in it. */
async function browserLike(flag: string): Promise<{ pid: number; child: number; over: Promise<unknown> }> {
  const code = `const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)']);
    console.log(child.pid); setInterval(() => {}, 1e6)`;
  const started = spawn(process.execPath, ['-e', code, '--', flag], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(started);
  const [line] = await once(started.stdout, 'data');
  return { pid: started.pid ?? 0, child: Number(line), over: once(started, 'exit') };
}

describe('the record of browsers', () => {
  it('ends a browser that a former process left, with all its processes', async () => {
    const entry = record.register();
    const { pid, child, over } = await browserLike(entry.flag);
    entry.setPid(pid);
    expect(await new BrowserProcessRegistry(folder).killOrphans()).toBe(1);
    await over;
    expect([processRow(pid), processRow(child)]).toEqual([null, null]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('ends one that is frozen', async () => {
    const entry = record.register();
    const { pid, child } = await browserLike(entry.flag);
    entry.setPid(pid);
    process.kill(-pid, 'SIGSTOP');
    expect(await new BrowserProcessRegistry(folder).killOrphans()).toBe(1);
    expect(processRow(child)).toBeNull();
  });

  it('ends what is left of one whose main process is gone', async () => {
    const entry = record.register();
    const { pid, child, over } = await browserLike(entry.flag);
    entry.setPid(pid);
    process.kill(pid, 'SIGKILL');
    await over;
    expect(processRow(child)).not.toBeNull();
    expect(await new BrowserProcessRegistry(folder).killOrphans()).toBe(1);
    expect(processRow(child)).toBeNull();
  });

  it('finds one whose number was never learned by its switch', async () => {
    const entry = record.register();
    const { over } = await browserLike(entry.flag);
    expect(await new BrowserProcessRegistry(folder).killOrphans()).toBe(1);
    await over;
  });

  it('leaves a process alone that has the number of a browser long gone', async () => {
    const entry = record.register();
    const { pid } = await browserLike('another program');
    entry.setPid(pid);
    const [name = ''] = readdirSync(folder);
    const written = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    written.browser.startedAt = written.leader.startedAt = 'another boot:1';
    writeFileSync(join(folder, name), JSON.stringify(written));
    expect(await new BrowserProcessRegistry(folder).killOrphans()).toBe(0);
    expect(processRow(pid)).not.toBeNull();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('strikes out a browser that has ended, and forgets one that never came up', async () => {
    const entry = record.register();
    entry.unregister();
    entry.unregister();
    record.register();
    expect(await new BrowserProcessRegistry(folder).killOrphans()).toBe(0);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is not stopped by a record that was torn', async () => {
    writeFileSync(join(folder, 'torn.json'), '{"marker": "');
    expect(await record.killOrphans()).toBe(0);
    expect(existsSync(join(folder, 'torn.json'))).toBe(false);
  });

  it('finds nothing where no browser was ever started', async () => {
    expect(await new BrowserProcessRegistry(join(folder, 'none')).killOrphans()).toBe(0);
  });
});
