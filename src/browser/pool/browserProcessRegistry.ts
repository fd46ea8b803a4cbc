/** Records the processes of this node's browsers: after a crash of the service, the next start kills those that still run. */

import { randomUUID } from 'node:crypto';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import {
  commandLine,
  groupMembers,
  type ProcessRow,
  processesWithArgument,
  processRow,
  runningArguments,
} from '../limits/processTable.ts';
import { killProcess } from '../limits/stopProcesses.ts';

/** Name of the file that marks a profile folder as one of this program's. */
const MARK_FILE = 'pagespace-browser.json';
const PROFILE_PREFIX = 'playwright_';

const markSchema = z.object({
  /** The switch by which the browser's processes are found. */
  flag: z.string(),
  /** The process table in which they are found: a container has one of its own. */
  processTable: z.string(),
});

/** Marks a folder as the profile of a running browser. @param flag the switch of that browser */
function markProfile(profile: string, flag: string): void {
  try {
    writeFileSync(join(profile, MARK_FILE), JSON.stringify({ flag, processTable: processTable() }));
  } catch {
    // The browser has ended, and its folder with it.
  }
}

/** Deletes the marked folders in the system's temporary folder whose browser does not run any more. */
function removeAbandonedProfiles(): void {
  const flags = new Map<string, string>();
  for (const name of readdirSync(tmpdir())) {
    const profile = join(tmpdir(), name);
    const mark = name.startsWith(PROFILE_PREFIX) ? readMark(profile) : null;
    if (mark?.processTable === processTable()) flags.set(profile, mark.flag);
  }
  const running = runningArguments([...flags.values()]);
  for (const [profile, flag] of flags) {
    if (running.has(flag)) continue;
    try {
      rmSync(profile, { recursive: true, force: true });
    } catch {
      // It belongs to a service of another user.
    }
  }
}

function readMark(profile: string): z.infer<typeof markSchema> | null {
  try {
    return markSchema.parse(JSON.parse(readFileSync(join(profile, MARK_FILE), 'utf8')));
  } catch {
    return null;
  }
}

