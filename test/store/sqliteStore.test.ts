import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import { StoreError } from '../../src/store/store.ts';
import { describeStoreContract } from '../contracts/storeContract.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pagespace-store-'));
  path = join(folder, 'store.sqlite');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describeStoreContract('SQLite in memory', () => openSqliteStore(':memory:'));
describeStoreContract('a SQLite file', () => openSqliteStore(path));

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

  it('throws StoreError if the file is not a database', async () => {
    writeFileSync(path, 'these are not the bytes of a database'.repeat(100));
    const refused = await openSqliteStore(path).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(StoreError);
    expect(String(refused)).toContain(`The store ${path} cannot be opened: file is not a database`);
  });

  it('throws StoreError if the folder is missing', async () => {
    await expect(openSqliteStore(join(folder, 'missing', 'store.sqlite'))).rejects.toThrow(
      /cannot be opened: unable to open/,
    );
  });

  it('throws StoreError if a newer version of pagespace wrote the file', async () => {
    await (await openSqliteStore(path)).close();
    const database = new DatabaseSync(path);
    database.exec(`insert into kysely_migration values ('9999_future', '2030-01-01T00:00:00.000Z')`);
    database.close();
    await expect(openSqliteStore(path)).rejects.toThrow(
      /written by a newer version of pagespace \(migration 9999_future is unknown here\)/,
    );
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
