import { readdirSync, readFileSync } from 'node:fs';
import { groupMembers, type ProcessRow } from '../../src/browser/limits/processTable.ts';

/** A browser in the process registry of a node. */
export interface RegisteredProcess {
  /** The main process of the browser. */
  readonly pid: number;
  /** The leader of its process group: the browser itself or a script. */
  readonly group: number;
  /** Folder of its profile; null while unknown. */
  readonly profile: string | null;
}

/** The started browsers in a registry's folder. */
export function registeredBrowsers(registryPath: string): RegisteredProcess[] {
  return readdirSync(registryPath)
    .filter(name => name.endsWith('.json'))
    .map(name => JSON.parse(readFileSync(`${registryPath}/${name}`, 'utf8')))
    .filter(entry => entry.browser !== null)
    .map(({ browser, leader, profile }) => ({ pid: browser.pid, group: leader.pid, profile }));
}

/** One of the browsers of a registry. @throws Error if none has started: a signal to process 0 would reach the tests themselves */
export function firstBrowser(registryPath: string): RegisteredProcess {
  const [first] = registeredBrowsers(registryPath);
  if (first === undefined) throw new Error('No browser has started.');
  return first;
}

/** The processes of a registry's browsers that are stopped by a signal. */
export const stoppedProcesses = (registryPath: string): ProcessRow[] =>
  registeredBrowsers(registryPath)
    .flatMap(({ group }) => groupMembers(group))
    .filter(({ pid }) => {
      try {
        return / T /.test(readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)/, ''));
      } catch {
        return false;
      }
    });
