import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  chmod,
  chown,
  constants,
  copyFile,
  type FileHandle,
  mkdir,
  mkdtemp,
  open,
  readdir,
  realpath,
  rm,
  writeFile,
} from 'node:fs/promises';
import type { Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterMs, race } from '../../async/race.ts';
import type { SessionFileStore } from '../../domain/ports/sessionFileStore.ts';
import type { ListeningAddress, ProxyListener } from '../egress/proxyListener.ts';
import type { BrowserCgroups, CgroupLimits } from './cgroups.ts';

interface NetworkNamespace extends ProxyListener {
  /** Path of the file of the user namespace that owns the network namespace, for `nsenter --user`. */
  readonly userFile: string;
  /** Path of the file of the network namespace, for `nsenter --net`. */
  readonly networkFile: string;
  /** Stops listening and closes the files; idempotent. */
  close(): void;
}

/** The port in the namespace. It has no meaning outside of it. */
const PORT = 3128;
const CREATION_TIMEOUT_MS = 10_000;

/**
 * A program that listens in its own namespace and sends the socket to this process. It ends when this process has the
 * socket. Node has no call to enter a namespace, but a socket stays in the namespace in which it was created.
 */
const LISTEN_PROGRAM = `
const server = require('node:net').createServer();
server.listen({ host: '0.0.0.0', port: ${PORT} }, () => process.send(process.pid, server));
for (const event of ['message', 'disconnect']) process.on(event, () => process.exit(0));
`;

/** Creates a network namespace, in which bubblewrap brings loopback up; `prefix` runs it as another user. @throws Error with the command's output */
async function createNetworkNamespace(prefix: readonly string[]): Promise<NetworkNamespace> {
  const [command = 'bwrap', ...args] = [
    ...prefix,
    ...['bwrap', '--unshare-user', '--unshare-net', '--die-with-parent', '--dev-bind', '/', '/', '--'],
    ...[process.execPath, '-e', LISTEN_PROGRAM],
  ];
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], env: {} });
  try {
    const { pid, server } = await race(
      listeningSocket(child),
      afterMs(CREATION_TIMEOUT_MS, () => {
        throw new Error('a network namespace could not be created in time');
      }),
    );
    const files = await Promise.all([open(`/proc/${pid}/ns/user`), open(`/proc/${pid}/ns/net`)]);
    child.send('done', () => {});
    return namespace(server, files);
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
}

function listeningSocket(child: ChildProcess): Promise<{ pid: number; server: Server }> {
  let output = '';
  child.stderr?.on('data', text => {
    output = `${output}${text}`.slice(-1_000);
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => reject(new Error(output.trim() || 'bwrap ended without an error message')));
    child.once('message', (pid, server) => resolve({ pid: Number(pid), server: server as Server }));
  });
}

/** Each HTTP server gets an address of 127.0.0.0/8 of its own; connections to an address without a server are closed. */
function namespace(listening: Server, [user, network]: readonly [FileHandle, FileHandle]): NetworkNamespace {
  const servers = new Map<string, Parameters<ProxyListener['listen']>[0]>();
  let lastHost = 0;
  listening.on('connection', (socket: Socket) => {
    const server = servers.get(socket.localAddress ?? '');
    if (server === undefined) socket.destroy();
    else server.emit('connection', socket);
  });
  listening.unref();
  return {
    userFile: `/proc/${process.pid}/fd/${user.fd}`,
    networkFile: `/proc/${process.pid}/fd/${network.fd}`,
    listen(server): Promise<ListeningAddress> {
      lastHost += 1;
      const address = `127.${(lastHost >> 16) & 255}.${(lastHost >> 8) & 255}.${lastHost & 255}`;
      servers.set(address, server);
      server.once('close', () => servers.delete(address));
      return Promise.resolve({ url: `http://${address}:${PORT}`, port: null });
    },
    close() {
      listening.close();
      void user.close().catch(() => {});
      void network.close().catch(() => {});
    },
  };
}

