/** The limits of each tier. Configuration can replace the rows of `free` and `pay_as_you_go`. */
import type { Tier } from './account.ts';

/** Limits of one account, set by its tier; null for no limit. */
export interface TierLimits {
  /** Sessions that can be active at once. */
  readonly sessionsAtOnce: number | null;
  /** Requests per minute, across GraphQL, REST and all keys. A GraphQL operation counts by its root fields. */
  readonly requestsPerMinute: number | null;
  /** Browser minutes per day (UTC) of all sessions of the account together. */
  readonly browserMinutesPerDay: number | null;
  /** Maximum idle timeout of a session, in minutes. The service's own maximum applies too. */
  readonly timeoutMinutes: number | null;
}

/** The limits of each tier. */
export type TierTable = Readonly<Record<Tier, TierLimits>>;

/** Default limits of each tier. Those of `free` come from the contract, section 6, with a shorter maximum timeout. */
export const TIER_LIMITS: TierTable = {
  local: {
    sessionsAtOnce: null,
    requestsPerMinute: null,
    browserMinutesPerDay: null,
    timeoutMinutes: null,
  },
  free: { sessionsAtOnce: 2, requestsPerMinute: 60, browserMinutesPerDay: 60, timeoutMinutes: 15 },
  pay_as_you_go: {
    sessionsAtOnce: 50,
    requestsPerMinute: 600,
    browserMinutesPerDay: null,
    timeoutMinutes: 30,
  },
};

/** Milliseconds of a day. */
export const MS_PER_DAY = 86_400_000;

/** Returns the start of the day (UTC) that contains a time. Both in milliseconds since the epoch. */
export const startOfUtcDay = (at: number): number => Math.floor(at / MS_PER_DAY) * MS_PER_DAY;

/** Returns the whole seconds until the next day (UTC); at least 1. */
export const secondsUntilNextUtcDay = (at: number): number =>
  Math.ceil((startOfUtcDay(at) + MS_PER_DAY - at) / 1_000);
