import { readdirSync, readFileSync } from 'node:fs';

/** A process of a Chromium that a node wrote down in its record. */
export interface RegisteredProcess {
  /** The browser's main process. */
  readonly pid: number;
  /** The leader of its group, itself or a script. */
  readonly group: number;
}

/** The browsers in a record's folder that are up. */
export function registeredBrowsers(recordPath: string): RegisteredProcess[] {
  return readdirSync(recordPath)
    .filter(name => name.endsWith('.json'))
    .map(name => JSON.parse(readFileSync(`${recordPath}/${name}`, 'utf8')))
    .filter(entry => entry.browser !== null)
    .map(entry => ({ pid: entry.browser.pid, group: entry.leader.pid }));
}
