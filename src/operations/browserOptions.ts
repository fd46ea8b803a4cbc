import { z } from 'zod';
import { Failure, type FieldError } from '../domain/failure/failures.ts';
import type {
  BlockedKind,
  BrowserOptions,
  ChangeableOptions,
  ColorScheme,
  Cookie,
  Permission,
  ReducedMotion,
} from '../domain/session/browserOptions.ts';
import { toStorageState } from '../domain/session/storageState.ts';
import {
  enumTable,
  field,
  type Group,
  type RequestFields,
  type RequestOf,
  requestFields,
  required,
} from './field.ts';

export const colorScheme = enumTable<ColorScheme>('ColorScheme', 'The value of `prefers-color-scheme`.', {
  light: 'Light.',
  dark: 'Dark.',
  'no-preference': 'No preference.',
});

export const reducedMotion = enumTable<ReducedMotion>(
  'ReducedMotion',
  'The value of `prefers-reduced-motion`.',
  { reduce: 'Less motion.', 'no-preference': 'No preference.' },
);

export const permission = enumTable<Permission>(
  'Permission',
  'A permission that pages have without a prompt.',
  {
    geolocation: 'The location, which `geolocation` sets.',
    camera: 'The camera; the machine has none.',
    microphone: 'The microphone; the machine has none.',
    'storage-access': 'Cookies and storage of a frame of another site.',
    accelerometer: 'The accelerometer.',
    gyroscope: 'The gyroscope.',
    magnetometer: 'The magnetometer.',
    'ambient-light-sensor': 'The ambient light sensor.',
  },
);

export const blockedKind = enumTable<BlockedKind>('BlockedKind', 'A kind of requests that are not sent.', {
  media: 'Sound and video.',
  fonts: 'Fonts.',
  images: 'Pictures.',
  ads: 'Requests to companies that the lists of `third-party-web` call `ad`, of pages that are not theirs. Companies that also serve what people see, such as video players, are left out.',
  trackers:
    'Requests to those that the lists call `analytics` or `tag-manager`, of pages that are not theirs, with the same exceptions.',
});

const group = <const Fields extends RequestFields>(
  name: string,
  description: string,
  fields: Fields,
  rule?: Group['rule'],
): Group<Fields> => ({ kind: 'group', name, description, fields, ...(rule !== undefined && { rule }) });

const text = (max: number) =>
  z
    .string()
    .min(1, 'must not be empty')
    .max(max, `must be at most ${max.toLocaleString('en')} characters`)
    .regex(/^\P{Cc}*$/u, 'must hold no control characters');

/** Returns true for scheme, host and port of the web, without a path. */
export const isOrigin = (origin: string): boolean => {
  const url = URL.parse(origin);
  return url !== null && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href;
};
const originField = {
  type: 'String',
  required: true,
  description:
    'The origin that gets it, and no other: scheme, host and port, such as `https://api.example.com`.',
  check: z
    .string()
    .max(500, 'must be at most 500 characters')
    .refine(isOrigin, 'must be an origin such as https://api.example.com, without path'),
  examples: ['https://api.example.com'],
} as const;

/** Headers that say where a request goes and how it is framed: the browser alone sets them. RFC 9110, Fetch. */
const FORBIDDEN_HEADER =
  /^(?:accept-encoding|connection|content-length|cookie2?|date|dnt|expect|host|keep-alive|origin|set-cookie2?|te|trailer|transfer-encoding|upgrade|via|proxy-.*|sec-.*)$/i;

const viewport = group('ViewportInput', 'The size of the page in CSS pixels.', {
  width: required('Int', 'Width.', { check: z.int('must be a whole number').min(100).max(4_096) }),
  height: required('Int', 'Height.', { check: z.int('must be a whole number').min(100).max(4_096) }),
});

const geolocation = group('GeolocationInput', 'The place that pages read.', {
  latitude: required('Float', 'Degrees north.', { check: z.number('must be a number').min(-90).max(90) }),
  longitude: required('Float', 'Degrees east.', { check: z.number('must be a number').min(-180).max(180) }),
  accuracy: field('Float', 'Metres.', {
    check: z.number('must be a number').min(0).max(100_000),
    default: 0,
  }),
});

const header = group('HeaderInput', 'A header of the requests to one origin.', {
  origin: originField,
  name: required('String', 'The name of the header.', {
    check: z
      .string()
      .max(200, 'must be at most 200 characters')
      .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'must be the name of a header')
      .refine(name => !FORBIDDEN_HEADER.test(name), 'must be no header that the browser alone sets'),
    examples: ['X-Api-Key'],
  }),
  value: required('String', 'The value, in ASCII. Never returned.', {
    check: z
      .string()
      .max(8_000, 'must be at most 8,000 characters')
      .regex(/^[\x20-\x7e]*$/, 'must be printable ASCII'),
  }),
});

