import { mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CHECKPOINT_PAGES, LogKeeper } from '../../src/store/sqlite/logKeeper.ts';
import { openDatabase } from '../../src/store/sqlite/openDatabase.ts';

const PAGE_BYTES = 4_096;

describe('LogKeeper', () => {
  let folder: string;
  let writer: DatabaseSync;
  let own: DatabaseSync;
  let keeper: LogKeeper;

  const write = (pages: number): void =>
    void writer.prepare('insert into rows values (?)').run('x'.repeat(pages * PAGE_BYTES));
  const changedAt = (ms: number): void =>
    utimesSync(join(folder, 'store.sqlite-wal'), ms / 1_000, ms / 1_000);
  const checkpointed = (): number =>
    Number(writer.prepare('pragma wal_checkpoint(noop)').get()?.checkpointed);

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'pagespace-log-'));
    const path = join(folder, 'store.sqlite');
    writer = openDatabase(path);
    writer.exec('pragma wal_autocheckpoint = 0; create table rows (body text)');
    own = openDatabase(path);
    keeper = new LogKeeper(own, path);
  });

  afterEach(() => {
    keeper.close();
    keeper.close();
    own.close();
    writer.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('writes a short log to the disk and leaves it, so that the next commit need not begin it anew', () => {
    write(10);
    expect(keeper.turn()).toBe('sync');
    expect(checkpointed()).toBe(0);
  });

  it('does nothing when no commit came since its last turn', () => {
    write(10);
    changedAt(Date.now() - 1_000);
    keeper.turn();
    expect(keeper.turn()).toBe('nothing');
  });

  it('writes a log to the disk again that has just changed, because another commit can have the same time', () => {
    write(10);
    // Later than now, so that it has just changed however long the test takes.
    changedAt(Date.now() + 60_000);
    keeper.turn();
    expect(keeper.turn()).toBe('sync');
  });

  it('moves a long log into the database', () => {
    write(CHECKPOINT_PAGES);
    expect(keeper.turn()).toBe('checkpoint');
    expect(checkpointed()).toBeGreaterThanOrEqual(CHECKPOINT_PAGES);
  });

  it('counts only the pages that the database does not have yet', () => {
    write(CHECKPOINT_PAGES);
    keeper.turn();
    write(10);
    expect(keeper.turn()).toBe('sync');
  });

  it('makes no checkpoint of what a reader still needs, and goes on when the reader has ended', () => {
    write(10);
    const reader = openDatabase(join(folder, 'store.sqlite'));
    reader.exec('begin');
    reader.prepare('select count(*) from rows').get();
    write(CHECKPOINT_PAGES);
    expect(keeper.turn()).toBe('checkpoint');
    expect(checkpointed()).toBeLessThan(CHECKPOINT_PAGES);
    reader.exec('commit');
    expect(keeper.turn()).toBe('checkpoint');
    expect(checkpointed()).toBeGreaterThanOrEqual(CHECKPOINT_PAGES);
    reader.close();
  });
});
