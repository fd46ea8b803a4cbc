/** Lets one process of a test run do what all of its workers need. */
import { mkdirSync } from 'node:fs';

/** Returns true for the first process that asks. @param path a folder that does not exist yet */
export function claim(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch {
    return false;
  }
}
