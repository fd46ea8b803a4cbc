import { readdirSync, readFileSync } from 'node:fs';
import type { Contestant } from './contestant.ts';

/** The kilobytes of a process that are its own, and its part of what it shares (PSS); 0 for a process that has ended. */
function ownKilobytes(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

function parentOf(pid: number): number {
  try {
    return Number(
      readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) \S /s, '')
        .split(' ')[0],
    );
  } catch {
    return 0;
  }
}

/** The megabytes of all processes below `root`, without `root` itself and without `other` and what is below it. Linux only. */
export function megabytesBelow(root: number, other: number | null = null): number {
  const parents = new Map(
    readdirSync('/proc')
      .filter(name => /^\d+$/.test(name))
      .map(name => [Number(name), parentOf(Number(name))]),
  );
  const isBelow = (pid: number): boolean => {
    if (pid === other) return false;
    const parent = parents.get(pid);
    return parent !== undefined && parent !== 0 && (parent === root || isBelow(parent));
  };
  return [...parents.keys()].filter(isBelow).reduce((sum, pid) => sum + ownKilobytes(pid), 0) / 1_000;
}

/** Time after which the service has replaced its warm contexts, new processes have reached their size, and idle pages have freed memory. Milliseconds. */
const SETTLED_MS = 7_000;

const settled = (): Promise<void> => new Promise(resolve => setTimeout(resolve, SETTLED_MS));

/**
 * Opens a page in each session and leaves it idle.
 * @param other a process below `root` that does not count, with those below it
 * @returns the megabytes that each session adds to the processes below `root`
 */
export async function idleMegabytes(
  sessions: readonly Contestant[],
  root: number,
  url: string,
  other: number | null = null,
): Promise<number> {
  // The first one pays for processes that all share.
  const [first, ...others] = sessions;
  await first?.start();
  await first?.open(url);
  await settled();
  const before = megabytesBelow(root, other);
  for (const session of others) {
    await session.start();
    await session.open(url);
  }
  await settled();
  const added = megabytesBelow(root, other) - before;
  for (const session of sessions) await session.end();
  return added / others.length;
}
