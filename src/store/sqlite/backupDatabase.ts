/** Copies a SQLite file while a service writes to it. */
import { chmodSync } from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';

/** One step: with smaller ones, the copy would begin again after each write of the service. SQLite counts pages of 4 kB. */
const ALL_PAGES = 2_147_483_647;

/**
 * Copies the database to a new file, as it is at one moment, with everything that was committed before. Writers are not blocked.
 * @param target a file that does not exist; only its owner can read it
 * @throws Error when the source cannot be read, the copy cannot be written, or the copy is damaged
 */
export async function backupDatabase(source: string, target: string): Promise<void> {
  const from = new DatabaseSync(source, { readOnly: true });
  try {
    await backup(from, target, { rate: ALL_PAGES });
  } finally {
    from.close();
  }
  chmodSync(target, 0o600);
  const copy = new DatabaseSync(target, { readOnly: true });
  try {
    const { integrity_check: result } = copy.prepare('pragma integrity_check').get() ?? {};
    if (result !== 'ok') throw new Error(`The copy of ${source} is damaged: ${String(result)}`);
  } finally {
    copy.close();
  }
}
