/** Fills a store with sessions, events and charges of one account. */
import { randomUUID } from 'node:crypto';
import { Kysely } from 'kysely';
import { computeTotals } from '../../src/store/migrations/migrationSteps.ts';
import { NodeSqliteDialect, openDatabase } from '../../src/store/sqlite/openDatabase.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import type { Tables } from '../../src/store/tables.ts';

/** Id of the account that owns the sessions. */
export const COSTLY_ACCOUNT = 'costly';

const DAY_MS = 86_400_000;
const DAYS = 90;

/**
 * Creates the store and fills it: sessions over the last `days`, each with its events and a charge for each event.
 * @returns the milliseconds that the totals took, which the migration of an existing store takes too
 */
export async function fillStore(
  path: string,
  sessions: number,
  eventsPerSession: number,
  days = DAYS,
): Promise<number> {
  const store = await openSqliteStore(path);
  const now = Date.now();
  await store.accounts.createAccount({ id: COSTLY_ACCOUNT, name: 'costly', tier: 'local', createdAt: 1 });
  await store.close();
  const database = openDatabase(path);
  const session =
    database.prepare(`insert into sessions (id, account_id, status, created_at, last_accessed_at,
    timeout_minutes, running, url, page_title, ended_at, last_seq, key_id) values (?, ?, 'closed', ?, ?, 5, 0, ?, ?, ?, ?, 'k')`);
  const event = database.prepare(
    'insert into session_events (session_id, seq, type, at, body) values (?, ?, ?, ?, ?)',
  );
  const charge =
    database.prepare(`insert into ledger (operation_id, account_id, seq, reference, session_id, key_id, kind, at,
    browser_ms, amount_micros, balance_micros) values (?, ?, ?, ?, ?, 'k', 'observe', ?, 100, -500, ?)`);
  let seq = 0;
  database.exec('begin');
  for (let n = 0; n < sessions; n++) {
    const id = randomUUID();
    const at = now - days * DAY_MS + Math.floor((n / sessions) * days * DAY_MS);
    const url = `https://shop-${n % 500}.example/products/${n}?colour=blue`;
    session.run(
      id,
      COSTLY_ACCOUNT,
      at,
      at + 60_000,
      url,
      `Product ${n} of a shop`,
      at + 60_000,
      eventsPerSession,
    );
    for (let e = 1; e <= eventsPerSession; e++) {
      const body = JSON.stringify({ type: 'observed', at: at + e, url, actions: 40 });
      event.run(id, e, e === 1 ? 'created' : 'observed', at + e, body);
      seq += 1;
      charge.run(randomUUID(), COSTLY_ACCOUNT, seq, `r${seq}`, id, at + e, -500 * seq);
    }
  }
  database
    .prepare('update accounts set ledger_seq = ?, balance_micros = ? where id = ?')
    .run(seq, -500 * seq, COSTLY_ACCOUNT);
  const db = new Kysely<Tables>({ dialect: new NodeSqliteDialect(database) });
  const before = performance.now();
  await computeTotals(db);
  const duration = performance.now() - before;
  database.exec('commit');
  await db.destroy();
  return duration;
}
