import { describe, expect, it } from 'vitest';
import type { Clock } from '../../../src/domain/ports/clock.ts';
import { endedAt, expiresAt, newSession, type Session } from '../../../src/domain/session.ts';
import { transition } from '../../../src/domain/sessionTransition.ts';
import { type Expirable, SessionReaper } from '../../../src/service/sessions/sessionReaper.ts';
import { manualClock } from '../../support/manualClock.ts';

const MINUTE = 60_000;

/** A clock that counts the timers that are set on it. */
function countedClock() {
  const clock = manualClock();
  const set = { now: 0, most: 0 };
  const counted: Clock = {
    now: clock.now,
    scheduleAt(at, wake) {
      set.most = Math.max(set.most, ++set.now);
      let isSet = true;
      const unset = () => {
        if (isSet) set.now--;
        isSet = false;
      };
      const cancel = clock.scheduleAt(at, () => {
        unset();
        wake();
      });
      return () => {
        unset();
        cancel();
      };
    },
  };
  return { clock, counted, set };
}

/** A session and nothing else. */
class Bare implements Expirable {
  session: Session;
  /** When it was due. */
  readonly due: number | null;

  constructor(session: Session) {
    this.session = session;
    this.due = expiresAt(session);
  }

  async end(trigger: { type: 'clock'; at: number }): Promise<void> {
    this.session = transition(this.session, trigger);
  }
}

describe('the reaper', () => {
  it('times thousands of sessions out, each to the millisecond, by one timer', () => {
    const { clock, counted, set } = countedClock();
    const begins = clock.now();
    const all = Array.from({ length: 5_000 }, (_, n) => {
      const facts = { id: `s${n}`, accountId: 'a', at: begins + n, timeoutMinutes: (n % 29) + 1 };
      return new Bare(newSession(facts));
    });
    const reaper = new SessionReaper(counted, () => all);
    for (const one of all) reaper.schedule(one);
    clock.advance(30 * MINUTE);
    expect(all.every(({ session, due }) => session.status === 'timed_out' && endedAt(session) === due)).toBe(
      true,
    );
    expect(set).toEqual({ now: 0, most: 1 });
  });

  it('sleeps while nothing can time out, and is woken by what can', () => {
    const { clock, counted, set } = countedClock();
    const busy = new Bare(newSession({ id: 's', accountId: 'a', at: clock.now(), timeoutMinutes: 1 }));
    busy.session = transition(busy.session, { type: 'operation_started', at: clock.now() });
    const reaper = new SessionReaper(counted, () => [busy]);
    reaper.schedule(busy);
    expect(set.now).toBe(0);
    busy.session = transition(busy.session, { type: 'operation_ended', at: clock.now() });
    reaper.schedule(busy);
    clock.advance(MINUTE);
    expect(busy.session.status).toBe('timed_out');
  });

  it('ends nobody once it is stopped', () => {
    const { clock, counted, set } = countedClock();
    const one = new Bare(newSession({ id: 's', accountId: 'a', at: clock.now(), timeoutMinutes: 1 }));
    const reaper = new SessionReaper(counted, () => [one]);
    reaper.schedule(one);
    reaper.stop();
    clock.advance(MINUTE);
    expect([one.session.status, set.now]).toEqual(['active', 0]);
  });
});
