import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SessionUpdate } from '../../../src/domain/ports/eventBus.ts';
import { endedAt } from '../../../src/domain/session.ts';
import type { StartCommand } from '../../../src/service/sessions/sessionOperations.ts';
import { type ManualClock, manualClock } from '../../support/manualClock.ts';
import { addAccount, type StartedService, startService } from '../../support/startService.ts';

const MINUTE = 60_000;
const signal = new AbortController().signal;
const plain: StartCommand = { keepAlive: null, timeoutMinutes: null, screenshot: false, signal };

/** Pids of this process's Chromium browsers (not of their children). */
const browserPids = (): number[] =>
  execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' })
    .split('\n')
    .filter(line => line.includes('--remote-debugging-pipe'))
    .map(line => Number.parseInt(line, 10));

/** The next notice that the session has this status. */
async function untilStatus(
  started: StartedService,
  sessionId: string,
  status: string,
  act: () => unknown,
): Promise<SessionUpdate> {
  const changes = started.service.sessionUpdates(started.viewer);
  await act();
  for await (const notice of changes)
    if (notice.session.id === sessionId && notice.session.status === status) return notice;
  throw new Error('the changes ended');
}

describe('a session', () => {
  let started: StartedService;
  let clock: ManualClock;

  beforeAll(async () => {
    clock = manualClock();
    started = await startService({ browser: 'fake', clock, capacity: 3 });
  });
  afterAll(() => started[Symbol.asyncDispose]());

  const start = (more: Partial<StartCommand> = {}) =>
    started.service.start(started.viewer, { ...plain, ...more });
  const close = (sessionId: string) =>
    started.service.close(started.viewer, { sessionId, screenshot: false, signal });
  const read = async (sessionId: string) => (await started.service.sessions(started.viewer, [sessionId]))[0];

  it('is active with the default timeout once it is started', async () => {
    const { session } = await start();
    expect(session).toMatchObject({
      status: 'active',
      timeoutMinutes: 5,
      createdAt: clock.now(),
      running: 0,
    });
    await close(session.id);
  });

  it('is closed by close; closing it again answers its true final state', async () => {
    const { session } = await start();
    const first = await close(session.id);
    expect(first.session.status).toBe('closed');
    clock.advance(1_000);
    expect((await close(session.id)).session).toEqual(first.session);
  });

  it('times out when nothing is done for its timeout, to the millisecond', async () => {
    const { session } = await start({ timeoutMinutes: 2 });
    clock.advance(2 * MINUTE - 1);
    expect((await read(session.id))?.status).toBe('active');
    const notice = await untilStatus(started, session.id, 'timed_out', () => clock.advance(1));
    expect(notice.session).toMatchObject({ status: 'timed_out', endedAt: clock.now() });
  });

  it('is not kept alive by reading', async () => {
    const { session } = await start({ timeoutMinutes: 1 });
    clock.advance(MINUTE / 2);
    await read(session.id);
    await started.service.listSessions(started.viewer, {
      statuses: null,
      search: null,
      order: 'created_at_desc',
      limit: 10,
      after: null,
      before: null,
    });
    await untilStatus(started, session.id, 'timed_out', () => clock.advance(MINUTE / 2));
  });

  it('answers an operation after its end with how it ended', async () => {
    const { session } = await start();
    await close(session.id);
    const observe = started.service.observe(started.viewer, {
      ...plain,
      sessionId: session.id,
      url: 'http://127.0.0.1:9/',
      limits: { max: 100, min: null },
      data: null,
      space: true,
    });
    await expect(observe).rejects.toMatchObject({
      code: 'SESSION_CLOSED',
      context: { session: { status: 'closed' } },
    });
  });

  it('of another account is not found', async () => {
    const { session } = await start();
    const stranger = await addAccount(started.store, clock, 'stranger');
    await expect(
      started.service.close(stranger.viewer, { sessionId: session.id, screenshot: false, signal }),
    ).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
    expect(await started.service.sessions(stranger.viewer, [session.id])).toEqual([null]);
    await close(session.id);
  });

  it('may not be given a timeout above the global one', async () => {
    const small = await startService({ browser: 'fake', globalTimeoutMinutes: 10 });
    try {
      await expect(small.service.start(small.viewer, { ...plain, timeoutMinutes: 11 })).rejects.toMatchObject(
        {
          code: 'VALIDATION_ERROR',
          context: { errors: [{ path: 'sessionTimeoutMinutes' }] },
        },
      );
    } finally {
      await small[Symbol.asyncDispose]();
    }
  });

  it('is refused with AT_CAPACITY when all places are taken, and had again when one is free', async () => {
    const sessions = [await start(), await start(), await start()];
    await expect(start()).rejects.toMatchObject({ code: 'AT_CAPACITY' });
    for (const { session } of sessions) await close(session.id);
    await close((await start()).session.id);
    expect(started.browsers.sessionCount).toBe(0);
  });

  it('holds no place when its caller went away while it was made', async () => {
    const caller = new AbortController();
    const made = start({ signal: caller.signal });
    caller.abort(new Error('gone'));
    await made.then(
      ({ session }) => close(session.id),
      () => {},
    );
    expect(started.browsers.sessionCount).toBe(0);
  });

  it('that nobody waits for any more is refused as such, not as a fault of ours', async () => {
    await expect(start({ signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'OPERATION_TIMEOUT',
      message: expect.stringContaining('disconnected'),
    });
  });

  it('tells of its creation and its end with numbered events', async () => {
    const { session } = await start();
    await close(session.id);
    const events = await started.service.events(started.viewer, session.id, 0, 100);
    expect(events.map(({ seq, event }) => [seq, event.type])).toEqual([
      [1, 'created'],
      [2, 'ended'],
    ]);
  });
});

describe('by the wall clock', () => {
  it('a session that nothing is done in times out, and not before its time', async () => {
    await using started = await startService({ browser: 'fake' });
    const timeoutMinutes = 0.005;
    const changes = started.service.sessionUpdates(started.viewer);
    const { session } = await started.service.start(started.viewer, { ...plain, timeoutMinutes });
    for await (const { session: now } of changes)
      if (now.status !== 'active') {
        expect(now).toMatchObject({ id: session.id, status: 'timed_out' });
        expect(endedAt(now)).toBeGreaterThanOrEqual(session.lastAccessedAt + timeoutMinutes * MINUTE);
        break;
      }
  });
});

describe('when things die', () => {
  it('a session whose browser is killed is in error at once, and its place is free for another', async () => {
    await using started = await startService({ capacity: 1, maxWaiting: 1 });
    const { session } = await started.service.start(started.viewer, plain);
    const notice = await untilStatus(started, session.id, 'error', () => {
      // Each browser leads a process group; where it is started by a wrapper, the wrapper does.
      for (const pid of browserPids()) process.kill(-pid, 'SIGKILL');
    });
    expect(notice.session).toMatchObject({ status: 'error', error: 'The browser ended unexpectedly.' });
    const again = await started.service.start(started.viewer, plain);
    expect(again.session.status).toBe('active');
  });

  it('sessions that a former process left active are in error after a restart, with the reason', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pagespace-'));
    const path = join(folder, 'store.db');
    try {
      const { viewer, session } = await (async () => {
        const before = await startService({ browser: 'fake', path });
        const { session } = await before.service.start(before.viewer, plain);
        // What a killed process leaves: the row as it stood, and no word of the end.
        const left = await before.store.sessions.activeSessions();
        await before[Symbol.asyncDispose]();
        const after = await startService({ browser: 'fake', path });
        for (const one of left) await after.store.sessions.commit({ session: one, events: [] });
        await after[Symbol.asyncDispose]();
        return { viewer: before.viewer, session };
      })();
      await using again = await startService({ browser: 'fake', path });
      const [found] = await again.service.sessions(viewer, [session.id]);
      expect(found).toMatchObject({ status: 'error', error: expect.stringContaining('restarted') });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('shutting down closes the sessions and refuses new ones', async () => {
    await using started = await startService({ browser: 'fake' });
    const { session } = await started.service.start(started.viewer, plain);
    await started.service.shutDown();
    expect((await started.service.sessions(started.viewer, [session.id]))[0]?.status).toBe('closed');
    await expect(started.service.start(started.viewer, plain)).rejects.toMatchObject({
      code: 'SHUTTING_DOWN',
    });
  });
});
