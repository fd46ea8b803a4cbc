import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDatabase } from '../../src/store/sqlite/openDatabase.ts';
import { startCheckpointer } from '../../src/store/sqlite/sqliteStore.ts';

it('moves a long log into the database while no commit does', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pagespace-checkpoints-'));
  const path = join(folder, 'store.sqlite');
  const database = openDatabase(path);
  const stop = startCheckpointer(path);
  try {
    database.exec('pragma wal_autocheckpoint = 0; create table rows (body text)');
    const before = statSync(path).size;
    database.prepare('insert into rows values (?)').run('x'.repeat(5_000_000));
    await expect.poll(() => statSync(path).size).toBeGreaterThan(before + 5_000_000);
  } finally {
    await stop();
    await stop();
    database.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
