import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isFailure } from '../../../src/domain/failures.ts';
import { createSqliteStore, openDatabase } from '../../../src/store/sqliteStore.ts';
import { type ManualClock, manualClock } from '../../support/manualClock.ts';
import { type StartedService, startService } from '../../support/startService.ts';
import { startTestSite } from '../../support/testSite.ts';

const signal = new AbortController().signal;
const plain = { keepAlive: null, timeoutMinutes: null, screenshot: false, signal };
const looking = { ...plain, limits: { max: 50, min: null }, data: null, space: true };

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
  database.exec(`pragma max_page_count = ${PLENTY}`);
  await started[Symbol.asyncDispose]();
  await site.close();
  await rm(folder, { recursive: true, force: true });
});

const PLENTY = 1_000_000;

/** Not a page more for the store than it has, and none of them free: SQLite says what it says on a full disk. */
function fill(): void {
  const { page_count } = database.prepare('pragma page_count').get() ?? {};
  database.exec(`pragma max_page_count = ${page_count}`);
}
const makeRoom = () => database.exec(`pragma max_page_count = ${PLENTY}`);

const start = async () => (await started.service.start(started.viewer, plain)).session.id;
const observe = (sessionId: string | null, page = 'widgets.html') =>
  started.service.observe(started.viewer, { ...looking, sessionId, url: `${site.url}/${page}` });
const close = (sessionId: string) =>
  started.service.close(started.viewer, { sessionId, screenshot: false, signal });
const statusOf = async (id: string) => (await started.service.sessions(started.viewer, [id]))[0]?.status;
const eventsOf = async (id: string) =>
  (await started.store.sessions.events(id, 0, 10_000)).map(({ event }) => event.type);

/** Does this again until the store takes no more; whatever else goes wrong is thrown. @returns how often it was done */
async function untilFull(work: () => Promise<unknown>): Promise<number> {
  for (let done = 0; done < 500; done++)
    try {
      await work();
    } catch (error) {
      if (isFailure(error, 'STORAGE_FULL')) return done;
      throw error;
    }
  throw new Error('The store never was full');
}

describe('a full disk', () => {
  it('refuses an operation with STORAGE_FULL and keeps nothing of it; what was answered is kept', async () => {
    const id = await start();
    await observe(id, 'index.html');
    fill();
    const observed = 1 + (await untilFull(() => observe(id)));
    const events = await eventsOf(id);
    expect(events.filter(type => type === 'observed')).toHaveLength(observed);
    // A row for each operation that is in the log: the start, those that were done, and failures where they found room.
    expect(await started.store.ledger.sessionUsage([id])).toMatchObject([{ operations: events.length }]);
    expect(database.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' });
  });

  it('leaves sessions to be read, and to be worked in again once there is room', async () => {
    const id = await start();
    fill();
    await untilFull(() => observe(id));
    expect(await statusOf(id)).toBe('active');
    makeRoom();
    expect((await observe(id)).space?.actions.length).toBeGreaterThan(0);
  });

  it('refuses a start with STORAGE_FULL, and holds no place and no browser for it', async () => {
    fill();
    const begun = await untilFull(start);
    expect(started.browsers.sessionCount).toBe(begun);
    expect(started.service.activeSessionCount()).toBe(begun);
  });

  it('is not remembered with the key of a start: sent again once there is room, it is done', async () => {
    fill();
    await untilFull(start);
    const named = () => started.service.start(started.viewer, { ...plain, idempotencyKey: 'one' });
    await expect(named()).rejects.toMatchObject({ code: 'STORAGE_FULL' });
    makeRoom();
    const { session } = await named();
    expect(session.status).toBe('active');
    expect((await named()).session.id).toBe(session.id);
  });

  it('leaves no session behind that an operation made for itself', async () => {
    fill();
    await untilFull(() => observe(null));
    expect(started.browsers.sessionCount).toBe(0);
    expect(await started.service.countSessions(started.viewer, ['active'])).toBe(0);
  });

  it('does not keep a session from closing: it is closed to all who ask, and written once there is room', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.push(await start());
    fill();
    await untilFull(() => observe(ids[0] ?? ''));
    await Promise.allSettled(ids.map(close));
    expect(await Promise.all(ids.map(statusOf))).toEqual(ids.map(() => 'closed'));
    expect(started.browsers.sessionCount).toBe(0);
    makeRoom();
    clock.advance(5_000);
    for (const id of ids) await expect.poll(async () => (await eventsOf(id)).at(-1)).toBe('ended');
  });
});
