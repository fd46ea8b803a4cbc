/** One cgroup (version 2) for each browser: limits of memory, processes and processor share that the kernel enforces. */
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { SessionLimits } from '../../domain/session/sessionLimits.ts';

export interface CgroupLimits {
  /** Maximum memory in bytes, page cache included; null for no limit. At the maximum the kernel kills one of its processes. */
  readonly memoryBytes: number | null;
  readonly threads: number;
}

/** Memory of a browser's shared processes, beside that of its sessions. */
const SHARED_MEMORY_BYTES = 1_000_000_000;
/** A browser has about 115 threads, and 13 for each page process; a session may have 20 pages open, and frames of other sites. */
const BROWSER_THREADS = 500;
const SESSION_THREADS = 400;

/** So that the service ends a session above its own limit before the kernel ends processes of all sessions. */
export const browserCgroupLimits = (
  { memoryBytes }: Pick<SessionLimits, 'memoryBytes'>,
  sessionsPerBrowser: number,
): CgroupLimits => ({
  memoryBytes: memoryBytes === null ? null : SHARED_MEMORY_BYTES + 2 * memoryBytes * sessionsPerBrowser,
  threads: BROWSER_THREADS + SESSION_THREADS * sessionsPerBrowser,
});

/** The cgroup that limits one browser; remove it after the browser has ended. */
export interface BrowserCgroup {
  /** Path of the file to which a process writes its id to join the cgroup. */
  readonly procsFile: string;
  /** Kills the processes that are left in the cgroup and removes it; idempotent, never rejects. */
  close(): Promise<void>;
}

export interface BrowserCgroups {
  create(name: string, limits: CgroupLimits): Promise<BrowserCgroup>;
}

export interface CgroupPaths {
  /** The mount point of cgroup version 2. */
  readonly mountPoint: string;
  /** The file that names the cgroups of this process. */
  readonly selfFile: string;
  /** The folder with one folder for each process. */
  readonly processes: string;
}

const KERNEL_PATHS: CgroupPaths = {
  mountPoint: '/sys/fs/cgroup',
  selfFile: '/proc/self/cgroup',
  processes: '/proc',
};

const CONTROLLERS = ['memory', 'pids', 'cpu'];
/** Weight of a browser (default of the kernel: 100). The service keeps 100, so that a busy browser leaves it time. */
const BROWSER_CPU_WEIGHT = 20;
const REMOVE_INTERVAL_MS = 50;
const MAX_REMOVE_ATTEMPTS = 40;
/** Name of the cgroup into which the service moves itself: a cgroup with limited children may have no processes of its own. */
const SERVICE_CGROUP = 'pagespace-service';

/** Prepares the service's own cgroup, if it is delegated (`Delegate=yes`, writable cgroup namespace), for children. @throws Error with the reason */
export async function openBrowserCgroups(paths = KERNEL_PATHS): Promise<BrowserCgroups> {
  const own = /^0::(.*)$/m.exec(await readFile(paths.selfFile, 'utf8'))?.[1];
  const controllersFile = (folder: string) => join(folder, 'cgroup.controllers');
  if (own === undefined) throw new Error('cgroup version 2 is not in use');
  const folder = join(paths.mountPoint, own);
  const available = await readFile(controllersFile(folder), 'utf8').catch(() => '');
  const missing = CONTROLLERS.filter(controller => !available.split(/\s+/).includes(controller));
  if (missing.length > 0)
    throw new Error(`this cgroup has no controller for ${missing.join(', ')} (cgroup version 2, delegated)`);
  await moveProcesses(folder, join(folder, SERVICE_CGROUP), paths);
  await writeFile(join(folder, 'cgroup.subtree_control'), CONTROLLERS.map(name => `+${name}`).join(' '));
  return { create: (name, limits) => createCgroup(join(folder, name), limits) };
}

/** Moves the service, the programs that started it and the programs that it started. @throws Error when there are others */
async function moveProcesses(from: string, to: string, { processes }: CgroupPaths): Promise<void> {
  const pids = (await readFile(join(from, 'cgroup.procs'), 'utf8')).split('\n').filter(pid => pid !== '');
  const own = String(process.pid);
  const ancestors = await ancestorsOf(own, processes);
  for (const pid of pids)
    if (pid !== own && !ancestors.includes(pid) && !(await ancestorsOf(pid, processes)).includes(own))
      throw new Error(
        'other programs share the cgroup of the service (systemd: start it as a unit with Delegate=yes)',
      );
  await mkdir(to, { recursive: true });
  for (const pid of pids) await writeFile(join(to, 'cgroup.procs'), pid);
}

async function ancestorsOf(pid: string, processes: string): Promise<string[]> {
  const status = await readFile(join(processes, pid, 'status'), 'utf8').catch(() => '');
  const parent = /^PPid:\s*(\d+)$/m.exec(status)?.[1] ?? '0';
  return parent === '0' ? [] : [parent, ...(await ancestorsOf(parent, processes))];
}

async function createCgroup(folder: string, limits: CgroupLimits): Promise<BrowserCgroup> {
  await mkdir(folder);
  const close = async () => {
    await writeFile(join(folder, 'cgroup.kill'), '1').catch(() => {});
    // The kernel removes a cgroup only when its last process has ended, and sends no event that Node can wait for.
    for (let attempt = 0; attempt < MAX_REMOVE_ATTEMPTS; attempt++) {
      if (
        await rmdir(folder).then(
          () => true,
          (error: NodeJS.ErrnoException) => error.code !== 'EBUSY',
        )
      )
        return;
      await wait(REMOVE_INTERVAL_MS);
    }
  };
  try {
    await writeFile(join(folder, 'memory.max'), String(limits.memoryBytes ?? 'max'));
    await writeFile(join(folder, 'pids.max'), String(limits.threads));
    await writeFile(join(folder, 'cpu.weight'), String(BROWSER_CPU_WEIGHT));
  } catch (error) {
    await close();
    throw error;
  }
  return { procsFile: join(folder, 'cgroup.procs'), close };
}
