/** The wall clock. */
import type { Clock } from '../domain/ports.ts';

/** setTimeout's longest wait (2^31 - 1 ms); a later time is waited for in pieces. */
const LONGEST_MS = 2_147_483_647;

export const systemClock: Clock = {
  now: () => Date.now(),
  wakeAt(atMs, wake) {
    let timer: NodeJS.Timeout;
    const arm = () => {
      const left = atMs - Date.now();
      timer = setTimeout(left > LONGEST_MS ? arm : check, Math.min(LONGEST_MS, Math.max(0, left)));
      timer.unref();
    };
    // Timers may fire a millisecond early, and the wall clock may have been set back.
    const check = () => (Date.now() >= atMs ? wake() : arm());
    arm();
    return () => clearTimeout(timer);
  },
};
