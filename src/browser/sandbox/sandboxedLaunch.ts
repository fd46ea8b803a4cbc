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
import { createNetworkNamespace, type NetworkNamespace } from './networkNamespace.ts';
import { seccompFilter } from './seccompFilter.ts';

/** Options of `launchScript`. The script leaves out a layer that is null. */
interface LaunchScriptOptions {
  /** Absolute path of the Chromium executable. */
  readonly executablePath: string;
  /** Folders that the browser may read, besides the system's programs, libraries and fonts. */
  readonly readableFolders: readonly string[];
  /** Folder of this browser, in which it may write. */
  readonly folder: string;
  /** Path of the seccomp filter. */
  readonly seccompFile: string | null;
  readonly network: Pick<NetworkNamespace, 'userFile' | 'networkFile'> | null;
  /** Number of the user and of the group under which the browser runs. */
  readonly userId: number | null;
  /** Path of the file `cgroup.procs` of the browser's cgroup. */
  readonly cgroupProcsFile: string | null;
}

/** Parts of the file system that a browser reads. `--ro-bind-try` ignores those that this system does not have. */
const SYSTEM_PATHS = [
  ...['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/opt'],
  ...[
    '/etc/alternatives',
    '/etc/chromium',
    '/etc/chromium.d',
    '/etc/fonts',
    '/etc/ld.so.cache',
    '/etc/localtime',
  ],
  ...['/etc/mime.types', '/etc/os-release', '/etc/ssl', '/etc/passwd', '/etc/group', '/etc/nsswitch.conf'],
  ...['/var/cache/fontconfig', '/sys/devices/system/cpu'],
];

/** Environment variables that the browser inherits: language and time zone. The others may contain secrets. */
const INHERITED_VARIABLES = ['LANG', 'LC_ALL', 'TZ'];

/** Returns the command prefix that runs a program as another user, without rights of root and with no way to get them. */
const asUser = (userId: number | null): string[] =>
  userId === null
    ? []
    : [
        'setpriv',
        `--reuid=${userId}`,
        `--regid=${userId}`,
        ...['--clear-groups', '--inh-caps=-all', '--bounding-set=-all', '--no-new-privs'],
      ];

/** Returns the text of the script. The arguments of the script are those of the browser. */
function launchScript(options: LaunchScriptOptions): string {
  const { folder, seccompFile, network, userId, cgroupProcsFile, executablePath } = options;
  const bubblewrap = [
    'bwrap',
    ...SYSTEM_PATHS.flatMap(path => ['--ro-bind-try', path, path]),
    // Chromium writes the user and group maps of its own sandbox to /proc.
    ...['--dev', '/dev', '--bind', '/proc', '/proc', '--tmpfs', '/tmp'],
    ...options.readableFolders.flatMap(path => ['--ro-bind', path, path]),
    ...['--bind', folder, folder],
    ...['--die-with-parent', '--clearenv', '--setenv', 'PATH', '/usr/bin:/bin', '--setenv', 'HOME', '/tmp'],
  ];
  return [
    '#!/bin/sh',
    `for argument in "$@"; do case "$argument" in --user-data-dir=*) profile=\${argument#--user-data-dir=};; esac; done`,
    ...(cgroupProcsFile === null ? [] : [`echo $$ > ${quote(cgroupProcsFile)} || exit 1`]),
    ...(userId === null
      ? []
      : [`chown -R ${userId}:${userId} \${profile:+"$profile"} ${quote(folder)} || exit 1`]),
    ...(network === null ? [] : [`exec 7< ${quote(network.userFile)} 8< ${quote(network.networkFile)}`]),
    ...(seccompFile === null ? [] : [`exec 9< ${quote(seccompFile)}`]),
    [
      'exec',
      ...asUser(userId),
      ...(network === null
        ? []
        : ['nsenter', '--preserve-credentials', '--user=/proc/self/fd/7', '--net=/proc/self/fd/8', '--']),
      ...bubblewrap.map(quote),
      ...INHERITED_VARIABLES.map(name => `\${${name}:+--setenv ${name} "$${name}"}`),
      `\${profile:+--bind "$profile" "$profile"}`,
      ...(seccompFile === null ? [] : ['--seccomp', '9']),
      '--',
      quote(executablePath),
      '"$@"',
    ].join(' '),
    '',
  ].join('\n');
}

const quote = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

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
