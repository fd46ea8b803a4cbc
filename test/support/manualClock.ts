import type { Clock } from '../../src/domain/ports/clock.ts';

/** A clock that moves only when a test advances it. */
export interface ManualClock extends Clock {
  /** Advances the time and runs the scheduled callbacks, in order. */
  advance(ms: number): void;
  /** Sets the wall clock forwards or back without time passing. */
  jump(byMs: number): void;
}

export function manualClock(startMs = Date.parse('2026-03-09T12:00:00.000Z')): ManualClock {
  let elapsed = 0;
  let wallOffset = startMs;
  const jumpListeners = new Set<(byMs: number) => void>();
  const timers = new Set<{ at: number; callback: () => void }>();
  return {
    now: () => elapsed + wallOffset,
    monotonicNow: () => elapsed,
    scheduleAfter(ms, callback) {
      const timer = { at: elapsed + ms, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    onJump(listener) {
      jumpListeners.add(listener);
      return () => jumpListeners.delete(listener);
    },
    jump(byMs) {
      wallOffset += byMs;
      for (const listener of [...jumpListeners]) listener(byMs);
    },
    advance(ms) {
      const end = elapsed + ms;
      for (;;) {
        const next = [...timers].filter(timer => timer.at <= end).sort((a, b) => a.at - b.at)[0];
        if (next === undefined) break;
        timers.delete(next);
        elapsed = Math.max(elapsed, next.at);
        next.callback();
      }
      elapsed = end;
    },
  };
}