/** The name of the namespace of process ids; empty on systems without one. */
function processTable(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

const processIdentity = z.object({ pid: z.int(), startedAt: z.string() });
const entrySchema = z.object({
  marker: z.uuid(),
  /** The browser's main process; null until it has started. */
  browser: processIdentity.extend({ executable: z.string() }).nullable(),
  /** The leader of the browser's process group: the browser itself, or the script that started it. */
  leader: processIdentity.nullable(),
  /** The profile folder that Playwright created for the browser; `killOrphans` deletes it. null when unknown. */
  profile: z.string().nullable(),
});
type Entry = z.infer<typeof entrySchema>;

export interface RegisteredBrowser {
  /** Pass this switch to the browser. Chromium ignores it; it identifies the process if the node dies before `setPid`. */
  readonly flag: string;
  setPid(pid: number): void;
  /** Kills the browser with all its processes, even frozen ones. Does nothing if it has ended. */
  kill(): void;
  unregister(): void;
  readonly pid: number | null;
  /** Process group of the browser; null while unknown, and when the main process has ended. */
  readonly group: number | null;
}

/** `killOrphans` fails when the processes of a killed browser still run after this time. */
const EXIT_TIMEOUT_MS = 5_000;
const EXIT_POLL_INTERVAL_MS = 20;

export class BrowserProcessRegistry {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Creates the entry of a browser. Call it before the browser starts. */
  register(): RegisteredBrowser {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const marker = randomUUID();
    let entry: Entry = { marker, browser: null, leader: null, profile: null };
    let over = false;
    this.#write(entry);
    return {
      flag: markerFlag(marker),
      get pid() {
        return entry.browser?.pid ?? null;
      },
      get group() {
        return groupOf(entry);
      },
      setPid: pid => {
        entry = { ...entry, ...describeBrowser(pid) };
        this.#write(entry);
        if (entry.profile !== null) markProfile(entry.profile, markerFlag(marker));
      },
      kill: () => killAll(entry),
      unregister: () => {
        if (over) return;
        over = true;
        killAll(entry);
        rmSync(this.#path(marker), { force: true });
      },
    };
  }

  /**
   * Kills every registered browser, and deletes the profiles of browsers that ended without their service, also of services with another
   * folder. Call it only when a node starts, before it starts its own browsers.
   * @returns the number of browsers that were still running
   * @throws Error when one of them does not end
   */
  async killOrphans(): Promise<number> {
    let running = 0;
    for (const entry of this.#entries()) {
      // A node that was killed while a browser started has not recorded the profile.
      const profile =
        entry.profile ??
        processesOf(entry)
          .map(row => profileFolder(row.pid))
          .find(Boolean);
      if (killAll(entry) > 0) running++;
      await waitForExit(entry);
      if (profile != null) rmSync(profile, { recursive: true, force: true });
      rmSync(this.#path(entry.marker), { force: true });
    }
    removeAbandonedProfiles();
    return running;
  }

  #entries(): Entry[] {
    let names: string[];
    try {
      names = readdirSync(this.#folder);
    } catch {
      // The folder does not exist: no browser has been registered yet.
      return [];
    }
    return names.flatMap(name => {
      const path = join(this.#folder, name);
      const found = entrySchema.safeParse(parseJson(readFileSync(path, 'utf8')));
      if (found.success) return [found.data];
      rmSync(path, { force: true });
      return [];
    });
  }

  #write(entry: Entry): void {
    const path = this.#path(entry.marker);
    // The rename is atomic: an entry is complete or does not exist.
    writeFileSync(`${path}.new`, JSON.stringify(entry), { mode: 0o600 });
    renameSync(`${path}.new`, path);
  }

  #path(marker: string): string {
    return join(this.#folder, `${marker}.json`);
  }
}

const markerFlag = (marker: string): string => `--pagespace-browser=${marker}`;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function describeBrowser(pid: number): Omit<Entry, 'marker'> {
  const row = processRow(pid);
  if (row === null) return { browser: null, leader: null, profile: null };
  const leader = processRow(row.group);
  const { startedAt, executable } = row;
  return {
    browser: { pid, startedAt, executable },
    leader: leader === null ? null : { pid: leader.pid, startedAt: leader.startedAt },
    profile: profileFolder(pid),
  };
}

/** Returns the folder that Playwright created for a browser in the system's temporary folder. The registry deletes no other folder. */
function profileFolder(pid: number): string | null {
  const path = /--user-data-dir=([^\0]+)/.exec(commandLine(pid))?.[1];
  if (path === undefined || dirname(path) !== tmpdir()) return null;
  return basename(path).startsWith(PROFILE_PREFIX) ? path : null;
}

function killAll(entry: Entry): number {
  const rows = processesOf(entry);
  const { leader } = entry;
  const killsGroup = leader !== null && rows.some(row => row.pid === leader.pid) && leader.pid !== ownGroup();
  // Kill the whole group first, so that a process that forks meanwhile cannot escape.
  if (killsGroup) killProcess(-leader.pid);
  for (const row of rows) killProcess(row.pid);
  return rows.length;
}

const ownGroup = (): number => processRow(process.pid)?.group ?? process.pid;

/** Returns the browser's running processes. Excludes other processes that have received the same id since. */
function processesOf({ marker, browser, leader }: Entry): readonly ProcessRow[] {
  if (browser === null) {
    const named = processesWithArgument(markerFlag(marker));
    const groups = new Set(named.map(row => row.group).filter(group => group !== ownGroup()));
    return [...named, ...[...groups].flatMap(group => groupMembers(group))];
  }
  const members = leader === null ? [] : groupMembers(leader.pid);
  if (leader !== null && members.some(row => isSame(row, leader))) return members;
  const main = processRow(browser.pid);
  const onlyMain = main !== null && isSame(main, browser) ? [main] : [];
  // A group without its leader may be a new group with the same id, of other programs: skip it.
  const isOtherGroup = leader === null || !isFromThisBoot(leader) || processRow(leader.pid) !== null;
  if (isOtherGroup || browser.executable === '') return onlyMain;
  return members.filter(row => row.executable === browser.executable);
}

function groupOf({ browser }: Entry): number | null {
  const main = browser === null ? null : processRow(browser.pid);
  return main !== null && browser !== null && isSame(main, browser) ? main.group : null;
}

const isSame = (row: ProcessRow, known: { pid: number; startedAt: string }): boolean =>
  row.pid === known.pid && row.startedAt === known.startedAt;

/** Returns true if the process was started since the last boot, after which process ids are assigned anew. Linux only. */
const isFromThisBoot = ({ startedAt }: { startedAt: string }): boolean => {
  const boot = processRow(process.pid)?.startedAt.split(':')[0];
  return boot !== undefined && startedAt.startsWith(`${boot}:`);
};

async function waitForExit(entry: Entry): Promise<void> {
  const end = performance.now() + EXIT_TIMEOUT_MS;
  while (processesOf(entry).length > 0) {
    if (performance.now() > end)
      throw new Error(
        `A browser that an earlier process left does not end (process ${entry.browser?.pid ?? 'unknown'}).`,
      );
    await sleep(EXIT_POLL_INTERVAL_MS);
  }
}