const httpCredentials = group(
  'HttpCredentialsInput',
  'The user that the browser names when one origin asks (401).',
  {
    origin: originField,
    username: required('String', 'The user name.', { check: text(255) }),
    password: required('String', 'The password. Never returned.', {
      check: z.string().max(255, 'must be at most 255 characters'),
    }),
  },
);

const sameSite = enumTable<'strict' | 'lax' | 'none'>(
  'SameSite',
  'Which requests of other sites have the cookie.',
  {
    strict: 'None.',
    lax: 'Those that open a page.',
    none: 'All; needs `secure`.',
  },
);

const cookie = group(
  'CookieInput',
  'A cookie.',
  {
    name: required('String', 'Name.', { check: text(4_096) }),
    value: required('String', 'Value. Never returned.', {
      check: z.string().max(4_096, 'must be at most 4,096 characters'),
    }),
    domain: required('String', 'The host; with a leading dot also its subdomains.', {
      check: text(255),
      examples: ['shop.example.com'],
    }),
    path: field('String', 'Path.', { check: text(1_000).startsWith('/', 'must begin with /'), default: '/' }),
    expires: field('Float', 'End, in seconds since the epoch. Default: a cookie of the session.', {
      check: z.number('must be a number').min(-1).max(8_640_000_000_000),
    }),
    httpOnly: field('Boolean', 'Hidden from scripts.', { default: false }),
    secure: field('Boolean', 'Only for HTTPS.', { default: false }),
    sameSite: field(sameSite, 'Which requests of other sites have it.', { default: 'lax' }),
  },
  {
    holds: ({ sameSite: value, secure }) => value !== 'none' || secure === true,
    field: 'sameSite',
    message: 'none needs secure',
  },
);

export const profileMode = enumTable<'read' | 'write'>(
  'ProfileMode',
  'The ways in which a session uses a profile.',
  {
    read: 'The profile stays as it is. Any number of sessions can read it.',
    write:
      'What the browser keeps is written within seconds of each operation, and at the end; a new profile is created. One session at a time; another one is PROFILE_IN_USE.',
  },
);

export const profileName = z
  .string()
  .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._@-]{0,99}$/u, 'must be 1 to 100 letters, digits, spaces and . _ @ -');

const profile = group('ProfileInput', 'A profile, and what the session does with it.', {
  name: required('String', 'The name of the profile.', { check: profileName, examples: ['shop'] }),
  mode: field(profileMode, 'The use of the profile: to read it, or to change it too.', { default: 'read' }),
});

const hasLocale = (locale: string): boolean => {
  try {
    return Intl.getCanonicalLocales(locale).length === 1;
  } catch {
    return false;
  }
};
const hasTimezone = (timezone: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: timezone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};

export const changeableFields = requestFields({
  viewport: field(viewport, 'Size of the page in CSS pixels. Default: that of `device`, else 1280 x 720.'),
  geolocation: field(geolocation, 'The place that pages read; it gives them the permission `geolocation`.'),
  permissions: field(
    [permission],
    'Permissions of all pages, which replace the present ones. Others are denied.',
  ),
  headers: field(
    [header],
    'Headers of the requests to an origin, at most 50; redirects to other origins lose them, and WebSockets do not have them. They turn off the HTTP cache of the session.',
  ),
  cookies: field([cookie], 'Cookies that the session gets, at most 1,000.'),
  block: field(
    [blockedKind],
    'Kinds of requests that are not sent, by tabs, popups, frames and workers. It turns off the HTTP cache of the session.',
  ),
});

