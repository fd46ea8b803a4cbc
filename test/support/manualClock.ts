import type { Clock } from '../../src/domain/ports/clock.ts';

/** A clock that stands until a test turns it. */
export interface ManualClock extends Clock {
  /** Moves time and wakes whoever waited for a moment passed, in order. */
  advance(ms: number): void;
  /** Sets the clock by so much: no time passes. */
  jump(byMs: number): void;
}

export function manualClock(startMs = Date.parse('2026-03-09T12:00:00.000Z')): ManualClock {
  let now = startMs;
  const jumped = new Set<(byMs: number) => void>();
  const sleepers = new Set<{ at: number; wake: () => void }>();
  return {
    now: () => now,
    scheduleAt(at, wake) {
      const sleeper = { at, wake };
      sleepers.add(sleeper);
      return () => sleepers.delete(sleeper);
    },
    onJump(tell) {
      jumped.add(tell);
      return () => jumped.delete(tell);
    },
    jump(byMs) {
      now += byMs;
      for (const tell of [...jumped]) tell(byMs);
    },
    advance(ms) {
      const end = now + ms;
      for (;;) {
        const next = [...sleepers].filter(one => one.at <= end).sort((a, b) => a.at - b.at)[0];
        if (next === undefined) break;
        sleepers.delete(next);
        now = Math.max(now, next.at);
        next.wake();
      }
      now = end;
    },
  };
}
