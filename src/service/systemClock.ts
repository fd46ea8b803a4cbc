import type { Clock } from '../domain/ports/clock.ts';

/** Maximum delay of `setTimeout` (2^31 - 1 ms). `scheduleAfter` uses several timers for a longer wait. */
const MAX_TIMER_MS = 2_147_483_647;
/** A larger change between wall clock and monotonic clock is a jump: the clock was set, or the machine slept. Milliseconds. */
const MIN_JUMP_MS = 1_000;

/** The two clocks of the system, in milliseconds. `wall` (since the epoch) can jump, `monotonic` cannot. */
export interface TimeSources {
  wall(): number;
  monotonic(): number;
}

/** Creates a clock from the two clocks of the system. At each reading of the wall clock it checks for a jump, and calls the listeners of `onJump`. */
export function createClock({ wall, monotonic }: TimeSources): Clock {
  const jumpListeners = new Set<(byMs: number) => void>();
  let last = { wall: wall(), monotonic: monotonic() };
  const now = (): number => {
    const next = { wall: wall(), monotonic: monotonic() };
    // A whole number, like all times: listeners add it to them.
    const byMs = Math.round(next.wall - last.wall - (next.monotonic - last.monotonic));
    last = next;
    if (Math.abs(byMs) >= MIN_JUMP_MS) for (const listener of [...jumpListeners]) listener(byMs);
    return next.wall;
  };
  return {
    now,
    monotonicNow: () => Math.floor(monotonic()),
    scheduleAfter(ms, callback) {
      const end = monotonic() + ms;
      let timer: NodeJS.Timeout;
      const setTimer = (): void => {
        timer = setTimeout(check, Math.min(MAX_TIMER_MS, Math.max(0, end - monotonic())));
        timer.unref();
      };
      let isCancelled = false;
      const check = (): void => {
        // Report a jump of the wall clock before the callback reads a time.
        now();
        if (isCancelled) return;
        // A timer can fire a millisecond early.
        if (monotonic() >= end) callback();
        else setTimer();
      };
      setTimer();
      return () => {
        isCancelled = true;
        clearTimeout(timer);
      };
    },
    onJump(listener) {
      jumpListeners.add(listener);
      return () => jumpListeners.delete(listener);
    },
  };
}

/** The clock of the system, which reports its jumps. The running service takes all times and durations from it. */
export const systemClock: Clock = createClock({ wall: () => Date.now(), monotonic: () => performance.now() });
