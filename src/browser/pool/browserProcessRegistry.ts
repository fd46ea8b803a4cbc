/** Which browsers this node has started, written down so that the next start can end those that a killed node left. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
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
} from '../limits/processTable.ts';

const processIdentity = z.object({ pid: z.int(), startedAt: z.string() });
const entrySchema = z.object({
  marker: z.uuid(),
  /** The browser process, and the leader of its group (itself, or the script that started it); null until it is up. */
  browser: processIdentity.extend({ executable: z.string() }).nullable(),
  leader: processIdentity.nullable(),
  /** The profile folder that Playwright made for it, to be removed with it; null when it is not known. */
  profile: z.string().nullable(),
});
type Entry = z.infer<typeof entrySchema>;

/** One browser in the record, from before its start to after its end. */
export interface RegisteredBrowser {
  /** A switch that Chromium ignores: by it the process is found if the node dies before it learns the number. */
  readonly flag: string;
  /** The browser is up, as the process with this number. */
  setPid(pid: number): void;
  /** Kills it with all its processes, frozen or not; does nothing when it is gone. */
  kill(): void;
  /** It is over: whatever process it left is killed, and it is struck from the record. Idempotent. */
  unregister(): void;
  /** The number of its main process; null until it is up. */
  readonly pid: number | null;
}

/** How long killed processes may take to be gone. */
const EXIT_TIMEOUT_MS = 5_000;
const EXIT_POLL_INTERVAL_MS = 20;

export class BrowserProcessRegistry {
  readonly #folder: string;

  /** @param folder made when the first browser starts; one node's own */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Enters a browser that is about to be started. */
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
      setPid: pid => {
        entry = { ...entry, ...describeBrowser(pid) };
        this.#write(entry);
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
   * Ends every browser in the record. Only for the start of a node, when none of them can be its own.
   * @returns how many were still running
   * @throws Error when one of them does not go
   */
  async killOrphans(): Promise<number> {
    let running = 0;
    for (const entry of this.#entries()) {
      if (killAll(entry) > 0) running++;
      await waitForExit(entry);
      if (entry.profile !== null) rmSync(entry.profile, { recursive: true, force: true });
      rmSync(this.#path(entry.marker), { force: true });
    }
    return running;
  }

  #entries(): Entry[] {
    let names: string[];
    try {
      names = readdirSync(this.#folder);
    } catch {
      // No browser was ever started here.
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
    // Renamed into place: a record is whole or not there.
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

/** Playwright makes a folder for each browser in the system's folder for temporary files; no other is ever removed. */
function profileFolder(pid: number): string | null {
  const path = /--user-data-dir=([^\0]+)/.exec(commandLine(pid))?.[1];
  if (path === undefined || dirname(path) !== tmpdir()) return null;
  return basename(path).startsWith('playwright_') ? path : null;
}

/** @returns how many processes were there to be killed */
function killAll(entry: Entry): number {
  const rows = processesOf(entry);
  const { leader } = entry;
  const killsGroup = leader !== null && rows.some(row => row.pid === leader.pid) && leader.pid !== ownGroup();
  // The group at once first: one that forks while it is counted does not slip away.
  if (killsGroup) kill(-leader.pid);
  for (const row of rows) kill(row.pid);
  return rows.length;
}

const ownGroup = (): number => processRow(process.pid)?.group ?? process.pid;

/** The browser's processes that are there now; a number that belongs to another process since is not among them. */
function processesOf({ marker, browser, leader }: Entry): readonly ProcessRow[] {
  if (browser === null) {
    const named = processesWithArgument(markerFlag(marker));
    const groups = new Set(named.map(row => row.group).filter(group => group !== ownGroup()));
    return [...named, ...[...groups].flatMap(group => groupMembers(group))];
  }
  const members = leader === null ? [] : groupMembers(leader.pid);
  if (leader !== null && members.some(row => isSame(row, leader))) return members;
  const itself = processRow(browser.pid);
  const alone = itself !== null && isSame(itself, browser) ? [itself] : [];
  // Without its leader a group's number may have been given out anew, to be told by the program that runs in it.
  const isOver = leader === null || !isFromThisBoot(leader) || processRow(leader.pid) !== null;
  if (isOver || browser.executable === '') return alone;
  return members.filter(row => row.executable === browser.executable);
}

const isSame = (row: ProcessRow, known: { pid: number; startedAt: string }): boolean =>
  row.pid === known.pid && row.startedAt === known.startedAt;

/** On Linux, where numbers begin anew with each boot. */
const isFromThisBoot = ({ startedAt }: { startedAt: string }): boolean => {
  const boot = processRow(process.pid)?.startedAt.split(':')[0];
  return boot !== undefined && startedAt.startsWith(`${boot}:`);
};

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It is gone already.
  }
}

async function waitForExit(entry: Entry): Promise<void> {
  const end = performance.now() + EXIT_TIMEOUT_MS;
  while (processesOf(entry).length > 0) {
    if (performance.now() > end)
      throw new Error(
        `A browser that a former process left does not end (process ${entry.browser?.pid ?? 'unknown'}).`,
      );
    await sleep(EXIT_POLL_INTERVAL_MS);
  }
}
