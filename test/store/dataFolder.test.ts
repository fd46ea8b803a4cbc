import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DataFolderError, dataFolder } from '../../src/store/files/dataFolder.ts';
import { openDatabase } from '../../src/store/sqlite/openDatabase.ts';

let parent: string;
let path: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'pagespace-data-'));
  path = join(parent, 'deep', 'data');
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

describe('dataFolder()', () => {
  it('creates the folder with its parents, accessible only to its owner', () => {
    dataFolder(path);
    expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  it('accepts an existing folder', () => {
    dataFolder(path);
    expect(dataFolder(path).databasePath).toBe(join(path, 'store.sqlite'));
  });

  it('throws DataFolderError if a file has the name of the folder', () => {
    writeFileSync(join(parent, 'deep'), '');
    expect(() => dataFolder(path)).toThrow(DataFolderError);
    expect(() => dataFolder(path)).toThrow(/cannot be used.*Set PAGESPACE_DATA_DIR/);
  });

  it.runIf(existsSync('/proc/self'))(
    'throws where no folder can be created; Node.js itself would try for ever',
    () => {
      expect(() => dataFolder('/proc/pagespace/data')).toThrow(
        /^The data folder \/proc\/pagespace\/data cannot be used: ENOENT.*Set PAGESPACE_DATA_DIR/,
      );
    },
  );

  it('nodeId() is the same at each start, and another one for each folder', () => {
    const made = dataFolder(path).nodeId();
    expect(made).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(dataFolder(path).nodeId()).toBe(made);
    expect(dataFolder(join(parent, 'other')).nodeId()).not.toBe(made);
  });

  it('lock() throws while the folder is locked, and succeeds after the unlock', () => {
    const release = dataFolder(path).lock();
    expect(() => dataFolder(path).lock()).toThrow(DataFolderError);
    release();
    release();
    dataFolder(path).lock()();
  });

  it('its files are readable only by their owner, also in a folder that was there before with a file that all read', () => {
    mkdirSync(path, { recursive: true, mode: 0o755 });
    const folder = dataFolder(path);
    writeFileSync(folder.rateLimitsPath, '');
    chmodSync(folder.rateLimitsPath, 0o644);
    const release = folder.lock();
    for (const file of [folder.databasePath, folder.rateLimitsPath]) {
      const database = openDatabase(file);
      database.exec('create table one (two)');
      for (const each of [file, `${file}-wal`, `${file}-shm`, join(path, 'lock.sqlite')])
        expect(statSync(each).mode & 0o777).toBe(0o600);
      database.close();
    }
    release();
  });

  // Root may write every file.
  it.skipIf(process.getuid?.() === 0)('lock() throws if a file in the folder is not writable', () => {
    const folder = dataFolder(path);
    writeFileSync(folder.databasePath, '', { mode: 0o400 });
    expect(() => folder.lock()).toThrow(/may not write store\.sqlite\. Set PAGESPACE_DATA_DIR/);
  });

  describe('lock() of a folder that another process holds', () => {
    it('throws with the pid of that process, and succeeds once that process is killed', async () => {
      const holder = spawn(
        process.execPath,
        [fileURLToPath(new URL('holdDataFolder.ts', import.meta.url)), path],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
      const ended = once(holder, 'exit');
      await once(holder.stdout, 'data');
      expect(() => dataFolder(path).lock()).toThrow(
        `The data folder ${path} is in use by process ${holder.pid}, running since `,
      );

      holder.kill('SIGKILL');
      await ended;
      dataFolder(path).lock()();
    });
  });
});
