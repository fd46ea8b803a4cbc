import { utimes, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Viewer } from '../../../src/domain/account/account.ts';
import type { StartCommand } from '../../../src/service/sessions/sessionOperations.ts';
import { type ManualClock, manualClock } from '../../support/manualClock.ts';
import { addAccount, type StartedService, startService } from '../../support/startService.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const signal = new AbortController().signal;
const plain: StartCommand = { keepAlive: null, timeoutMinutes: 29, screenshot: false, signal };

let clock: ManualClock;
let started: StartedService;
beforeEach(async () => {
  clock = manualClock();
  started = await startService({ browser: 'fake', clock, retentionDays: 30, maxAccountFileBytes: 20_000 });
});
afterEach(() => started[Symbol.asyncDispose]());

const createSession = async (viewer: Viewer = started.viewer): Promise<string> =>
  (await started.service.start(viewer, plain)).session.id;
const close = (sessionId: string, viewer = started.viewer) =>
  started.service.close(viewer, { sessionId, screenshot: false, signal });
async function createEnded(): Promise<string> {
  const id = await createSession();
  await close(id);
  return id;
}
/** Uploads a file of this size. Returns its id, or the failure. */
function upload(sessionId: string, bytes: number, viewer = started.viewer): Promise<string> {
  const chunks = new Blob([new Uint8Array(bytes)]).stream();
  return started.service.uploadFile(viewer, { sessionId, name: 'a', chunks, signal }).then(
    file => file.id,
    error => `${error.code}: ${error.message}`,
  );
}
const ownerOf = (sessionId: string) => ({ sessionId, accountId: started.account.id });
const exists = async (id: string) => (await started.service.sessions(started.viewer, [id]))[0] !== null;

describe('SessionRetention', () => {
  it('removes an ended session with its events and files within an hour after its retention time', async () => {
    const id = await createEnded();
    const file = await started.files.reserve(ownerOf(id), 'download', 'a.txt');
    await writeFile(file.path, 'content');
    clock.advance(30 * DAY);
    expect(await exists(id)).toBe(true);
    clock.advance(HOUR);
    await expect.poll(() => exists(id)).toBe(false);
    expect(await started.store.sessions.events(id, 0, 10)).toEqual([]);
    expect(await started.files.list(id, 'download')).toEqual([]);
  });

  it('gives the space of the files back, which all sessions of an account share, running and ended', async () => {
    const first = await createSession();
    expect(await upload(first, 9_000)).toBe('U1');
    expect(await upload(first, 5_000)).toMatch(
      /BODY_TOO_LARGE.* use 13096 of at most 20000 bytes on this machine\. .* removed 30 days later/,
    );
    await close(first);
    const second = await createSession();
    expect(await upload(second, 2_900)).toMatch(/BODY_TOO_LARGE/);
    expect(await upload(second, 2_700)).toBe('U1');
    expect(await upload(second, 0)).toMatch(/QUOTA_EXHAUSTED.* already use 19892 of at most 20000 bytes/);
    await close(second);
    const { viewer } = await addAccount(started.store, clock, 'other');
    const third = await createSession(viewer);
    expect(await upload(third, 9_000, viewer)).toBe('U1');
    await close(third, viewer);
    clock.advance(30 * DAY + HOUR);
    await expect.poll(() => exists(first)).toBe(false);
    expect(await upload(await createSession(), 5_000)).toBe('U1');
  });

  it('removes old files of sessions that another node has removed', async () => {
    const removed = await createEnded();
    const { path } = await started.files.reserve(ownerOf(removed), 'download', 'a.txt');
    await writeFile(path, 'content');
    const kindFolder = dirname(dirname(path));
    for (const folder of [kindFolder, dirname(kindFolder)]) await utimes(folder, 0, 0);
    await started.store.sessions.remove([removed]);
    clock.advance(HOUR);
    const left = async () => (await started.files.list(removed, 'download')).length;
    await expect.poll(left).toBe(0);
  });

  it('keeps sessions that ended later', async () => {
    const older = await createEnded();
    clock.advance(2 * DAY);
    const younger = await createEnded();
    clock.advance(29 * DAY);
    await expect.poll(() => exists(older)).toBe(false);
    expect(await exists(younger)).toBe(true);
  });

  it('removes any number of sessions, in batches', async () => {
    const session = (await started.service.sessions(started.viewer, [await createEnded()]))[0];
    if (session == null) throw new Error('the session is gone');
    for (let n = 0; n < 120; n++)
      await started.store.sessions.commit({ session: { ...session, id: crypto.randomUUID() }, events: [] });
    clock.advance(31 * DAY);
    await expect.poll(() => started.service.countSessions(started.viewer, null)).toBe(0);
  });
});

describe('SessionStore.endedBefore()', () => {
  it('never returns active sessions', async () => {
    const { session } = await started.service.start(started.viewer, plain);
    await started.store.sessions.remove(
      await started.store.sessions.endedBefore(clock.now() + 100 * DAY, 10),
    );
    expect(await exists(session.id)).toBe(true);
  });
});
