/** Installs packages of Debian with apt-get. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';

/** Returns the reason why apt-get cannot install packages here; null if it may. */
export function aptUnavailableReason(): string | null {
  if (!existsSync('/usr/bin/apt-get')) return 'this system has no apt-get';
  return process.getuid?.() === 0 ? null : 'only root may install packages';
}

/** Without these, apt-get waits for minutes where there is no network. */
const TIMEOUTS = ['Acquire::http::Timeout=10', 'Acquire::https::Timeout=10', 'Acquire::Retries=1'];

/** Installs packages from the system's lists. @throws Error with the reason of the failure */
export async function installPackages(packages: readonly string[]): Promise<void> {
  const options = TIMEOUTS.flatMap(option => ['-o', option]);
  await run('apt-get', ['update', '-qq', ...options], { seconds: 120 });
  const install = ['install', '-y', '-qq', '--no-install-recommends', ...options, ...packages];
  await run('apt-get', install, { seconds: 600 });
}

/** Runs a command; its output goes to standard error. @throws Error if it does not end with exit code 0 in time */
export async function run(
  command: string,
  args: readonly string[],
  { quiet = false, seconds }: { quiet?: boolean; seconds: number },
): Promise<void> {
  const child = spawn(command, args, {
    // The output of the command is progress: it goes to standard error, like our own messages.
    stdio: quiet ? 'ignore' : ['ignore', 2, 2],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    timeout: seconds * 1_000,
    killSignal: 'SIGKILL',
  });
  // `once` rejects when the command cannot be started.
  const [code, signal] = await once(child, 'exit');
  if (signal !== null) throw new Error(`it was killed after ${seconds} seconds (${signal})`);
  if (code !== 0) throw new Error(`it ended with exit code ${code}`);
}
