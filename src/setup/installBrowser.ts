/** Installs a browser: Playwright's own, or the system's package. A method that cannot work gives up within seconds. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

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
async function run(
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

export interface InstallMethod {
  readonly name: string;
  /** Returns the reason why the method cannot work on this machine; null if it may work. Takes at most a few seconds. */
  unavailableReason(): Promise<string | null>;
  /** Installs the browser. @throws Error with the reason of the failure */
  install(): Promise<void>;
}

/** No browser was found and no method could install one. The message has the reasons and the commands to run by hand. */
export class NoBrowserError extends Error {
  override readonly name = 'NoBrowserError';
}

const MANUAL_INSTRUCTIONS = [
  'Install one and run the command again:',
  '  npx playwright install --with-deps chromium-headless-shell',
  '  or, on Debian: sudo apt-get install chromium-headless-shell',
  '  or set CHROMIUM_PATH to the path of an installed Chromium.',
].join('\n');

/**
 * Installs a browser: tries the methods in order until one installs a browser that starts.
 * @param find returns the path of an installed browser; null if there is none
 * @throws NoBrowserError if every method failed
 */
export async function installBrowser(
  methods: readonly InstallMethod[],
  find: () => string | null,
  report: (line: string) => void,
): Promise<string> {
  const failures: string[] = [];
  for (const method of methods) {
    const unavailable = await method.unavailableReason();
    if (unavailable === null) report(`installing a browser: ${method.name}`);
    const failure = unavailable ?? (await tryInstall(method, find));
    if (typeof failure !== 'string') return failure.path;
    report(`${method.name}: ${failure}`);
    failures.push(`  ${method.name}: ${failure}`);
  }
  throw new NoBrowserError(
    ['No browser was found, and none could be installed.', ...failures, MANUAL_INSTRUCTIONS].join('\n'),
  );
}

async function tryInstall(
  method: InstallMethod,
  find: () => string | null,
): Promise<string | { path: string }> {
  try {
    await method.install();
    const path = find();
    if (path === null) return 'the installation succeeded, but no browser was found';
    await run(path, ['--version'], { quiet: true, seconds: 15 });
    return { path };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Installs Playwright's chromium-headless-shell, and as root on a system with apt-get the system libraries that it needs. */
export const playwrightInstall: InstallMethod = {
  name: 'playwright install chromium-headless-shell',
  async unavailableReason() {
    const host =
      process.env.PLAYWRIGHT_CHROMIUM_DOWNLOAD_HOST ||
      process.env.PLAYWRIGHT_DOWNLOAD_HOST ||
      'https://cdn.playwright.dev';
    try {
      // Any response is enough. Without one the installer would try for minutes.
      await fetch(host, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(3_000) });
      return null;
    } catch {
      return `${host} does not answer`;
    }
  },
  async install() {
    // In the npm package, playwright is not in a folder of ours.
    const playwright = createRequire(import.meta.url).resolve('playwright/package.json');
    const cli = join(dirname(playwright), 'cli.js');
    const withDeps = aptUnavailableReason() === null ? ['--with-deps'] : [];
    await run(process.execPath, [cli, 'install', ...withDeps, 'chromium-headless-shell'], { seconds: 600 });
  },
};

/** Installs Debian's packages chromium-headless-shell, fonts-liberation and bubblewrap. Needs apt-get and root. */
export const aptInstall: InstallMethod = {
  name: 'apt-get install chromium-headless-shell',
  unavailableReason: async () => aptUnavailableReason(),
  // bubblewrap is for the outer sandbox.
  install: () => installPackages(['chromium-headless-shell', 'fonts-liberation', 'bubblewrap']),
};
