/** The wall clock, and word of its being set. */
import type { Clock } from '../domain/ports/clock.ts';

/** setTimeout's longest wait (2^31 - 1 ms); a later time is waited for in pieces. */
const MAX_TIMER_MS = 2_147_483_647;
/** The wall clock was set, or the machine slept, where it moved this much more or less than time ran. Milliseconds. */
const MIN_JUMP_MS = 1_000;

/** Two ways to tell the time, in milliseconds: as the world counts it, and as it passes here, which never jumps. */
export interface TimeSources {
  wall(): number;
  monotonic(): number;
}

/** A clock that tells of jumps as soon as anybody looks at it. */
export function createClock({ wall, monotonic }: TimeSources): Clock {
  const jumped = new Set<(byMs: number) => void>();
  let last = { wall: wall(), run: monotonic() };
  const now = (): number => {
    const next = { wall: wall(), run: monotonic() };
    const byMs = next.wall - last.wall - (next.run - last.run);
    last = next;
    if (Math.abs(byMs) >= MIN_JUMP_MS) for (const tell of [...jumped]) tell(byMs);
    return next.wall;
  };
  return {
    now,
    scheduleAt(atMs, wake) {
      let timer: NodeJS.Timeout;
      const arm = (): void => {
        timer = setTimeout(check, Math.min(MAX_TIMER_MS, Math.max(0, atMs - wall())));
        timer.unref();
      };
      let over = false;
      // Timers may fire a millisecond early, and the wall clock may have been set back.
      const check = (): void => {
        const isTime = now() >= atMs;
        if (over) return;
        if (isTime) wake();
        else arm();
      };
      arm();
      return () => {
        over = true;
        clearTimeout(timer);
      };
    },
    onJump(tell) {
      jumped.add(tell);
      return () => jumped.delete(tell);
    },
  };
}

export const systemClock: Clock = createClock({ wall: () => Date.now(), monotonic: () => performance.now() });
