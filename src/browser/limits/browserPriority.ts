/**
 * Lets the service go before its browsers when the processors are busy. Linux shares processors equally among the sessions of
 * processes that setsid(2) has made (sched(7), "The autogroup feature"), and each browser is such a session of its own: beside
 * twenty browsers the whole service would get a twentieth, and could not keep its lease of a cluster.
 */
import { readFileSync, writeFileSync } from 'node:fs';

/** Nice value of a browser's session: its share is a fifth of the service's, as in a cgroup (sched(7): a factor of 1.25 for each step). */
const BROWSER_NICENESS = 7;

/**
 * Lowers the priority of a browser as a whole. Does nothing where the system shares processors in another way: no autogroups,
 * a browser in the service's own session, or a browser of another user.
 * @param pid process id of the browser's main process
 */
export function lowerBrowserPriority(pid: number): void {
  const file = `/proc/${pid}/autogroup`;
  try {
    const ownGroup = readFileSync('/proc/self/autogroup', 'utf8');
    if (groupOf(readFileSync(file, 'utf8')) === groupOf(ownGroup)) return;
    writeFileSync(file, String(BROWSER_NICENESS));
  } catch {
    // Other systems have no such file, and its writes are refused to other users and when they come too often.
  }
}

/** Returns the name of a group: the file reads `/autogroup-25 nice 0`. */
const groupOf = (text: string): string => text.split(' ', 1)[0] ?? '';
