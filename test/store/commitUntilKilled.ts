/** Commits pairs of events, each with a charge, to the store at argv[2] without end, and prints how many pairs were answered. */
import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { newSession } from '../../src/domain/session.ts';
import { openSqliteStore } from '../../src/store/sqliteStore.ts';

const store = await openSqliteStore(process.argv[2] ?? '');
await store.accounts.createAccount({ id: 'a', name: 'local', tier: 'local', createdAt: 1 });
const session = newSession({ id: 's', accountId: 'a', at: 1, timeoutMinutes: 5 });
const facts = {
  accountId: 'a',
  sessionId: 's',
  keyId: 'k',
  kind: 'scrape',
  browserMs: 7,
  priceMicros: 3,
} as const;
for (let answered = 1; ; answered += 1) {
  const event = { type: 'scraped', at: answered, url: 'https://a.test/' } as const;
  const charge = { ...facts, operationId: randomUUID(), at: answered };
  await store.sessions.commit({ session, events: [event, event], ledger: [charge] });
  writeSync(1, `${answered}\n`);
}
