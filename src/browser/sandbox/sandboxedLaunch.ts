/** Prepares the outer sandbox of one browser: its folder, network namespace, cgroup and start script. */

import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  chmod,
  chown,
  constants,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  realpath,
  rm,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { SessionFileStore } from '../../domain/ports/sessionFileStore.ts';
import type { ProxyListener } from '../egress/proxyListener.ts';
import type { BrowserCgroups, CgroupLimits } from './cgroups.ts';
import { asUser, launchScript } from './launchScript.ts';
import { createNetworkNamespace } from './networkNamespace.ts';
import { seccompFilter } from './seccompFilter.ts';

/** The layers of the outer sandbox. */

/**
 * `filesystem`: the browser sees programs of the system and its own folder. `network`: a network namespace
 * whose only way out is the session proxies. `seccomp`: the kernel refuses system calls that a browser never needs. `user`: the browser runs as a user
 * of its own. `cgroup`: limits of memory, threads and processor share.
 */
export const SANDBOX_LAYERS = ['filesystem', 'network', 'seccomp', 'user', 'cgroup'] as const;
export type SandboxLayer = (typeof SANDBOX_LAYERS)[number];

/**
 * Returns a view of the store whose `find` copies an upload into the folder of the browser and returns the path of the
 * copy. The copies disappear with the browser.
 */
export function sandboxedUploads(
  files: SessionFileStore,
  { folder, userId }: Pick<SandboxedLaunch, 'folder' | 'userId'>,
): SessionFileStore {
  const give = async (path: string) => {
    if (userId !== null) await chown(path, userId, userId);
  };
  const find: SessionFileStore['find'] = async (sessionId, kind, id) => {
    const found = await files.find(sessionId, kind, id);
    if (found === null || kind !== 'upload') return found;
    const path = join(folder, 'uploads', sessionId, found.id, found.name);
    await mkdir(dirname(path), { recursive: true });
    for (const parent of ['.', sessionId, join(sessionId, found.id)])
      await give(join(folder, 'uploads', parent));
    // A copy that shares its blocks with the original, where the file system can do that.
    await copyFile(found.path, path, constants.COPYFILE_FICLONE);
    await give(path);
    return { ...found, path };
  };
  return {
    maxBytes: files.maxBytes,
    reserve: (...args) => files.reserve(...args),
    list: (...args) => files.list(...args),
    save: (...args) => files.save(...args),
    open: (...args) => files.open(...args),
    unchangedSince: (...args) => files.unchangedSince(...args),
    remove: (...args) => files.remove(...args),
    find,
  };
}

/** The outer sandbox of one browser. */
export interface SandboxedLaunch {
  /** Path of the script that starts the browser in its sandbox. */
  readonly executablePath: string;
  /** Folder that the browser sees at the same path and may write to, for downloads and uploads. */
  readonly folder: string;
  /** The listener of the browser's session proxies; null when the browser shares the network of the machine. */
  readonly listener: ProxyListener | null;
  /** The user and group under which the browser runs; null for those of the service. */
  readonly userId: number | null;
  /** Removes the folder, the namespace and the cgroup. Call it when the browser has ended. Idempotent, never rejects. */
  close(): Promise<void>;
}

/** Options of `prepareLaunch`. */
export interface PrepareLaunchOptions {
  readonly executablePath: string;
  readonly layers: ReadonlySet<SandboxLayer>;
  readonly cgroups: BrowserCgroups | null;
  readonly cgroupLimits: CgroupLimits;
}

/** User ids of browsers, above those that distributions give to people, services and containers. */
const FIRST_USER_ID = 2_100_000_000;
const USER_IDS = 40_000_000;
const FOLDER_PREFIX = 'pagespace-browser-';
const PROBE_TIMEOUT_MS = 15_000;

const run = promisify(execFile);

/** Prepares the sandbox of one browser. @throws Error with the output of the command that failed */
export async function prepareLaunch(options: PrepareLaunchOptions): Promise<SandboxedLaunch> {
  const { executablePath, layers, cgroups, cgroupLimits } = options;
  await using stack = new AsyncDisposableStack();
  const userId = layers.has('user') ? FIRST_USER_ID + Math.floor(Math.random() * USER_IDS) : null;
  const base = await mkdtemp(join(tmpdir(), `${FOLDER_PREFIX}${process.pid}-`));
  stack.defer(() => rm(base, { recursive: true, force: true, maxRetries: 3 }).catch(() => {}));
  // The browser writes to `folder`; only the service writes to the folder of the script.
  await chmod(base, 0o711);
  const folder = join(base, 'files');
  await mkdir(folder, { mode: 0o700 });
  const network = layers.has('network') ? await createNetworkNamespace(asUser(userId)) : null;
  if (network !== null) stack.defer(() => network.close());
  const cgroup = (await cgroups?.create(`pagespace-${randomUUID()}`, cgroupLimits)) ?? null;
  if (cgroup !== null) stack.defer(() => cgroup.close());
  const filter = layers.has('seccomp') ? seccompFilter(process.arch) : null;
  const seccompFile = filter === null ? null : join(base, 'seccomp.bpf');
  if (filter !== null && seccompFile !== null) await writeFile(seccompFile, filter);
  const executable = await realpath(executablePath);
  const script = launchScript({
    executablePath: executable,
    readableFolders: [dirname(executable)],
    folder,
    seccompFile,
    network,
    userId,
    cgroupProcsFile: cgroup?.procsFile ?? null,
  });
  const scriptPath = join(base, 'start-browser');
  await writeFile(scriptPath, script, { mode: 0o755 });
  const resources = stack.move();
  return {
    executablePath: scriptPath,
    folder,
    listener: network,
    userId,
    close: () => resources.disposeAsync(),
  };
}

/** Removes the folders that killed processes of the service left. Call it before the first `prepareLaunch`. */
export async function removeStaleFolders(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = new RegExp(`^${FOLDER_PREFIX}(\\d+)-`).exec(name)?.[1];
    if (pid === undefined || (Number(pid) !== process.pid && isRunning(Number(pid)))) continue;
    await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => {});
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Starts `chromium --version` in the layers. @returns null when it works; otherwise the reason */
export async function probeLaunch(
  executablePath: string,
  layers: ReadonlySet<SandboxLayer>,
): Promise<string | null> {
  try {
    const launch = await prepareLaunch({ executablePath, layers, cgroups: null, cgroupLimits: NO_LIMITS });
    try {
      await run(launch.executablePath, ['--version'], { timeout: PROBE_TIMEOUT_MS });
    } finally {
      await launch.close();
    }
    return null;
  } catch (error) {
    return reasonOf(error);
  }
}

const NO_LIMITS: CgroupLimits = { memoryBytes: 0, threads: 0 };

/** Returns the last line of the output of the command that failed. */
function reasonOf(error: unknown): string {
  const { message, stderr } = error as Error & { readonly stderr?: string };
  const text = (stderr || message).trim();
  if (/bwrap: not found|spawn bwrap ENOENT|execute bwrap/.test(text))
    return 'it needs bubblewrap (Debian: apt-get install bubblewrap)';
  if (/start-browser EACCES/.test(text))
    return `${tmpdir()} does not allow programs: mount it with exec, or set TMPDIR to another folder`;
  return text.split('\n').at(-1) ?? '';
}
