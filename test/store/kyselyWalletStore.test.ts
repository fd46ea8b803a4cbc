import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openSqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import type { Store } from '../../src/store/store.ts';

let folder: string;
let store: Store;
let outside: DatabaseSync;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pagespace-wallets-'));
  const path = join(folder, 'store.sqlite');
  store = await openSqliteStore(path);
  outside = new DatabaseSync(path, { readOnly: true });
});
afterEach(async () => {
  outside.close();
  await store.close();
  rmSync(folder, { recursive: true });
});

const rows = (table: string): unknown => outside.prepare(`select count(*) as n from ${table}`).get()?.n;

describe('WalletStore', () => {
  test('saveNonce() removes expired nonces', async () => {
    for (let index = 0; index < 100; index++) await store.wallets.saveNonce(`n${index}`, 1_000, 0);
    expect(rows('nonces')).toBe(100);
    await store.wallets.saveNonce('next', 2_000, 1_000);
    expect(rows('nonces')).toBe(1);
  });

  test('saveWebSession() removes expired web sessions', async () => {
    const account = { id: 'a', name: 'a', tier: 'free', createdAt: 0 } as const;
    await store.accounts.createAccount(account);
    const webSession = (hash: string, expiresAt: number) => ({
      hash,
      accountId: 'a',
      address: '0x1',
      expiresAt,
    });
    for (let index = 0; index < 100; index++)
      await store.wallets.saveWebSession(webSession(`v${index}`, 1_000), 0);
    await store.wallets.saveWebSession(webSession('next', 2_000), 1_000);
    expect(rows('web_visits')).toBe(1);
  });

  test.each(['nonces', 'web_visits'])('finds expired rows of %s by index', table => {
    const plan = outside.prepare(`explain query plan delete from ${table} where expires_at <= ?`).all(0);
    expect(plan).toEqual([expect.objectContaining({ detail: expect.stringContaining('USING') })]);
  });
});
