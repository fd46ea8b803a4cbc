/**
 * Installs the engines of a cluster for its tests, PostgreSQL and nats-server, and writes the result to a file. install.mjs
 * runs this once for `npm test`. Where they cannot be installed, those tests are skipped.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { aptUnavailableReason, installPackages } from './installBrowser.ts';

const onPath = (program: string): boolean =>
  ['/usr/sbin', '/usr/local/bin', ...(process.env.PATH ?? '').split(delimiter)].some(folder =>
    existsSync(join(folder, program)),
  );

const ENGINES: readonly { readonly name: string; readonly isInstalled: () => boolean }[] = [
  // Debian keeps `initdb` outside of PATH.
  { name: 'postgresql', isInstalled: () => existsSync('/usr/lib/postgresql') || onPath('initdb') },
  { name: 'nats-server', isInstalled: () => onPath('nats-server') },
];

const missing = ENGINES.filter(engine => !engine.isInstalled()).map(({ name }) => name);
const reason = missing.length === 0 ? null : await install(missing);
if (reason !== null)
  process.stderr.write(
    `pagespace: the tests of a cluster are skipped without ${missing.join(' and ')}: ${reason}. ` +
      `To install them on Debian: sudo apt-get install ${missing.join(' ')}\n`,
  );
const resultFile = process.argv[2];
if (resultFile !== undefined) {
  mkdirSync(dirname(resultFile), { recursive: true });
  writeFileSync(resultFile, reason ?? 'installed');
}

/** Returns the reason why the packages could not be installed; null if they were. */
async function install(packages: readonly string[]): Promise<string | null> {
  const unavailable = aptUnavailableReason();
  if (unavailable !== null) return unavailable;
  process.stderr.write(`pagespace: installing ${packages.join(' and ')} for the tests of a cluster\n`);
  try {
    await installPackages(packages);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
