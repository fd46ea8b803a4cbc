import { isIP } from 'node:net';
import { z } from 'zod';

/** One environment variable: its schema, its default and its description. */
export interface Setting<Schema extends z.ZodType> {
  readonly variable: string;
  readonly schema: Schema;
  /** The text that is parsed when the variable is unset or empty; null for no value. */
  readonly default: string | null;
  /** Text for the default in the table of docs/configuration.md, if `default` itself would be unclear. */
  readonly defaultDescription?: string;
  /** The meaning of the variable, for the table of docs/configuration.md. */
  readonly description: string;
  /** True if error messages must not contain the value. */
  readonly secret?: boolean;
}

export const setting = <Schema extends z.ZodType>(
  variable: string,
  text: string | null,
  schema: Schema,
  description: string,
  more: { defaultDescription?: string; secret?: boolean } = {},
): Setting<Schema> => ({ variable, default: text, schema, description, ...more });

const MAX_QUOTED_CHARACTERS = 100;

/** Returns a wrong value for an error: in quotes, cut, and in ASCII, because a terminal obeys other characters or hides them. */
export function quoteValue(value: string | undefined): string {
  const cut = (value ?? '').slice(0, MAX_QUOTED_CHARACTERS);
  const quoted = JSON.stringify(cut).replace(
    /[^ -~]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return cut.length < (value ?? '').length ? `${quoted} and more` : quoted;
}

export const wholeNumber = (from: number, to: number) =>
  z
    .string()
    .refine(
      text => /^\d{1,12}$/.test(text) && Number(text) >= from && Number(text) <= to,
      `must be a whole number from ${from} to ${to}`,
    )
    .transform(Number);

export const oneOf = <const Words extends readonly [string, ...string[]]>(...allowed: Words) =>
  z.enum(allowed, `must be one of ${allowed.join(', ')}`);

/** Schema of a URL with one of the protocols. @param example shown in the error, which never shows the value */
export const urlText = (protocols: RegExp, example: string) =>
  z.url({ protocol: protocols, error: `must be an address such as ${example}` });

/** Schema of such a URL without user name and password, which `fetch` refuses, and without fragment. */
export const publicUrlText = (protocols: RegExp, example: string) =>
  urlText(protocols, example).refine(text => {
    const { username, password } = URL.parse(text) ?? { username: '', password: '' };
    return username === '' && password === '' && !text.includes('#');
  }, 'must have no user name, password and fragment');

/** Schema of such a URL without a query too: other URLs are made of it. */
export const baseUrlText = (protocols: RegExp, example: string) =>
  publicUrlText(protocols, example).refine(text => !text.includes('?'), 'must have no query');

/** Schema of a host name or an IP address, without brackets, scheme and port. */
export const hostName = z
  .string()
  .trim()
  .refine(
    text =>
      (isIP(text) !== 0 && !text.includes('%')) || (/^[\w.-]+$/.test(text) && URL.canParse(`http://${text}`)),
    'must be a host name or an IP address, such as 127.0.0.1 or ::',
  );

/** Schema of the practice shop: `auto`, a port, or null for `off`. */
export const practiceShop = z
  .string()
  .refine(
    text => /^(auto|off|\d{1,5})$/.test(text) && !(Number(text) > 65_535),
    'must be auto, off, or a port from 0 to 65535',
  )
  .transform(text => (text === 'off' ? null : text === 'auto' ? ('auto' as const) : Number(text)));

/** Schema of exact origins, separated by commas. */
export const origins = z.string().transform((text, ctx) => {
  const given = text
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '');
  for (const each of given)
    if (!/^https?:[^*]*$/.test(each) || URL.parse(each)?.origin !== each)
      ctx.addIssue({
        code: 'custom',
        message: 'must be exact origins, such as https://dashboard.example.com or http://localhost:5173',
      });
  return given;
});

export const optional = <Schema extends z.ZodType>(schema: Schema) => schema.nullable();

export const path = z.string().trim().min(1, 'must not be blank');

/** Maximum of every setting in seconds: one week. In milliseconds it is still below the limit of a timer (2^31). */
export const MAX_SECONDS = 604_800;

/** Schema of keys of 32 bytes in Base64 or hexadecimal, separated by commas. */
export const secretsKeysText = z.string().transform((text, ctx): readonly Buffer[] => {
  const keys = text
    .split(',')
    .map(each => each.trim())
    .map(each => Buffer.from(each, /^[0-9a-f]{64}$/i.test(each) ? 'hex' : 'base64'));
  if (keys.some(key => key.length !== 32))
    ctx.addIssue({ code: 'custom', message: 'must be 32 bytes in Base64 or hexadecimal' });
  return keys;
});

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
