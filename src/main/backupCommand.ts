/** `backup`: copies the data folder of one machine, also while its service runs. */

import { existsSync } from 'node:fs';
import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { dataFolder } from '../store/files/dataFolder.ts';
import { backupDatabase } from '../store/sqlite/backupDatabase.ts';
import { loadConfig } from './loadConfig.ts';

/** Names in the folder besides its database: files of sessions, the name of the node, the key of this user. */
const COPIED = ['sessions', 'node-id', 'key', 'url'];

/**
 * Copies the store and the files of sessions to a new folder, which a service can use as its data folder: that is the restore.
 * The database comes first, so each file that it names is in the copy unless it was deleted meanwhile.
 * @param given the folder to write; default: `backup-<time>` beside the data folder
 * @throws Error when the folder exists, when the service is a node of a cluster, or when the copy fails; nothing is left then
 */
export async function backupCommand(given: string | undefined): Promise<void> {
  const { databaseUrl, dataDir } = loadConfig(process.env).config;
  if (databaseUrl !== null)
    throw new Error(
      'The store of a cluster is PostgreSQL: back it up with pg_dump. docs/operating.md says how.',
    );
  const { path, databasePath } = dataFolder(dataDir);
  if (!existsSync(databasePath)) throw new Error(`${path} has no store yet. Start the service first.`);
  const time = new Date().toISOString().slice(0, 19).replaceAll(/[:T]/g, '-');
  const target = resolve(given ?? join(path, '..', `backup-${time}`));
  if (existsSync(target)) throw new Error(`${target} exists. Name a folder that does not.`);
  const partial = `${target}.partial`;
  await mkdir(partial, { recursive: true, mode: 0o700 });
  try {
    await backupDatabase(databasePath, join(partial, 'store.sqlite'));
    for (const name of COPIED) {
      const source = join(path, name);
      if (existsSync(source))
        await cp(source, join(partial, name), { recursive: true, preserveTimestamps: true });
    }
    await rename(partial, target);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
  process.stdout.write(`${target}\n`);
}
