/** Programs that end with the process of the test that started them, also when that is killed or interrupted. */
import { existsSync } from 'node:fs';

/** A program of util-linux, which every Debian has. */
const SETPRIV = '/usr/bin/setpriv';

/**
 * Returns the command that starts a program, with its arguments, so that Linux kills the program when this process ends (prctl(2),
 * PR_SET_PDEATHSIG). The process id is that of the program. On other systems it is the program itself.
 */
export function endsWithParent(program: string, args: readonly string[]): [string, string[]] {
  return existsSync(SETPRIV) ? [SETPRIV, ['--pdeathsig=KILL', program, ...args]] : [program, [...args]];
}
