/** The settings of a cluster: its database, its message bus, and this node. */
import { z } from 'zod';
import { MAX_SECONDS, optional, path, setting, wholeNumber } from './setting.ts';

/** True for a URL with a host, whose parts can be percent-decoded. */
const isReadable = (text: string): boolean => {
  try {
    const url = new URL(text);
    decodeURIComponent(url.username + url.password + url.pathname);
    return url.hostname !== '';
  } catch {
    return false;
  }
};

const DATABASE_EXAMPLE = 'postgres://user:password@host/database';
const BUS_EXAMPLE = 'nats://host:4222';

const databaseUrl = z
  .string()
  .refine(
    text => /^postgres(ql)?:\/\//.test(text) && isReadable(text),
    `must be an address such as ${DATABASE_EXAMPLE}, with special characters percent-encoded`,
  );

const busUrls = z
  .string()
  .refine(
    text =>
      text.split(',').every(part => /^(nats|tls):\/\/[^/]/.test(part.trim()) && isReadable(part.trim())),
    `must be an address such as ${BUS_EXAMPLE}, or several with commas between them`,
  )
  .transform(text =>
    text
      .split(',')
      .map(part => part.trim())
      .join(','),
  );

/** Characters that are valid in one token of a NATS subject, in a label of a metric and in a log. */
const nodeId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, hyphens and underscores');

/** Settings of a cluster, by their names in `Config`. */
export const CLUSTER_SETTINGS = {
  databaseUrl: setting(
    'DATABASE_URL',
    null,
    optional(databaseUrl),
    'Address of the PostgreSQL database of a cluster: `postgres://user:password@host/database`. Needs `NATS_URL` too. Without both, the service is one machine with an embedded store.',
    { secret: true },
  ),
  natsUrl: setting(
    'NATS_URL',
    null,
    optional(busUrls),
    'Address of the NATS server of a cluster: `nats://` or `tls://`, several servers with commas between them. Needs `DATABASE_URL` too.',
    { secret: true },
  ),
  natsCredentials: setting(
    'NATS_CREDENTIALS',
    null,
    optional(path),
    'Path of the credentials file (`.creds`) for NATS.',
  ),
  natsCa: setting(
    'NATS_CA',
    null,
    optional(path),
    "Path of a PEM file with the certificate authority of the NATS server. The connection then uses TLS. For `tls://` without it, the system's authorities count.",
  ),
  nodeId: setting(
    'PAGESPACE_NODE_ID',
    null,
    optional(nodeId),
    'Name of this node in its cluster, unique there: letters, digits, hyphens and underscores.',
    { defaultDescription: 'host name and a random suffix, kept in the data folder' },
  ),
  drainSeconds: setting(
    'PAGESPACE_DRAIN_SECONDS',
    '0',
    wholeNumber(0, MAX_SECONDS),
    'Seconds that the service waits after SIGTERM until its sessions have ended. It takes no new ones meanwhile, and closes the rest afterwards.',
  ),
} as const;
