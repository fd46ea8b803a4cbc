/** Finds the programs of PostgreSQL on this machine. */
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Debian keeps the programs of each version in a folder of its own, outside of PATH. */
const DEBIAN_FOLDER = '/usr/lib/postgresql';

const debianFolders = (): string[] =>
  existsSync(DEBIAN_FOLDER)
    ? readdirSync(DEBIAN_FOLDER)
        .sort((a, b) => Number(b) - Number(a))
        .map(version => join(DEBIAN_FOLDER, version, 'bin'))
    : [];

/** The folder with `initdb` and `postgres`; null if there is none. */
export const postgresPrograms: string | null =
  [...debianFolders(), ...(process.env.PATH ?? '').split(delimiter)].find(
    folder => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')),
  ) ?? null;

/** The reason why tests with PostgreSQL are skipped, for the names of the tests; null if they run. */
export const postgresMissing: string | null =
  postgresPrograms === null
    ? 'skipped: PostgreSQL is not installed (Debian: apt-get install postgresql)'
    : null;
