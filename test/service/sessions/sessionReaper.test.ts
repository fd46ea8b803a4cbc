import { describe, expect, it } from 'vitest';
import type { Clock } from '../../../src/domain/ports/clock.ts';
import { endedAt, expiresAt, newSession, type Session } from '../../../src/domain/session/session.ts';
import { transition } from '../../../src/domain/session/sessionTransition.ts';
import { type Expirable, SessionReaper } from '../../../src/service/sessions/sessionReaper.ts';
import { manualClock } from '../../support/manualClock.ts';

const MINUTE = 60_000;

/** A manual clock that counts its pending timers. */
function countingClock() {
  const clock = manualClock();
  const timers = { pending: 0, max: 0 };
  const counting: Clock = {
    now: clock.now,
    monotonicNow: clock.monotonicNow,
    scheduleAfter(ms, callback) {
      timers.max = Math.max(timers.max, ++timers.pending);
      let isPending = true;
      const settle = () => {
        if (isPending) timers.pending--;
        isPending = false;
      };
      const cancel = clock.scheduleAfter(ms, () => {
        settle();
        callback();
      });
      return () => {
        settle();
        cancel();
      };
    },
  };
  return { clock, counting, timers };
}

/** A session without a browser. */
class TestSession implements Expirable {
  session: Session;
  readonly due: number | null;

  constructor(session: Session) {
    this.session = session;
    this.due = expiresAt(session);
  }

  async end(trigger: { type: 'clock'; at: number }): Promise<void> {
    this.session = transition(this.session, trigger);
  }
}

describe('SessionReaper', () => {
  it('times out thousands of sessions exactly to the millisecond with one timer', () => {
    const { clock, counting, timers } = countingClock();
    const startedAt = clock.now();
    const all = Array.from({ length: 5_000 }, (_, n) => {
      const fields = { id: `s${n}`, accountId: 'a', at: startedAt + n, timeoutMinutes: (n % 29) + 1 };
      return new TestSession(newSession(fields));
    });
    const reaper = new SessionReaper(counting, () => all);
    for (const session of all) reaper.schedule(session);
    clock.advance(30 * MINUTE);
    expect(all.every(({ session, due }) => session.status === 'timed_out' && endedAt(session) === due)).toBe(
      true,
    );
    expect(timers).toEqual({ pending: 0, max: 1 });
  });

  it('sets no timer while no session can time out', () => {
    const { clock, counting, timers } = countingClock();
    const busy = new TestSession(newSession({ id: 's', accountId: 'a', at: clock.now(), timeoutMinutes: 1 }));
    busy.session = transition(busy.session, { type: 'operation_started', at: clock.now() });
    const reaper = new SessionReaper(counting, () => [busy]);
    reaper.schedule(busy);
    expect(timers.pending).toBe(0);
    busy.session = transition(busy.session, { type: 'operation_ended', at: clock.now() });
    reaper.schedule(busy);
    clock.advance(MINUTE);
    expect(busy.session.status).toBe('timed_out');
  });

  it('ends no session after stop()', () => {
    const { clock, counting, timers } = countingClock();
    const idle = new TestSession(newSession({ id: 's', accountId: 'a', at: clock.now(), timeoutMinutes: 1 }));
    const reaper = new SessionReaper(counting, () => [idle]);
    reaper.schedule(idle);
    reaper.stop();
    clock.advance(MINUTE);
    expect([idle.session.status, timers.pending]).toEqual(['active', 0]);
  });
});
