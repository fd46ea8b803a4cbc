import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { createSqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import { describeAuditContract } from '../contracts/auditContract.ts';
import { alice, session } from '../contracts/storeSamples.ts';

const open = async () => {
  const database = new DatabaseSync(':memory:');
  return { store: await createSqliteStore(database), run: async (text: string) => database.exec(text) };
};

describeAuditContract('SQLite', open);

it('finds a fraction, which SQLite can store in a column of whole numbers', async () => {
  const { store, run } = await open();
  await store.accounts.createAccount(alice);
  await store.sessions.commit({ session: session('s'), events: [] });
  await store.ledger.credit({ accountId: alice.id, reference: 'r', amountMicros: 1, at: 1 });
  await run('update ledger set browser_ms = 1.5');
  const rules = (await store.auditLedger()).findings.map(({ rule }) => rule);
  expect(rules).toContain('times are whole and not negative');
  await store.close();
});