export const browserFields = requestFields({
  ...changeableFields,
  device: field(
    'String',
    "A device of Playwright's table: its viewport, scale, touch and user agent, drawn by Chromium. `viewport` and `userAgent` go before it.",
    { check: text(100), examples: ['iPhone 15'] },
  ),
  userAgent: field(
    'String',
    'The user agent of pages, workers and their requests; the client hints and the platform follow it. Two requests do not tell it: the browser looks for a new version of a service worker with the default, and the first request of a window that a service worker answers has blank client hints. Default: that of Chromium.',
    { check: text(500).regex(/^[\x20-\x7e]*$/, 'must be printable ASCII') },
  ),
  locale: field('String', 'Language of pages and of their requests (BCP 47). Default: en-US.', {
    check: text(35).refine(hasLocale, 'must be a language such as de-DE'),
    examples: ['de-DE'],
  }),
  timezone: field('String', 'Time zone of pages (IANA). Default: that of the service.', {
    check: text(60).refine(hasTimezone, 'must be a time zone such as Europe/Berlin'),
    examples: ['Europe/Berlin'],
  }),
  colorScheme: field(colorScheme, 'The value of `prefers-color-scheme`. Default: LIGHT.'),
  reducedMotion: field(reducedMotion, 'The value of `prefers-reduced-motion`. Default: NO_PREFERENCE.'),
  dismissBanners: field(
    'Boolean',
    'true: refuse what a consent banner asks for, if it has a button for that, on each page that is opened by its address or scraped. Nothing is ever accepted.',
    { default: false },
  ),
  httpCredentials: field(
    [httpCredentials],
    'User names and passwords for origins that ask (401), at most 50. They turn off the HTTP cache.',
  ),
  profile: field(
    profile,
    'A profile of the account: the session begins with its cookies (session cookies too), localStorage and IndexedDB. Other storage, such as caches and service workers, is not kept.',
  ),
  storageState: field(
    'JSON',
    "Cookies, localStorage and IndexedDB in the form of Playwright's `storageState`, up to 4 MB: the session begins with them.",
  ),
});

const MAX_ITEMS = 50;
const MAX_COOKIES = 1_000;

/** Converts the options that can change. @throws Failure VALIDATION_ERROR */
export function toChangeableOptions(request: RequestOf<typeof changeableFields>): ChangeableOptions {
  const { viewport: size, geolocation: place, permissions, headers, cookies, block } = request;
  assertLengths([
    ['headers', headers, MAX_ITEMS],
    ['cookies', cookies, MAX_COOKIES],
  ]);
  return {
    ...(size != null && { viewport: size }),
    ...(place != null && {
      geolocation: {
        latitude: place.latitude,
        longitude: place.longitude,
        ...(place.accuracy != null && { accuracy: place.accuracy }),
      },
    }),
    ...(permissions != null && { permissions: [...new Set(permissions)] }),
    ...(headers != null && {
      headers: headers.map(each => ({ ...each, origin: new URL(each.origin).origin })),
    }),
    ...(cookies != null && { cookies: cookies.map(toCookie) }),
    ...(block != null && { block: [...new Set(block)] }),
  };
}

const SAME_SITES = { strict: 'Strict', lax: 'Lax', none: 'None' } as const;

const toCookie = (one: RequestOf<(typeof cookie)['fields']>): Cookie => ({
  name: one.name,
  value: one.value,
  domain: one.domain,
  path: one.path ?? '/',
  expires: one.expires ?? -1,
  httpOnly: one.httpOnly ?? false,
  secure: one.secure ?? false,
  sameSite: SAME_SITES[one.sameSite ?? 'lax'],
});

/** Converts the options of a new session; null without any. @throws Failure VALIDATION_ERROR */
export function toBrowserOptions(request: RequestOf<typeof browserFields>): BrowserOptions | null {
  const { device, userAgent, locale, timezone, httpCredentials: users, storageState } = request;
  const { colorScheme: scheme, reducedMotion: motion } = request;
  assertLengths([['httpCredentials', users, MAX_ITEMS]]);
  const options: BrowserOptions = {
    ...toChangeableOptions(request),
    ...(device != null && { device }),
    ...(userAgent != null && { userAgent }),
    ...(locale != null && { locale: Intl.getCanonicalLocales(locale)[0] ?? locale }),
    ...(timezone != null && { timezone }),
    ...(scheme != null && { colorScheme: scheme }),
    ...(motion != null && { reducedMotion: motion }),
    ...(request.dismissBanners === true && { dismissBanners: true }),
    ...(users != null && {
      httpCredentials: users.map(each => ({ ...each, origin: new URL(each.origin).origin })),
    }),
    ...(storageState != null && { storageState: toStorageState(storageState) }),
  };
  return Object.keys(options).length === 0 ? null : options;
}

function assertLengths(
  lists: readonly (readonly [string, readonly unknown[] | null | undefined, number])[],
): void {
  const errors = lists.flatMap(([path, list, max]): FieldError[] =>
    list != null && list.length > max
      ? [{ path, message: `must be at most ${max.toLocaleString('en')} entries` }]
      : [],
  );
  if (errors.length > 0)
    throw new Failure(
      'VALIDATION_ERROR',
      errors.map(({ path, message }) => `${path} ${message}`).join('; '),
      { errors },
    );
}
