import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Session } from '../../src/domain/session.ts';
import type { StartCommand } from '../../src/service/sessions/sessionOperations.ts';
import { createClock } from '../../src/service/systemClock.ts';
import { type ManualClock, manualClock } from '../support/manualClock.ts';
import { type StartedService, startService } from '../support/startService.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const signal = new AbortController().signal;
const plain: StartCommand = { keepAlive: null, timeoutMinutes: null, screenshot: false, signal };

describe('the system clock', () => {
  let wall: number;
  let run: number;
  const clock = () => createClock({ wall: () => wall, monotonic: () => run });
  const pass = (ms: number) => {
    wall += ms;
    run += ms;
    vi.advanceTimersByTime(ms);
  };
  beforeEach(() => {
    vi.useFakeTimers();
    wall = Date.parse('2026-03-09T12:00:00.000Z');
    run = 1_000;
  });
  afterEach(() => void vi.useRealTimers());

  it.each([HOUR, -HOUR, 1_000])('tells by how much it was set (%i ms), once, before it answers', byMs => {
    const one = clock();
    const told: number[] = [];
    one.onJump?.(by => told.push(by));
    pass(10 * MINUTE);
    wall += byMs;
    expect([one.now(), told]).toEqual([wall, [byMs]]);
    one.now();
    expect(told).toEqual([byMs]);
  });

  it('says nothing of time that passes, or of the drift that time servers mend', () => {
    const one = clock();
    const told: number[] = [];
    one.onJump?.(by => told.push(by));
    for (let n = 0; n < 100; n++) {
      pass(MINUTE);
      wall += 30;
      one.now();
    }
    expect(told).toEqual([]);
  });

  it('tells nobody who took it back', () => {
    const one = clock();
    const told = vi.fn();
    one.onJump?.(told)();
    wall += HOUR;
    one.now();
    expect(told).not.toHaveBeenCalled();
  });

  it('wakes at its time, and not when it was taken back', () => {
    const one = clock();
    const wake = vi.fn();
    const never = vi.fn();
    one.scheduleAt(wall + MINUTE, wake);
    one.scheduleAt(wall + MINUTE, never)();
    pass(MINUTE - 1);
    expect(wake).not.toHaveBeenCalled();
    pass(1);
    expect(wake).toHaveBeenCalledOnce();
    expect(never).not.toHaveBeenCalled();
  });

  it('wakes after the longest wait that a timer has', () => {
    const one = clock();
    const wake = vi.fn();
    one.scheduleAt(wall + 60 * 24 * HOUR, wake);
    for (let days = 0; days < 60; days++) pass(24 * HOUR);
    expect(wake).toHaveBeenCalledOnce();
  });
});

describe('sessions and the clock', () => {
  let clock: ManualClock;
  let started: StartedService;
  beforeEach(async () => {
    clock = manualClock();
    started = await startService({ browser: 'fake', clock, maxLifetimeMinutes: 12 });
  });
  afterEach(() => started[Symbol.asyncDispose]());

  const start = async (): Promise<Session> => (await started.service.start(started.viewer, plain)).session;
  const statusOf = async (id: string) => (await started.service.sessions(started.viewer, [id]))[0]?.status;

  /** The session once it has ended. */
  async function ended(id: string, act: () => void): Promise<Session> {
    const changes = started.service.sessionUpdates(started.viewer, { sessionId: id });
    act();
    for await (const { session } of changes) if (session.status !== 'active') return session;
    throw new Error('the changes ended');
  }

  it.each([HOUR, -HOUR])('a clock that is set by %i ms takes and gives no time', async byMs => {
    const { id } = await start();
    clock.advance(2 * MINUTE);
    clock.jump(byMs);
    clock.advance(3 * MINUTE - 1);
    await turn();
    expect(await statusOf(id)).toBe('active');
    expect(await ended(id, () => clock.advance(1))).toMatchObject({ status: 'timed_out' });
  });

  it('a session that is used all the time ends at its maximum lifetime, with the reason', async () => {
    const { id } = await start();
    for (let minute = 0; minute < 11; minute++) {
      clock.advance(MINUTE);
      const command = { ...plain, sessionId: id, limits: { max: 1, min: null }, data: null, space: true };
      await started.service.observe(started.viewer, { ...command, url: 'data:text/html,' }).catch(() => {});
    }
    expect(await statusOf(id)).toBe('active');
    await ended(id, () => clock.advance(MINUTE));
    const [, ...events] = await started.service.events(started.viewer, id, 0, 100);
    expect(events.at(-1)?.event).toMatchObject({
      type: 'ended',
      reason: expect.stringMatching(/maximum lifetime/),
    });
  });

  it('one timer wakes for all sessions, each at its own time', async () => {
    const first = await start();
    clock.advance(MINUTE);
    const second = await start();
    await ended(first.id, () => clock.advance(4 * MINUTE));
    expect(await statusOf(second.id)).toBe('active');
    await ended(second.id, () => clock.advance(MINUTE));
  });
});

describe('an end that cannot be written', () => {
  it('is told all the same, and written as soon as the store takes it', async () => {
    const clock = manualClock();
    await using started = await startService({ browser: 'fake', clock });
    const { service, viewer, store } = started;
    const { session } = await service.start(viewer, plain);
    const commit = store.sessions.commit;
    store.sessions.commit = () => Promise.reject(new Error('database or disk is full'));
    const command = { sessionId: session.id, screenshot: false, signal };
    await expect(service.close(viewer, command)).rejects.toThrow('disk is full');

    expect((await store.sessions.activeSessions()).map(({ id }) => id)).toEqual([session.id]);
    expect((await service.sessions(viewer, [session.id]))[0]?.status).toBe('closed');
    expect((await service.close(viewer, command)).session.status).toBe('closed');
    expect([started.browsers.sessionCount, service.activeSessionCount()]).toEqual([0, 0]);

    store.sessions.commit = commit;
    const changes = service.sessionUpdates(viewer);
    clock.advance(5_000);
    await changes.next();
    expect(await store.sessions.activeSessions()).toEqual([]);
    const events = await service.events(viewer, session.id, 0, 10);
    expect(events.map(({ seq, event }) => [seq, event.type])).toEqual([
      [1, 'created'],
      [2, 'ended'],
    ]);
  });
});
