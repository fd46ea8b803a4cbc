import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqliteRateLimiter } from '../../src/store/rateLimiter.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import { StoreError, sqliteAdvice } from '../../src/store/store.ts';
import { describeStoreContract } from '../contracts/storeContract.ts';
import { openNewStore } from '../support/migratedStore.ts';
import { mountSmallDisk, type SmallDisk } from '../support/smallDisk.ts';

using probe = mountSmallDisk(1);

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pagespace-store-'));
  path = join(folder, 'store.sqlite');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describeStoreContract('a SQLite file', () => openNewStore(path));

const account = { id: 'a', name: 'local', tier: 'local', createdAt: 1 } as const;

describe('openSqliteStore()', () => {
  it('returns committed data after the store was closed and opened again', async () => {
    const first = await openSqliteStore(path);
    await first.accounts.createAccount(account);
    await first.close();
    await using again = await opened();
    expect(await again.accounts.findAccountByName('local')).toEqual(account);
  });

  it('close() is idempotent, and later calls are rejected', async () => {
    const store = await openSqliteStore(path);
    await store.close();
    await store.close();
    await expect(store.accounts.findAccountByName('local')).rejects.toThrow();
  });

  it('shares committed data with another connection', async () => {
    await using service = await opened();
    await using keys = await opened();
    await keys.accounts.createAccount(account);
    expect(await service.accounts.findAccountByName('local')).toEqual(account);
  });

  describe('throws StoreError that says what happened and what to do', () => {
    const refusal = async (where = path): Promise<string> => {
      const refused = await openSqliteStore(where).then(
        store => store.close(),
        (error: unknown) => error,
      );
      expect(refused).toBeInstanceOf(StoreError);
      return String(refused).replace('StoreError: ', '');
    };
    const change = async (statement: string): Promise<void> => {
      await (await openSqliteStore(path)).close();
      const database = new DatabaseSync(path);
      database.exec(statement);
      database.close();
    };

    it('if the file is not a database', async () => {
      writeFileSync(path, 'these are not the bytes of a database'.repeat(100));
      expect(await refusal()).toBe(
        `The store ${path} cannot be opened: file is not a database. The file is damaged, or another program wrote it. Restore it from a backup, or set PAGESPACE_DATA_DIR to another folder.`,
      );
    });

    it('if pages of the file are damaged', async () => {
      await (await openSqliteStore(path)).close();
      const bytes = readFileSync(path);
      writeFileSync(path, bytes.fill(0x5a, 4_096));
      expect(await refusal()).toMatch(/malformed\. The file is damaged.* Restore it from a backup/);
    });

    it('if the folder is missing', async () => {
      expect(await refusal(join(folder, 'missing', 'store.sqlite'))).toMatch(
        /cannot be opened: unable to open.*\. The folder is missing, or the user of this process may not/,
      );
    });

    it('if a newer version of pagespace wrote the file', async () => {
      await change(`insert into kysely_migration values ('9999_future', '2030-01-01T00:00:00.000Z')`);
      expect(await refusal()).toMatch(
        /written by a newer version of pagespace \(migration 9999_future is unknown here\)\. Use that version/,
      );
    });

    it.each([
      ['drop table ledger', 'the table ledger is missing'],
      ['alter table sessions drop column seen_at', 'the column seen_at of the table sessions is missing'],
    ])('if a part is missing (%s)', async (statement, missing) => {
      await change(`pragma foreign_keys = off; ${statement}`);
      expect(await refusal()).toMatch(
        new RegExp(`cannot be opened: ${missing}, although .* Restore the whole backup, or start with an`),
      );
    });

    it('if another process keeps the file locked', () => {
      expect(sqliteAdvice(Object.assign(new Error('database is locked'), { errcode: 261 }))).toMatch(
        /^Another process keeps the file locked\. End it/,
      );
    });
  });

  describe.runIf(probe !== null)('on a disk that takes nothing', () => {
    it.each([
      ['is full', (disk: SmallDisk) => disk.fill(), /The disk is full\. Free some space on it, then start/],
      [
        'is read-only',
        ({ path: mount }: SmallDisk) => spawnSync('mount', ['-o', 'remount,ro', mount]),
        /user of this process may not .* Give that user the folder/,
      ],
    ])('throws StoreError that says so if it %s', async (_, spoil, message) => {
      using disk = mountSmallDisk(1);
      if (disk === null) throw new Error('no file system can be mounted');
      spoil(disk);
      await expect(openSqliteStore(join(disk.path, 'store.sqlite'))).rejects.toThrow(message);
      expect(() => openSqliteRateLimiter(join(disk.path, 'limits.sqlite'))).toThrow(message);
    });
  });

  it('has every completed commit after its process was killed at a random moment', async () => {
    const child = spawn(
      process.execPath,
      [fileURLToPath(new URL('commitUntilKilled.ts', import.meta.url)), path],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const ended = once(child, 'exit');
    const killAfter = 40 + Math.floor(Math.random() * 200);
    let answered = 0;
    for await (const line of createInterface({ input: child.stdout })) {
      answered = Number(line);
      if (answered === killAfter) child.kill('SIGKILL');
    }
    expect(await ended).toEqual([null, 'SIGKILL']);

    await using store = await opened();
    const events = await store.sessions.events('s', 0, 1_000_000);
    // Only whole pairs, with all completed ones, and numbers without gaps.
    expect(events.length % 2).toBe(0);
    expect(events.length).toBeGreaterThanOrEqual(answered * 2);
    expect(events.map(event => event.seq)).toEqual(events.map((_, i) => i + 1));

    // Each pair was charged once, and the running totals match the rows.
    const pairs = events.length / 2;
    const rows = await store.ledger.newestEntries('a', null, 1_000_000);
    expect(rows.map(row => row.seq)).toEqual(rows.map((_, i) => pairs - i));
    const all = { from: 0, to: 1_000_000 };
    expect(await store.ledger.usage('a', all)).toEqual({
      operations: pairs,
      browserMs: pairs * 7,
      priceMicros: pairs * 3,
    });
    expect(await store.ledger.accountBalance('a', 'k', 0)).toMatchObject({
      balanceMicros: pairs * -3,
      dayBrowserMs: pairs * 7,
    });
  });
});

async function opened() {
  const store = await openSqliteStore(path);
  return { ...store, [Symbol.asyncDispose]: () => store.close() };
}
