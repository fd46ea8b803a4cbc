import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isFailure } from '../../../src/domain/failure/failures.ts';
import { openDatabase } from '../../../src/store/sqlite/openDatabase.ts';
import { createSqliteStore } from '../../../src/store/sqlite/sqliteStore.ts';
import { type ManualClock, manualClock } from '../../support/manualClock.ts';
import { type StartedService, startService } from '../../support/startService.ts';
import { startTestSite } from '../../support/testSite.ts';

const signal = new AbortController().signal;
const plain = { keepAlive: null, timeoutMinutes: null, screenshot: false, signal };
const observeOptions = { ...plain, limits: { max: 50, min: null }, data: null, space: true };

let folder: string;
let database: DatabaseSync;
let clock: ManualClock;
let started: StartedService;
let site: Awaited<ReturnType<typeof startTestSite>>;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pagespace-full-'));
  database = openDatabase(join(folder, 'store.sqlite'));
  clock = manualClock();
  site = await startTestSite();
  started = await startService({ browser: 'fake', clock, store: await createSqliteStore(database) });
});
afterEach(async () => {
  database.exec(`pragma max_page_count = ${MANY_PAGES}`);
  await started[Symbol.asyncDispose]();
  await site.close();
  await rm(folder, { recursive: true, force: true });
});

const MANY_PAGES = 1_000_000;

/** Limits the database to its current pages: SQLite then reports a full disk. */
function fill(): void {
  const { page_count } = database.prepare('pragma page_count').get() ?? {};
  database.exec(`pragma max_page_count = ${page_count}`);
}
const freeSpace = () => database.exec(`pragma max_page_count = ${MANY_PAGES}`);

const start = async () => (await started.service.start(started.viewer, plain)).session.id;
const observe = (sessionId: string | null, page = 'widgets.html') =>
  started.service.observe(started.viewer, { ...observeOptions, sessionId, url: `${site.url}/${page}` });
const close = (sessionId: string) =>
  started.service.close(started.viewer, { sessionId, screenshot: false, signal });
const statusOf = async (id: string) => (await started.service.sessions(started.viewer, [id]))[0]?.status;
const eventsOf = async (id: string) =>
  (await started.store.sessions.events(id, 0, 10_000)).map(({ event }) => event.type);

/** Repeats `work` until STORAGE_FULL; throws other errors. @returns the number of successful calls */
async function untilFull(work: () => Promise<unknown>): Promise<number> {
  for (let calls = 0; calls < 500; calls++)
    try {
      await work();
    } catch (error) {
      if (isFailure(error, 'STORAGE_FULL')) return calls;
      throw error;
    }
  throw new Error('The store was never full');
}

describe('a full disk', () => {
  it('rejects an operation with STORAGE_FULL and stores nothing of it; earlier operations stay stored', async () => {
    const id = await start();
    await observe(id, 'index.html');
    fill();
    const observed = 1 + (await untilFull(() => observe(id)));
    const events = await eventsOf(id);
    expect(events.filter(type => type === 'observed')).toHaveLength(observed);
    // One row per logged operation: the start, the successful ones, and the failures that still fitted.
    expect(await started.store.ledger.sessionUsage([id])).toMatchObject([{ operations: events.length }]);
    expect(database.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' });
  });

  it('lets sessions be read, and used again once there is space', async () => {
    const id = await start();
    fill();
    await untilFull(() => observe(id));
    expect(await statusOf(id)).toBe('active');
    freeSpace();
    expect((await observe(id)).space?.actions.length).toBeGreaterThan(0);
  });

  it('rejects a start with STORAGE_FULL and frees its slot and browser', async () => {
    fill();
    const startCount = await untilFull(start);
    expect(started.browsers.sessionCount).toBe(startCount);
    expect(started.service.activeSessionCount()).toBe(startCount);
  });

  it('is not stored for the idempotency key of a start: a repeated start succeeds once there is space', async () => {
    fill();
    await untilFull(start);
    const named = () => started.service.start(started.viewer, { ...plain, idempotencyKey: 'one' });
    await expect(named()).rejects.toMatchObject({ code: 'STORAGE_FULL' });
    freeSpace();
    const { session } = await named();
    expect(session.status).toBe('active');
    expect((await named()).session.id).toBe(session.id);
  });

  it('leaves no session behind that an operation created', async () => {
    fill();
    await untilFull(() => observe(null));
    expect(started.browsers.sessionCount).toBe(0);
    expect(await started.service.countSessions(started.viewer, ['active'])).toBe(0);
  });

  it('does not prevent a session from closing: reads return closed at once, and the end is written once there is space', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.push(await start());
    fill();
    await untilFull(() => observe(ids[0] ?? ''));
    await Promise.allSettled(ids.map(close));
    expect(await Promise.all(ids.map(statusOf))).toEqual(ids.map(() => 'closed'));
    expect(started.browsers.sessionCount).toBe(0);
    freeSpace();
    clock.advance(5_000);
    for (const id of ids) await expect.poll(async () => (await eventsOf(id)).at(-1)).toBe('ended');
  });
});
