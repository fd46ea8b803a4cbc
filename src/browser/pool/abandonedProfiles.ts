/** Profile folders of browsers whose service was killed and did not start again with the same data folder. */
import { readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { runningArguments } from '../limits/processTable.ts';

/** Name of the file that marks a profile folder as one of this program's. */
const MARK_FILE = 'pagespace-browser.json';
/** First part of the names of the folders that Playwright creates. */
export const PROFILE_PREFIX = 'playwright_';

const markSchema = z.object({
  /** The switch by which the browser's processes are found. */
  flag: z.string(),
  /** The process table in which they are found: a container has one of its own. */
  processTable: z.string(),
});

/** Marks a folder as the profile of a running browser. @param flag the switch of that browser */
export function markProfile(profile: string, flag: string): void {
  try {
    writeFileSync(join(profile, MARK_FILE), JSON.stringify({ flag, processTable: processTable() }));
  } catch {
    // The browser has ended, and its folder with it.
  }
}

/** Deletes the marked folders in the system's temporary folder whose browser does not run any more. */
export function removeAbandonedProfiles(): void {
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
