/** Parses settings that hold several whole numbers in one text: limits and prices. */
import { z } from 'zod';
import { quoteValue } from './setting.ts';

interface NumberRange {
  readonly from: number;
  readonly to: number;
  /** True when `none` (no limit) is allowed. */
  readonly orNone: boolean;
}

/** Creates a schema that parses one text of named whole numbers, such as `sessions=2 requests=none`. All names are required. */
const namedNumbers = <const Names extends string>(known: Readonly<Record<Names, NumberRange>>) =>
  z.string().transform((text, ctx) => {
    const parts = text.trim().split(/\s+/);
    const values = new Map(parts.map(part => splitAt(part, part.indexOf('='))));
    const addIssue = (message: string) => ctx.addIssue({ code: 'custom', message });
    if (values.size < parts.length) addIssue('names one number twice');
    const read: Record<string, number | null> = {};
    for (const [name, { from, to, orNone }] of Object.entries<NumberRange>(known)) {
      const value = values.get(name) ?? '';
      values.delete(name);
      const fits = /^\d{1,12}$/.test(value) && Number(value) >= from && Number(value) <= to;
      read[name] = fits ? Number(value) : null;
      if (!fits && !(orNone && value === 'none'))
        addIssue(`needs ${name}=${orNone ? 'none or ' : ''}a whole number from ${from} to ${to}`);
    }
    for (const unknown of values.keys()) addIssue(`has the unknown name ${quoteValue(unknown)}`);
    // The cast is safe: every name was set above, and a null without `orNone` has an issue.
    return read as Record<Names, number | null>;
  });

const splitAt = (part: string, at: number): [string, string] =>
  at === -1 ? [part, ''] : [part.slice(0, at), part.slice(at + 1)];

const limitUpTo = (to: number): NumberRange => ({ from: 1, to, orNone: true });

/** Schema that parses the limits of a tier: `sessions=2 requests=60 minutes=60 timeout=15`, `none` for no limit. */
export const tierLimits = namedNumbers({
  sessions: limitUpTo(100_000),
  requests: limitUpTo(1_000_000),
  minutes: limitUpTo(1_000_000),
  timeout: limitUpTo(30),
}).transform(read => ({
  sessionsAtOnce: read.sessions,
  requestsPerMinute: read.requests,
  browserMinutesPerDay: read.minutes,
  timeoutMinutes: read.timeout,
}));

/** Schema that parses the maximum number of connections, in total and per network address: `all=10000 address=1000`. */
export const connectionLimits = namedNumbers({
  all: limitUpTo(1_000_000),
  address: limitUpTo(1_000_000),
}).transform(({ all, address }) => ({ total: all, perAddress: address }));

/** Schema that parses the limits of a session: `pages=500 requests=100000 traffic=10000 memory=2000 processor=600` (megabytes, minutes). */
export const sessionLimits = namedNumbers({
  pages: limitUpTo(1_000_000),
  requests: limitUpTo(1_000_000_000),
  traffic: limitUpTo(100_000_000),
  memory: { from: 100, to: 1_000_000, orNone: true },
  processor: limitUpTo(1_000_000),
}).transform(({ pages, requests, traffic, memory, processor }) => ({
  pages,
  requests,
  trafficBytes: traffic === null ? null : traffic * 1_000_000,
  memoryBytes: memory === null ? null : memory * 1_000_000,
  processorMs: processor === null ? null : processor * 60_000,
}));

const price: NumberRange = { from: 0, to: 1_000_000_000_000, orNone: false };

/** Schema that parses the prices, in micro-units: `minute=2000 start=0 observe=500 …`. */
export const prices = namedNumbers({
  minute: price,
  start: price,
  observe: price,
  step: price,
  scrape: price,
  upload: price,
}).transform(({ minute, start, observe, step, scrape, upload }) => ({
  browserMinute: minute ?? 0,
  operation: {
    start: start ?? 0,
    observe: observe ?? 0,
    step: step ?? 0,
    scrape: scrape ?? 0,
    upload: upload ?? 0,
  },
}));
