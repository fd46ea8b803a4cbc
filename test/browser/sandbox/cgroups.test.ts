import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { browserCgroupLimits, openBrowserCgroups } from '../../../src/browser/sandbox/cgroups.ts';

// A folder with the files of the kernel: the real ones exist only where cgroup version 2 is delegated to the tests.
let mountPoint: string;
let own: string;
let paths: Parameters<typeof openBrowserCgroups>[0];

beforeEach(async () => {
  const base = await mkdtemp(join(tmpdir(), 'pagespace-cgroup-'));
  mountPoint = join(base, 'cgroup');
  own = join(mountPoint, 'unit');
  paths = { mountPoint, selfFile: join(base, 'self'), processes: join(base, 'proc') };
  await mkdir(own, { recursive: true });
  await writeFile(paths.selfFile, '12:pids:/old\n0::/unit\n');
  await writeFile(join(own, 'cgroup.controllers'), 'cpuset cpu io memory pids\n');
  await writeFile(join(own, 'cgroup.procs'), `${process.pid}\n`);
  return () => rm(base, { recursive: true });
});

const addProcess = async (pid: number, parent: number): Promise<void> => {
  await mkdir(join(paths?.processes ?? '', String(pid)), { recursive: true });
  await writeFile(join(paths?.processes ?? '', String(pid), 'status'), `Name:\tx\nPPid:\t${parent}\n`);
};
const content = (...path: string[]): Promise<string> => readFile(join(own, ...path), 'utf8');

describe('openBrowserCgroups', () => {
  test('moves the service into a child and enables the controllers for children', async () => {
    await openBrowserCgroups(paths);
    expect(await content('pagespace-service', 'cgroup.procs')).toBe(String(process.pid));
    expect(await content('cgroup.subtree_control')).toBe('+memory +pids +cpu');
  });

  test('moves the programs that started the service, and those that it started', async () => {
    await writeFile(join(own, 'cgroup.procs'), `7\n${process.pid}\n9\n`);
    await addProcess(process.pid, 7);
    await addProcess(9, process.pid);
    await expect(openBrowserCgroups(paths)).resolves.toBeDefined();
  });

  test('refuses a cgroup that other programs share', async () => {
    await writeFile(join(own, 'cgroup.procs'), `8\n${process.pid}\n`);
    await addProcess(8, 1);
    await expect(openBrowserCgroups(paths)).rejects.toThrow('other programs share the cgroup');
  });

  test('names the controllers that are missing', async () => {
    await writeFile(join(own, 'cgroup.controllers'), 'cpu pids\n');
    await expect(openBrowserCgroups(paths)).rejects.toThrow('no controller for memory');
  });

  test('says that cgroup version 2 is not in use', async () => {
    await writeFile(paths?.selfFile ?? '', '4:memory:/x\n');
    await expect(openBrowserCgroups(paths)).rejects.toThrow('cgroup version 2 is not in use');
  });
});

describe('The cgroup of a browser', () => {
  test('has limits of memory, threads and processor share', async () => {
    const cgroups = await openBrowserCgroups(paths);
    const cgroup = await cgroups.create('b1', { memoryBytes: 5_000_000, threads: 900 });
    expect(await content('b1', 'memory.max')).toBe('5000000');
    expect(await content('b1', 'pids.max')).toBe('900');
    expect(Number(await content('b1', 'cpu.weight'))).toBeLessThan(100);
    expect(cgroup.procsFile).toBe(join(own, 'b1', 'cgroup.procs'));
  });

  test('has no memory limit when sessions have none', async () => {
    const cgroups = await openBrowserCgroups(paths);
    await cgroups.create('b1', browserCgroupLimits({ memoryBytes: null }, 4));
    expect(await content('b1', 'memory.max')).toBe('max');
  });

  test('kills its processes when it is closed', async () => {
    const cgroups = await openBrowserCgroups(paths);
    const cgroup = await cgroups.create('b1', { memoryBytes: 1, threads: 1 });
    await cgroup.close();
    expect(await content('b1', 'cgroup.kill')).toBe('1');
  });

  test('leaves room for what all sessions may use together', () => {
    const one = browserCgroupLimits({ memoryBytes: 2_000_000_000 }, 1);
    const four = browserCgroupLimits({ memoryBytes: 2_000_000_000 }, 4);
    expect(one.memoryBytes).toBeGreaterThan(2 * 2_000_000_000);
    expect(four.memoryBytes).toBeGreaterThan(8 * 2_000_000_000);
    expect(four.threads).toBeGreaterThan(one.threads);
  });
});
