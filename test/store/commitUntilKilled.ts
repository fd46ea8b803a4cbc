/** Commits pairs of events with a charge to the store at argv[2] until it is killed, and prints the number of completed commits. */
import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { newSession } from '../../src/domain/session/session.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqliteStore.ts';

const store = await openSqliteStore(process.argv[2] ?? '');
await store.accounts.createAccount({ id: 'a', name: 'local', tier: 'local', createdAt: 1 });
const session = newSession({ id: 's', accountId: 'a', at: 1, timeoutMinutes: 5 });
const chargeFields = {
  accountId: 'a',
  sessionId: 's',
  keyId: 'k',
  kind: 'scrape',
  browserMs: 7,
  priceMicros: 3,
  minuteMicros: 25_714,
} as const;
for (let completed = 1; ; completed += 1) {
  const event = { type: 'scraped', at: completed, url: 'https://a.test/' } as const;
  const charge = { ...chargeFields, operationId: randomUUID(), at: completed };
  await store.sessions.commit({ session, events: [event, event], ledger: [charge] });
  writeSync(1, `${completed}\n`);
}