/** A seccomp filter for the browser: a program of classic BPF that refuses system calls which a browser never needs. */

/**
 * The refused system calls and their numbers on x64 and arm64 (null: the architecture does not have the call). They are those
 * that Flatpak and Docker refuse by default: debugging of other processes, keys, kernel modules, mounts, clocks, tracing.
 * Sources: `flatpak-run.c` (`setup_seccomp`), Docker's `profiles/seccomp/default.json`, the kernel's `unistd.h` tables.
 */
export const REFUSED_SYSTEM_CALLS: readonly {
  readonly name: string;
  readonly x64: number | null;
  readonly arm64: number | null;
}[] = [
  { name: 'acct', x64: 163, arm64: 89 },
  { name: 'add_key', x64: 248, arm64: 217 },
  { name: 'adjtimex', x64: 159, arm64: 171 },
  { name: 'bpf', x64: 321, arm64: 280 },
  { name: 'clock_adjtime', x64: 305, arm64: 266 },
  { name: 'clock_settime', x64: 227, arm64: 112 },
  { name: 'delete_module', x64: 176, arm64: 106 },
  { name: 'fanotify_init', x64: 300, arm64: 262 },
  { name: 'finit_module', x64: 313, arm64: 273 },
  { name: 'fsconfig', x64: 431, arm64: 431 },
  { name: 'fsmount', x64: 432, arm64: 432 },
  { name: 'fsopen', x64: 430, arm64: 430 },
  { name: 'fspick', x64: 433, arm64: 433 },
  { name: 'init_module', x64: 175, arm64: 105 },
  { name: 'io_uring_enter', x64: 426, arm64: 426 },
  { name: 'io_uring_register', x64: 427, arm64: 427 },
  { name: 'io_uring_setup', x64: 425, arm64: 425 },
  { name: 'ioperm', x64: 173, arm64: null },
  { name: 'iopl', x64: 172, arm64: null },
  { name: 'kcmp', x64: 312, arm64: 272 },
  { name: 'kexec_file_load', x64: 320, arm64: 294 },
  { name: 'kexec_load', x64: 246, arm64: 104 },
  { name: 'keyctl', x64: 250, arm64: 219 },
  { name: 'lookup_dcookie', x64: 212, arm64: 18 },
  { name: 'mount', x64: 165, arm64: 40 },
  { name: 'mount_setattr', x64: 442, arm64: 442 },
  { name: 'move_mount', x64: 429, arm64: 429 },
  { name: 'name_to_handle_at', x64: 303, arm64: 264 },
  { name: 'open_by_handle_at', x64: 304, arm64: 265 },
  { name: 'open_tree', x64: 428, arm64: 428 },
  { name: 'perf_event_open', x64: 298, arm64: 241 },
  { name: 'pidfd_getfd', x64: 438, arm64: 438 },
  { name: 'pivot_root', x64: 155, arm64: 41 },
  { name: 'process_vm_readv', x64: 310, arm64: 270 },
  { name: 'process_vm_writev', x64: 311, arm64: 271 },
  { name: 'ptrace', x64: 101, arm64: 117 },
  { name: 'quotactl', x64: 179, arm64: 60 },
  { name: 'reboot', x64: 169, arm64: 142 },
  { name: 'request_key', x64: 249, arm64: 218 },
  { name: 'setdomainname', x64: 171, arm64: 162 },
  { name: 'sethostname', x64: 170, arm64: 161 },
  { name: 'setns', x64: 308, arm64: 268 },
  { name: 'settimeofday', x64: 164, arm64: 170 },
  { name: 'swapoff', x64: 168, arm64: 225 },
  { name: 'swapon', x64: 167, arm64: 224 },
  { name: 'syslog', x64: 103, arm64: 116 },
  { name: 'umount2', x64: 166, arm64: 39 },
  { name: 'uselib', x64: 134, arm64: null },
  { name: 'userfaultfd', x64: 323, arm64: 282 },
  { name: 'vhangup', x64: 153, arm64: 58 },
];

