/** What each tier may do: one table. Configuration may replace the rows of the tiers that have limits. */
import type { Tier } from './account.ts';

/** Bounds of one account; null where there is none. */
export interface TierLimits {
  /** Sessions that may be active at once. */
  readonly sessionsAtOnce: number | null;
  /** Requests a minute, over both doors and all keys together; a GraphQL operation counts by its root fields. */
  readonly requestsPerMinute: number | null;
  /** Minutes a day (UTC) that its sessions may hold browsers, together. */
  readonly browserMinutesPerDay: number | null;
  /** Upper bound of a session's idle timeout, in minutes; the service's own bound holds beside it. */
  readonly timeoutMinutes: number | null;
}

/** Every tier's limits. */
export type TierTable = Readonly<Record<Tier, TierLimits>>;

/** `free` as the contract has it (section 6); its timeout leaves half an hour's browser to those who pay for it. */
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

const MS_PER_DAY = 86_400_000;

/** When the day (UTC) of a moment began. Both in milliseconds since the epoch. */
export const startOfUtcDay = (at: number): number => Math.floor(at / MS_PER_DAY) * MS_PER_DAY;

/** Whole seconds until the next day (UTC) begins; at least 1. */
export const secondsUntilNextUtcDay = (at: number): number =>
  Math.ceil((startOfUtcDay(at) + MS_PER_DAY - at) / 1_000);
