import { z } from 'zod';
import { parseProxyUrl, type UpstreamProxy } from '../domain/session/upstreamProxy.ts';
import { browserFields, toBrowserOptions } from './browserOptions.ts';
import { namingFields, recordMode } from './edits.ts';
import { field, type Group, type RequestOf, requestFields, required } from './field.ts';
import { operation } from './operation.ts';
import { commonFields, targetFields, timeoutFields, toCommonOptions } from './page.ts';

/** Schema of a spend cap: the maximum total charge of a key or session, in micro-units. */
export const spendCap = z.int('must be a whole number').min(1, 'must be above 0');

/** Returns true if SOCKS can send the text as user name or password: it has at most 255 bytes (RFC 1929). */
const fitsSocksLimit = (text: string): boolean => Buffer.byteLength(text) <= 255;
const TOO_MANY_BYTES = 'must be at most 255 bytes in UTF-8';

export const proxyFields = requestFields({
  server: required(
    'String',
    'The URL of the proxy: `http://proxy.example:3128`, `https://…` or `socks5://…`. The proxy must allow CONNECT to the ports of the pages, port 80 included.',
    {
      check: z
        .string()
        .trim()
        .max(1_000, 'must be at most 1,000 characters')
        .refine(
          text => parseProxyUrl(text) !== null,
          'must be the address of an http, https or socks5 proxy such as http://proxy.example:3128, without user name or path',
        ),
      examples: ['http://proxy.example:3128'],
    },
  ),
  username: {
    type: 'String',
    description: 'The user name for the proxy, up to 255 bytes, without a colon. Never returned.',
    // A colon would end the name (RFC 7617).
    check: z
      .string()
      .min(1, 'must not be empty')
      .max(255, 'must be at most 255 characters')
      .refine(fitsSocksLimit, TOO_MANY_BYTES)
      .regex(/^[^:\p{Cc}]*$/u, 'must hold no colon and no control characters'),
  },
  password: field(
    'String',
    'The password of that user, up to 255 bytes. Requires `username`. Never returned.',
    {
      check: z
        .string()
        .max(255, 'must be at most 255 characters')
        .refine(fitsSocksLimit, TOO_MANY_BYTES)
        .regex(/^\P{Cc}*$/u, 'must hold no control characters'),
    },
  ),
});

const proxy: Group<typeof proxyFields> = {
  kind: 'group',
  name: 'ProxyInput',
  description:
    'A proxy for the requests of a session. The proxy receives IP addresses; host names are resolved here. Blocked addresses stay blocked, and the proxy itself must have an allowed address.',
  fields: proxyFields,
  rule: {
    holds: ({ username, password }) => password == null || username != null,
    field: 'password',
    message: 'needs username',
  },
};

/** Maximum of `maxLifetimeMinutes`: a week. */
const MAX_LIFETIME_MINUTES = 10_080;

export const start = operation({
  name: 'startSession',
  title: 'Start a session',
  description:
    'Starts a session and returns its id. A session is a browser context of its own. It stays active until it is closed, times out or fails. Errors: AT_CAPACITY, CONCURRENCY_LIMIT, QUOTA_EXHAUSTED and BALANCE_EXHAUSTED, among others.',
  scope: 'operate',
  request: { name: 'StartSessionInput', description: 'Options of a new session. Every field is optional.' },
  fields: requestFields({
    ...commonFields,
    ...timeoutFields,
    spendCapMicros: field(
      'SafeInt',
      'Maximum that the session may cost, in micro-units, above 0. Once it is reached, operations in the session are refused with BALANCE_EXHAUSTED. Default: no limit.',
      { check: spendCap },
    ),
    proxy: field(proxy, 'A proxy for the requests of the session. Default: the service connects directly.'),
    ...browserFields,
    url: {
      ...targetFields.url,
      description:
        'The absolute URL to open at once. If it does not open, no session is started. Default: none.',
    },
    maxLifetimeMinutes: field(
      'Int',
      'Maximum lifetime in minutes: the session ends then, even if it is in use. At most the maximum of the service. Default: that maximum, if there is one.',
      { check: z.int('must be a whole number of minutes').min(1).max(MAX_LIFETIME_MINUTES) },
    ),
    ...namingFields,
    record: field(
      recordMode,
      'The pictures that the record of the session keeps. Default: `PAGESPACE_RECORD`.',
    ),
  }),
  run: async (request, context, selection) =>
    context.service.start(context.viewer, {
      ...toCommonOptions(request, context, selection),
      // A started session always stays active, so `keepAlive` has no effect.
      keepAlive: null,
      timeoutMinutes: request.sessionTimeoutMinutes ?? null,
      spendCapMicros: request.spendCapMicros ?? null,
      proxy: toUpstreamProxy(request.proxy),
      options: toBrowserOptions(request),
      profile:
        request.profile == null ? null : { name: request.profile.name, mode: request.profile.mode ?? 'read' },
      url: request.url ?? null,
      maxLifetimeMinutes: request.maxLifetimeMinutes ?? null,
      name: request.name === '' ? null : (request.name ?? null),
      labels: request.labels ?? [],
      ...(request.record != null && { record: request.record }),
    }),
});

/** Converts the validated proxy to that of a session; null without a proxy. */
function toUpstreamProxy(input: RequestOf<typeof proxyFields> | null | undefined): UpstreamProxy | null {
  const server = input == null ? null : parseProxyUrl(input.server);
  if (input == null || server === null) return null;
  const { username, password } = input;
  return { ...server, credentials: username == null ? null : { username, password: password ?? '' } };
}
