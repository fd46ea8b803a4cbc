/** Prepares the outer sandbox of one browser: its folder, network namespace, cgroup and start script. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { ProxyListener } from '../egress/proxyListener.ts';
import type { BrowserCgroups, CgroupLimits } from './cgroups.ts';
import { asUser, launchScript } from './launchScript.ts';
import { createNetworkNamespace } from './networkNamespace.ts';
import type { SandboxLayer } from './sandboxLayers.ts';
import { seccompFilter } from './seccompFilter.ts';

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
