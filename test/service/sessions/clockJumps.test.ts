import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Session } from '../../../src/domain/session/session.ts';
import type { StartCommand } from '../../../src/service/sessions/sessionOperations.ts';
import { type ManualClock, manualClock } from '../../support/manualClock.ts';
import { type StartedService, startService } from '../../support/startService.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const signal = new AbortController().signal;
const plain: StartCommand = { keepAlive: null, timeoutMinutes: null, screenshot: false, signal };

describe('a session', () => {
  let clock: ManualClock;
  let started: StartedService;
  beforeEach(async () => {
    clock = manualClock();
    started = await startService({ browser: 'fake', clock, maxLifetimeMinutes: 12 });
  });
  afterEach(() => started[Symbol.asyncDispose]());

  const start = async (): Promise<Session> => (await started.service.start(started.viewer, plain)).session;
  const statusOf = async (id: string) => (await started.service.sessions(started.viewer, [id]))[0]?.status;

  /** Runs `act` and returns the session after its end. */
  async function ended(id: string, act: () => void): Promise<Session> {
    const updates = started.service.sessionUpdates(started.viewer, { sessionId: id });
    act();
    for await (const { session } of updates) if (session.status !== 'active') return session;
    throw new Error('the updates ended');
  }

  it.each([HOUR, -HOUR])('keeps its remaining time when the clock jumps by %i ms', async byMs => {
    const { id } = await start();
    clock.advance(2 * MINUTE);
    clock.jump(byMs);
    clock.advance(3 * MINUTE - 1);
    await nextTurn();
    expect(await statusOf(id)).toBe('active');
    expect(await ended(id, () => clock.advance(1))).toMatchObject({ status: 'timed_out' });
  });

  it('ends at its maximum lifetime while it is in use, with the reason', async () => {
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

  it('times out at its own time beside another session', async () => {
    const first = await start();
    clock.advance(MINUTE);
    const second = await start();
    await ended(first.id, () => clock.advance(4 * MINUTE));
    expect(await statusOf(second.id)).toBe('active');
    await ended(second.id, () => clock.advance(MINUTE));
  });
});
