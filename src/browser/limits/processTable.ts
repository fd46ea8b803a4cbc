/** Reads the system's process table. Distinguishes a process that the service started from a later process with the same id. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';

export interface ProcessRow {
  readonly pid: number;
  /** Id of its process group: the process id of the group's leader. */
  readonly group: number;
  /** Start time in the system's own format. Two rows with the same id and start time are the same process. */
  readonly startedAt: string;
  /** Path of the executable; empty when the system does not show it. */
  readonly executable: string;
}

const onLinux = existsSync('/proc/self/stat');
/** Indexes in /proc/<pid>/stat after the name in brackets, from 0 (proc_pid_stat(5): 3 is state, 5 pgrp, 14 utime, 15 stime, 22 starttime). */
const STAT = { state: 0, group: 2, userTicks: 11, systemTicks: 12, startTicks: 19 } as const;

/** Null if it does not exist or is a zombie. */
export function processRow(pid: number): ProcessRow | null {
  return onLinux ? readFromProc(pid) : (readFromPs(['-p', String(pid)])[0] ?? null);
}

/** In the system's own unit; 0 when unknown. */
export function userTicks(pid: number): number {
  return Number(statOf(pid)[STAT.userTicks] ?? 0);
}

/** Returns the fields after the name in brackets, which may itself contain brackets and spaces; none for a process that has ended. */
function statOf(pid: number, file = 'stat'): readonly string[] {
  const stat = onLinux ? readProc(pid, file) : '';
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Milliseconds of one tick of the processor times in /proc: Linux shows them in hundredths of a second (proc_pid_stat(5)). */
const TICK_MS = 10;

/** Returns the processor time that all threads of a process have used, in milliseconds; 0 when unknown. */
export const processorMs = (pid: number): number => usedMs(pid, 'stat');

/** Returns the processor time that the first thread of a process has used, in milliseconds; 0 when unknown. In a renderer it runs the page. */
export const mainThreadMs = (pid: number): number => usedMs(pid, `task/${pid}/stat`);

function usedMs(pid: number, file: string): number {
  const fields = statOf(pid, file);
  return (Number(fields[STAT.userTicks] ?? 0) + Number(fields[STAT.systemTicks] ?? 0)) * TICK_MS;
}

export function groupMembers(group: number): readonly ProcessRow[] {
  if (!onLinux) return readFromPs(['-ax']).filter(row => row.group === group);
  return processIds().flatMap(pid => readFromProc(pid, group) ?? []);
}

export function processesWithArgument(text: string): readonly ProcessRow[] {
  if (!onLinux) return readFromPs(['-ax'], text);
  return processIds()
    .filter(pid => commandLine(pid).includes(text))
    .flatMap(pid => readFromProc(pid) ?? []);
}

/** Returns those of the texts that the command line of a running process contains. Reads each process once: a machine can have thousands. */
export function runningArguments(texts: readonly string[]): ReadonlySet<string> {
  if (texts.length === 0) return new Set();
  if (!onLinux) return new Set(texts.filter(text => readFromPs(['-ax'], text).length > 0));
  // A zombie has no command line.
  const lines = processIds().map(commandLine);
  return new Set(texts.filter(text => lines.some(line => line.includes(text))));
}

/** Returns the arguments of a process, separated by NUL; empty when the system does not show them. */
export function commandLine(pid: number): string {
  return onLinux ? readProc(pid, 'cmdline') : '';
}

/** Returns the resident memory of a process (RSS) in bytes; null when unknown. */
export function residentBytes(pid: number): number | null {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(onLinux ? readProc(pid, 'status') : '')?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) * 1_024;
}

/** Returns the bytes that the end of a process would free: its own pages, and shared ones without a file. Null when unknown. */
export function anonymousBytes(pid: number): number | null {
  const status = onLinux ? readProc(pid, 'status') : '';
  const parts = [...status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm)];
  return parts.length === 0 ? null : parts.reduce((sum, [, kilobytes]) => sum + Number(kilobytes) * 1_024, 0);
}

/** Returns what the end of these process groups would free, in bytes, as `anonymousBytes`; null when unknown. One pass over the table. */
export function anonymousBytesOfGroups(groups: ReadonlySet<number>): number | null {
  let sum: number | null = null;
  if (!onLinux) return sum;
  for (const pid of processIds()) {
    const bytes = groups.has(Number(statOf(pid)[STAT.group])) ? anonymousBytes(pid) : null;
    if (bytes !== null) sum = (sum ?? 0) + bytes;
  }
  return sum;
}

const processIds = (): readonly number[] =>
  readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number);

/** @param group null is returned for a process of another group */
function readFromProc(pid: number, group?: number): ProcessRow | null {
  const fields = statOf(pid);
  const state = fields[STAT.state];
  if (!state || state === 'Z' || state === 'X') return null;
  const ownGroup = Number(fields[STAT.group]);
  if (group !== undefined && ownGroup !== group) return null;
  return {
    pid,
    group: ownGroup,
    // Clock ticks since boot; process ids are assigned anew after each boot.
    startedAt: `${bootId()}:${fields[STAT.startTicks]}`,
    executable: executableOf(pid),
  };
}

const bootId = (): string => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();

function readProc(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    // The process has ended, or belongs to another user.
    return '';
  }
}

function executableOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, '');
  } catch {
    return '';
  }
}

/** Matches a process in the output of ps: `pid pgid state Day Mon dd hh:mm:ss yyyy args` (POSIX ps with BSD's lstart). */
const PS_LINE = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\S+\s+\S+\s+\d+\s+[\d:]+\s+\d+)\s+(.*)$/;

function readFromPs(which: readonly string[], argument = ''): ProcessRow[] {
  let listed = '';
  try {
    const format = ['-o', 'pid=', '-o', 'pgid=', '-o', 'state=', '-o', 'lstart=', '-o', 'args='];
    listed = execFileSync('ps', [...which, ...format], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C' },
    });
  } catch {
    // No such process, or no ps.
    return [];
  }
  return listed.split('\n').flatMap(line => {
    const [, pid, group, state, startedAt, args = ''] = PS_LINE.exec(line) ?? [];
    if (startedAt === undefined || state?.startsWith('Z') || !args.includes(argument)) return [];
    return [{ pid: Number(pid), group: Number(group), startedAt, executable: '' }];
  });
}
