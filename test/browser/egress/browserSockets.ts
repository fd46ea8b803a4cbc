/** Reads a browser's sockets from the kernel. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** A socket from /proc/net. */
export interface KernelSocket {
  readonly kind: 'tcp' | 'tcp6' | 'udp' | 'udp6';
  readonly localPort: number;
  /** 0 when it is not connected. */
  readonly remotePort: number;
}

const KINDS = ['tcp', 'tcp6', 'udp', 'udp6'] as const;

/** The command line of the main process of the browser that was started with this proxy. */
export function browserCommand(proxyServer: string): {
  readonly pid: string;
  readonly args: readonly string[];
} {
  for (const pid of processes()) {
    const args = commandOf(pid);
    const isMain = !args.some(arg => arg.startsWith('--type='));
    if (isMain && args.includes(`--proxy-server=${proxyServer}`)) return { pid, args };
  }
  throw new Error(`no browser runs behind ${proxyServer}`);
}

/** The IP sockets of all processes of the browser. */
export function browserSockets(proxyServer: string): KernelSocket[] {
  const group = groupOf(browserCommand(proxyServer).pid);
  const inodes = new Set(
    processes()
      .filter(pid => groupOf(pid) === group)
      .flatMap(socketInodes),
  );
  return KINDS.flatMap(kind =>
    readFileSync(`/proc/net/${kind}`, 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map(line => line.trim().split(/\s+/))
      .filter(([, , , , , , , , , inode]) => inodes.has(inode ?? ''))
      .map(([, local, remote]) => ({ kind, localPort: portIn(local), remotePort: portIn(remote) })),
  );
}

const processes = (): string[] => readdirSync('/proc').filter(name => /^\d+$/.test(name));

const portIn = (address = ''): number => Number.parseInt(address.split(':')[1] ?? '', 16);

const commandOf = (pid: string): string[] => read(`/proc/${pid}/cmdline`).split(/[\0 ]/);

/** A process may end meanwhile. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Playwright starts a browser as the leader of a group; its processes stay in it. */
const groupOf = (pid: string): string => read(`/proc/${pid}/stat`).split(') ')[1]?.split(' ')[2] ?? '';

function socketInodes(pid: string): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap(fd => {
      const [, inode] = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`)) ?? [];
      return inode === undefined ? [] : [inode];
    });
  } catch {
    return [];
  }
}
