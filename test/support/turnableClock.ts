import type { Clock } from '../../src/domain/ports.ts';

/** A clock that stands until a test turns it. */
export interface TurnableClock extends Clock {
  /** Moves time and wakes whoever waited for a moment passed, in order. */
  turn(ms: number): void;
  /** Sets the clock by so much: no time passes. */
  set(byMs: number): void;
}

export function turnableClock(startMs = Date.parse('2026-03-09T12:00:00.000Z')): TurnableClock {
  let now = startMs;
  const jumped = new Set<(byMs: number) => void>();
  const sleepers = new Set<{ at: number; wake: () => void }>();
  return {
    now: () => now,
    wakeAt(at, wake) {
      const sleeper = { at, wake };
      sleepers.add(sleeper);
      return () => sleepers.delete(sleeper);
    },
    onJump(tell) {
      jumped.add(tell);
      return () => jumped.delete(tell);
    },
    set(byMs) {
      now += byMs;
      for (const tell of [...jumped]) tell(byMs);
    },
    turn(ms) {
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
