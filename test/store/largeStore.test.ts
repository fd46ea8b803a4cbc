import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SessionQuery } from '../../src/domain/ports/sessionStore.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import type { Store } from '../../src/store/store.ts';
import { COSTLY_ACCOUNT, fillStore } from '../bench/fillStore.ts';

/** More than one query reads at once. */
const SESSIONS = 6_000;

let folder: string;
let store: Store;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pagespace-large-'));
  const path = join(folder, 'store.sqlite');
  await fillStore(path, SESSIONS, 1);
  store = await openSqliteStore(path);
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

const query: SessionQuery = {
  accountId: COSTLY_ACCOUNT,
  statuses: ['closed'],
  search: 'shop-7.example',
  order: 'created_at_asc',
  limit: 5,
  after: null,
  before: null,
};
const titles = (page: Awaited<ReturnType<Store['sessions']['list']>>) =>
  page.rows.map(({ session }) => Number(/\d+/.exec(session.pageTitle ?? '')?.[0]));
/** Every five hundredth session belongs to the shop. */
const expected = Array.from({ length: SESSIONS / 500 }, (_, n) => 7 + n * 500);

it('list() with a filter pages through all sessions, forwards and backwards', async () => {
  const forwards: number[] = [];
  for (let after: string | null = null, isLast = false; !isLast; ) {
    const page = await store.sessions.list({ ...query, after });
    expect(page.hasPrevious).toBe(after !== null);
    forwards.push(...titles(page));
    after = page.rows.at(-1)?.cursor ?? null;
    isLast = !page.hasNext;
  }
  expect(forwards).toEqual(expected);
  const last = await store.sessions.list({ ...query, fromEnd: true });
  expect([titles(last), last.hasPrevious, last.hasNext]).toEqual([expected.slice(-5), true, false]);
  const first = last.rows[0];
  const earlier = await store.sessions.list({ ...query, before: first?.cursor ?? '', fromEnd: true });
  expect([titles(earlier), earlier.hasNext]).toEqual([expected.slice(-10, -5), true]);
});

it('list() finds nothing after it has read all sessions', async () => {
  expect(await store.sessions.list({ ...query, search: 'no such page' })).toEqual({
    rows: [],
    hasNext: false,
    hasPrevious: false,
  });
});

it('count() counts all matching sessions, with and without a search', async () => {
  expect(await store.sessions.count(COSTLY_ACCOUNT, null, 'SHOP-7.example')).toBe(expected.length);
  expect(await store.sessions.count(COSTLY_ACCOUNT, ['closed'])).toBe(SESSIONS);
  expect(await store.sessions.count(COSTLY_ACCOUNT, ['active'])).toBe(0);
});

it('oldestEntries() returns the rows of a period after thousands of earlier rows', async () => {
  const all = { from: 0, to: Number.MAX_SAFE_INTEGER };
  const [row] = await store.ledger.newestEntries(COSTLY_ACCOUNT, null, 1);
  const from = row?.at ?? 0;
  expect(
    (await store.ledger.oldestEntries(COSTLY_ACCOUNT, { ...all, from }, 0, 10)).map(({ seq }) => seq),
  ).toEqual([SESSIONS]);
  const page = await store.ledger.oldestEntries(COSTLY_ACCOUNT, all, 4_990, 20);
  expect(page.map(({ seq }) => seq)).toEqual(Array.from({ length: 20 }, (_, n) => 4_991 + n));
});

it('usage() and usageByGroup() add up the charges of a part of an hour, more than one query reads', async () => {
  const path = join(folder, 'busy.sqlite');
  await fillStore(path, SESSIONS, 1, 0.001);
  const busy = await openSqliteStore(path);
  const { ledger } = busy;
  const rows = await ledger.oldestEntries(
    COSTLY_ACCOUNT,
    { from: 0, to: Number.MAX_SAFE_INTEGER },
    0,
    SESSIONS,
  );
  const inside = rows.slice(50, -50);
  const period = { from: inside[0]?.at ?? 0, to: (inside.at(-1)?.at ?? 0) + 1 };
  const charged = rows.filter(({ at }) => at >= period.from && at < period.to);
  expect(charged.length).toBeGreaterThan(5_000);
  expect((await ledger.usage(COSTLY_ACCOUNT, period)).operations).toBe(charged.length);
  const sessions = charged.map(({ sessionId }) => sessionId).sort();
  const groups = await ledger.usageByGroup(COSTLY_ACCOUNT, period, 'session', 1_000);
  expect(groups.map(({ name }) => name)).toEqual(sessions.slice(0, 1_000));
  expect(groups.every(({ operations }) => operations === 1)).toBe(true);
  await busy.close();
});

it('remove() removes a session with thousands of events', async () => {
  const [one] = (await store.sessions.list({ ...query, limit: 1 })).rows;
  if (one === undefined) throw new Error('no session');
  const { session } = one;
  const events = Array.from(
    { length: 4_500 },
    () => ({ type: 'dialog', at: 1, kind: 'alert', message: '' }) as const,
  );
  await store.sessions.commit({ session, events });
  expect((await store.sessions.eventCounts([session.id]))[0]?.dialog).toBe(4_500);
  await store.sessions.remove([session.id]);
  expect(await store.sessions.events(session.id, 0, 1)).toEqual([]);
  expect(await store.sessions.count(COSTLY_ACCOUNT, null)).toBe(SESSIONS - 1);
});

it('runs reads of several accounts at once, and rejects them when the store is closed', async () => {
  const other = await openSqliteStore(join(folder, 'store.sqlite'));
  const counts = await Promise.all(
    [COSTLY_ACCOUNT, 'b', 'c', COSTLY_ACCOUNT, 'b'].map(account =>
      other.sessions.count(account, null, 'shop'),
    ),
  );
  expect(counts.map(count => count > 0)).toEqual([true, false, false, true, false]);
  const pending = other.sessions.count(COSTLY_ACCOUNT, null, 'shop');
  const [result] = await Promise.allSettled([pending, other.close()]);
  expect(result?.status).toBe('rejected');
});