/** `AUDIT_ARCH_X86_64` and `AUDIT_ARCH_AARCH64` of linux/audit.h. */
const ARCHITECTURES = { x64: 0xc000003e, arm64: 0xc00000b7 } as const;

// Opcodes of linux/bpf_common.h: load a word at an absolute offset, jump if equal, jump if greater or equal, return.
const LOAD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const JUMP_IF_AT_LEAST = 0x35;
const RETURN = 0x06;
// Offsets of `struct seccomp_data` and actions of linux/seccomp.h.
const OFFSET_OF_NUMBER = 0;
const OFFSET_OF_ARCHITECTURE = 4;
const ALLOW = 0x7fff0000;
const REFUSE_WITH_EPERM = 0x00050001;
const KILL_PROCESS = 0x80000000;
/** Numbers from this on belong to the x32 interface, whose calls would bypass the list. */
const FIRST_X32_NUMBER = 0x40000000;

/** Returns the bytes that `bwrap --seccomp` reads (`struct sock_filter[]`); null for an architecture that the filter does not know. */
export function seccompFilter(architecture: string): Buffer | null {
  if (architecture !== 'x64' && architecture !== 'arm64') return null;
  const numbers = REFUSED_SYSTEM_CALLS.map(call => call[architecture]).filter(number => number !== null);
  const checks = numbers.length + 1;
  const program = [
    [LOAD, 0, 0, OFFSET_OF_ARCHITECTURE],
    [JUMP_IF_EQUAL, 1, 0, ARCHITECTURES[architecture]],
    [RETURN, 0, 0, KILL_PROCESS],
    [LOAD, 0, 0, OFFSET_OF_NUMBER],
    [JUMP_IF_AT_LEAST, checks, 0, FIRST_X32_NUMBER],
    // Each check jumps over the checks that are left and the instruction that allows the call.
    ...numbers.map((number, index) => [JUMP_IF_EQUAL, checks - 1 - index, 0, number]),
    [RETURN, 0, 0, ALLOW],
    [RETURN, 0, 0, REFUSE_WITH_EPERM],
  ];
  const bytes = Buffer.alloc(program.length * 8);
  program.forEach(([code = 0, ifTrue = 0, ifFalse = 0, value = 0], index) => {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(ifTrue, index * 8 + 2);
    bytes.writeUInt8(ifFalse, index * 8 + 3);
    bytes.writeUInt32LE(value, index * 8 + 4);
  });
  return bytes;
}

interface LaunchScriptOptions {
  readonly executablePath: string;
  /** Folders that the browser may read, besides the system's programs, libraries and fonts. */
  readonly readableFolders: readonly string[];
  /** Folder of this browser, in which it may write. */
  readonly folder: string;
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

/**
 * `filesystem`: the browser sees programs of the system and its own folder. `network`: a network namespace
 * whose only way out is the session proxies. `seccomp`: the kernel refuses system calls that a browser never needs. `user`: the browser runs as a user
 * of its own. `cgroup`: limits of memory, threads and processor share.
 */
export const SANDBOX_LAYERS = ['filesystem', 'network', 'seccomp', 'user', 'cgroup'] as const;
export type SandboxLayer = (typeof SANDBOX_LAYERS)[number];

/** `find` copies an upload into the folder of the browser, and returns the copy, which disappears with the browser. */
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

function reasonOf(error: unknown): string {
  const { message, stderr } = error as Error & { readonly stderr?: string };
  const text = (stderr || message).trim();
  if (/bwrap: not found|spawn bwrap ENOENT|execute bwrap/.test(text))
    return 'it needs bubblewrap (Debian: apt-get install bubblewrap)';
  if (/start-browser EACCES/.test(text))
    return `${tmpdir()} does not allow programs: mount it with exec, or set TMPDIR to another folder`;
  return text.split('\n').at(-1) ?? '';
}
