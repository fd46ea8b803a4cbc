/** The duration of a session, as a number and as text. */
import { endedAt, type Session } from './session.ts';

/**
 * Returns the milliseconds from the start of the session to its end, or to `now` while it is active. Jumps of the wall
 * clock are not counted.
 */
export const durationMs = (session: Session, now: number): number =>
  Math.max(0, (endedAt(session) ?? now) - session.createdAt - (session.clockShiftMs ?? 0));

/** Formats a duration as a whole number with a unit: `0 seconds`, `1 second`, `12 seconds`, `5 minutes`, `2 hours`. */
export function durationText(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 60) return FORMATS.second.format(seconds);
  if (seconds < 3600) return FORMATS.minute.format(Math.floor(seconds / 60));
  return FORMATS.hour.format(Math.floor(seconds / 3600));
}

const unitFormat = (unit: 'second' | 'minute' | 'hour'): Intl.NumberFormat =>
  new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long', useGrouping: false });

// Creating a formatter costs more time than a hundred uses of one.
const FORMATS = { second: unitFormat('second'), minute: unitFormat('minute'), hour: unitFormat('hour') };
