import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SessionUpdate } from '../../../src/domain/ports/eventBus.ts';
import { endedAt } from '../../../src/domain/session/session.ts';
import type { StartCommand } from '../../../src/service/sessions/sessionOperations.ts';
import { type ManualClock, manualClock } from '../../support/manualClock.ts';
import { addAccount, type StartedService, startService } from '../../support/startService.ts';

const MINUTE = 60_000;
const signal = new AbortController().signal;
const plain: StartCommand = { keepAlive: null, timeoutMinutes: null, screenshot: false, signal };

/** Pids of the Chromium browsers that this process started. */
const browserPids = (): number[] =>
  execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' })
    .split('\n')
    .filter(line => line.includes('--remote-debugging-pipe'))
    .map(line => Number.parseInt(line, 10));

/** Runs `act` and returns the next update in which the session has this status. */
async function untilStatus(
  started: StartedService,
  sessionId: string,
  status: string,
  act: () => unknown,
): Promise<SessionUpdate> {
  const changes = started.service.sessionUpdates(started.viewer);
  await act();
  for await (const update of changes)
    if (update.session.id === sessionId && update.session.status === status) return update;
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

  it('is active with the default timeout after its start', async () => {
    const { session } = await start();
    expect(session).toMatchObject({
      status: 'active',
      timeoutMinutes: 5,
      createdAt: clock.now(),
      running: 0,
    });
    await close(session.id);
  });

  it('is closed by close(); another close() returns its final state', async () => {
    const { session } = await start();
    const first = await close(session.id);
    expect(first.session.status).toBe('closed');
    clock.advance(1_000);
    expect((await close(session.id)).session).toEqual(first.session);
  });

  it('times out when it is idle for its timeout, exact to the millisecond', async () => {
    const { session } = await start({ timeoutMinutes: 2 });
    clock.advance(2 * MINUTE - 1);
    expect((await read(session.id))?.status).toBe('active');
    const update = await untilStatus(started, session.id, 'timed_out', () => clock.advance(1));
    expect(update.session).toMatchObject({ status: 'timed_out', endedAt: clock.now() });
  });

  it('times out even if it is read', async () => {
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

  it('rejects operations after its end with the way it ended', async () => {
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

  it('is SESSION_NOT_FOUND for another account', async () => {
    const { session } = await start();
    const stranger = await addAccount(started.store, clock, 'stranger');
    await expect(
      started.service.close(stranger.viewer, { sessionId: session.id, screenshot: false, signal }),
    ).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
    expect(await started.service.sessions(stranger.viewer, [session.id])).toEqual([null]);
    await close(session.id);
  });

  it('rejects a timeout above the global one', async () => {
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

  it('cannot start when all slots are in use (AT_CAPACITY), and can when one is free', async () => {
    const sessions = [await start(), await start(), await start()];
    await expect(start()).rejects.toMatchObject({ code: 'AT_CAPACITY' });
    for (const { session } of sessions) await close(session.id);
    await close((await start()).session.id);
    expect(started.browsers.sessionCount).toBe(0);
  });

  it('frees its slot if the caller disconnects during the start', async () => {
    const caller = new AbortController();
    const made = start({ signal: caller.signal });
    caller.abort(new Error('gone'));
    await made.then(
      ({ session }) => close(session.id),
      () => {},
    );
    expect(started.browsers.sessionCount).toBe(0);
  });

  it('fails to start with OPERATION_TIMEOUT if the caller has disconnected', async () => {
    await expect(start({ signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'OPERATION_TIMEOUT',
      message: expect.stringContaining('disconnected'),
    });
  });

  it('has numbered events for its creation and its end', async () => {
    const { session } = await start();
    await close(session.id);
    const events = await started.service.events(started.viewer, session.id, 0, 100);
    expect(events.map(({ seq, event }) => [seq, event.type])).toEqual([
      [1, 'created'],
      [2, 'ended'],
    ]);
  });
});

describe('with the system clock', () => {
  it('an idle session times out, not before its timeout', async () => {
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

describe('after a failure', () => {
  it('a session with a killed browser is in error at once and frees its slot', async () => {
    await using started = await startService({ capacity: 1, maxWaiting: 1 });
    const { session } = await started.service.start(started.viewer, plain);
    const update = await untilStatus(started, session.id, 'error', () => {
      // Each browser, or the wrapper that starts it, leads a process group.
      for (const pid of browserPids()) process.kill(-pid, 'SIGKILL');
    });
    expect(update.session).toMatchObject({ status: 'error', error: 'The browser ended unexpectedly.' });
    const again = await started.service.start(started.viewer, plain);
    expect(again.session.status).toBe('active');
  });

  it('sessions that an earlier process left active are in error after a restart, with the reason', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pagespace-'));
    const path = join(folder, 'store.db');
    try {
      const { viewer, session } = await (async () => {
        const before = await startService({ browser: 'fake', path });
        const { session } = await before.service.start(before.viewer, plain);
        // A killed process leaves the row as it was, without an end.
        const active = await before.store.sessions.activeSessions();
        await before[Symbol.asyncDispose]();
        const after = await startService({ browser: 'fake', path });
        for (const each of active) await after.store.sessions.commit({ session: each, events: [] });
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

  it('shutDown() closes the sessions and rejects new ones with SHUTTING_DOWN', async () => {
    await using started = await startService({ browser: 'fake' });
    const { session } = await started.service.start(started.viewer, plain);
    await started.service.shutDown();
    expect((await started.service.sessions(started.viewer, [session.id]))[0]?.status).toBe('closed');
    await expect(started.service.start(started.viewer, plain)).rejects.toMatchObject({
      code: 'SHUTTING_DOWN',
    });
  });
});
