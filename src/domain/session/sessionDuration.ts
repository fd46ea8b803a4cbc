/** The duration of a session, as a number and as text. */
import { endedAt, isActive, type Session } from './session.ts';

/**
 * Returns the milliseconds from the start of the session to its end, or to `now` while it is active (for the session in the result of an operation: to the end of that). Jumps of the wall
 * clock are not counted.
 */
export const durationMs = (session: Session, now: number): number =>
  Math.max(0, (endedAt(session) ?? asOf(session) ?? now) - session.createdAt - (session.clockShiftMs ?? 0));

const asOf = (session: Session): number | undefined => (isActive(session) ? session.asOf : undefined);

/** Formats a duration as a whole number with a unit: `0 seconds`, `1 second`, `12 seconds`, `5 minutes`, `2 hours`. */
export function durationText(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 60) return FORMATS.second.format(seconds);
  if (seconds < 3600) return FORMATS.minute.format(Math.floor(seconds / 60));
  return FORMATS.hour.format(Math.floor(seconds / 3600));
}

/** Formats a number of minutes, which can be a part of one: `1 minute`, `0.5 minutes`, `30 minutes`. */
export const minutesText = (minutes: number): string => MINUTES.format(minutes);

const unitFormat = (unit: 'second' | 'minute' | 'hour'): Intl.NumberFormat =>
  new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long', useGrouping: false });

// Creating a formatter costs more time than a hundred uses of one.
const MINUTES = new Intl.NumberFormat('en', {
  style: 'unit',
  unit: 'minute',
  unitDisplay: 'long',
  useGrouping: false,
  maximumFractionDigits: 3,
});
const FORMATS = { second: unitFormat('second'), minute: unitFormat('minute'), hour: unitFormat('hour') };
