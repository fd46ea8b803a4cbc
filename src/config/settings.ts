/** The table of settings, one environment variable each. `npm run docs` writes it to docs/configuration.md. */
import { z } from 'zod';
import {
  baseUrlText,
  connectionLimits,
  hostName,
  MAX_SECONDS,
  oneOf,
  optional,
  origins,
  path,
  practiceShop,
  prices,
  publicUrlText,
  type Setting,
  secretsKeysText,
  sessionLimits,
  setting,
  tierLimits,
  urlText,
  wholeNumber,
} from './setting.ts';

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
const CLUSTER_SETTINGS = {
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

const ratio = z
  .string()
  .refine(text => /^(0(\.\d+)?|1(\.0+)?)$/.test(text), 'must be a number from 0 to 1')
  .transform(Number);

/** Settings of metrics and traces, by their names in `Config`. */
const TELEMETRY_SETTINGS = {
  metricsToken: setting(
    'PAGESPACE_METRICS_TOKEN',
    null,
    optional(z.string().trim().min(16, 'must have at least 16 characters')),
    'A bearer token that may read `/metrics`, for Prometheus. Without it, only this machine and keys of the operator may.',
    { secret: true },
  ),
  otlpEndpoint: setting(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    null,
    optional(urlText(/^https?$/, 'http://collector:4318')),
    'Address of an OpenTelemetry collector (OTLP over HTTP). The service then sends a trace of each request; without it, none. `OTEL_EXPORTER_OTLP_HEADERS` and the other variables of the exporter count too.',
    { secret: true },
  ),
  otelServiceName: setting(
    'OTEL_SERVICE_NAME',
    'pagespace',
    z.string().trim().min(1, 'must not be blank'),
    'Name of the service in traces.',
  ),
  traceRatio: setting(
    'OTEL_TRACES_SAMPLER_ARG',
    '1',
    ratio,
    'The part of the traces that is recorded, from 0 to 1. The id of a trace decides, so all nodes decide alike.',
  ),
} as const;

/** All settings of the service, by their names in `Config`. Each is one environment variable. */
export const SETTINGS = {
  host: setting('HOST', '127.0.0.1', hostName, 'The network interface that the service listens on.'),
  port: setting(
    'PORT',
    '4000',
    wholeNumber(0, 65_535),
    'The port that the service listens on; 0 selects a free port.',
  ),
  ...CLUSTER_SETTINGS,
  ...TELEMETRY_SETTINGS,
  chromiumPath: setting(
    'CHROMIUM_PATH',
    null,
    optional(path),
    "Path of the Chromium executable. By default the service uses Playwright's browser, otherwise the system's; headless shell is preferred.",
  ),
  logLevel: setting(
    'LOG_LEVEL',
    'info',
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'Lowest level that is logged: `fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`. The log goes to standard error, as lines of JSON if that is not a terminal.',
  ),
  dataDir: setting(
    'PAGESPACE_DATA_DIR',
    './data',
    path,
    'The folder of the store, the files of sessions and the browser registry. One service at a time can use it.',
  ),
  publicUrl: setting(
    'PAGESPACE_PUBLIC_URL',
    null,
    optional(
      baseUrlText(/^https?$/, 'https://pagespace.example.com').transform(url => url.replace(/\/+$/, '')),
    ),
    'The URL under which clients reach the service; wallet sign-in, cookies and the dashboard use it.',
    { defaultDescription: 'from `HOST` and `PORT`' },
  ),
  egressAllow: setting(
    'PAGESPACE_EGRESS_ALLOW',
    '',
    z.string(),
    'Private targets that pages may reach: hosts, networks or host:port, separated by commas, such as `127.0.0.1:8080,10.1.0.0/16`.',
    { defaultDescription: 'none' },
  ),
  practiceShop: setting(
    'PAGESPACE_PRACTICE_SHOP',
    'auto',
    practiceShop,
    'The practice shop of the examples, on a loopback port of its own, which sessions may open: `auto` serves it at `PORT` + 1, and not when other machines can reach the service; a port (0 for any free one); or `off`.',
  ),
  globalTimeoutMinutes: setting(
    'PAGESPACE_GLOBAL_TIMEOUT_MINUTES',
    '30',
    wholeNumber(1, 30),
    'Maximum timeout of a session, in minutes (1 to 30). Requests can set at most 29.',
  ),
  maxLifetimeMinutes: setting(
    'PAGESPACE_MAX_LIFETIME_MINUTES',
    '0',
    wholeNumber(0, 100_000).transform(minutes => (minutes === 0 ? null : minutes)),
    'Maximum lifetime of a session, in minutes; it ends even during an operation. 0 for no limit.',
  ),
  capacity: setting(
    'PAGESPACE_CAPACITY',
    null,
    optional(wholeNumber(1, 10_000)),
    'Maximum number of active sessions of the service.',
    { defaultDescription: 'from cores and memory' },
  ),
  chromiumSandbox: setting(
    'PAGESPACE_CHROMIUM_SANDBOX',
    'auto',
    oneOf('auto', 'on', 'off'),
    "Chromium's own sandbox: `on`, `off`, or `auto`, which turns it off only when the browser runs as root, as whom it does not work.",
  ),
  outerSandbox: setting(
    'PAGESPACE_OUTER_SANDBOX',
    'auto',
    oneOf('auto', 'on', 'off'),
    'Walls around each browser on Linux (network namespace, file system, system calls, user, cgroup): `auto` for those that the system allows, `on` to refuse a start without the first three, `off`. Needs bubblewrap.',
  ),
  navigationTimeoutSeconds: setting(
    'PAGESPACE_NAVIGATION_TIMEOUT_SECONDS',
    '30',
    wholeNumber(1, MAX_SECONDS),
    'Maximum time until a page answers, in seconds.',
  ),
  scriptSeconds: setting(
    'PAGESPACE_SCRIPT_SECONDS',
    '5',
    wholeNumber(1, MAX_SECONDS),
    'Processor time that a script of a page may use while an operation waits for the page, in seconds. The service then ends the script, and the operation goes on.',
  ),
  operationTimeoutSeconds: setting(
    'PAGESPACE_OPERATION_TIMEOUT_SECONDS',
    '60',
    wholeNumber(1, MAX_SECONDS),
    'Maximum duration of one operation, in seconds. For an upload: maximum time after the last bytes arrived.',
  ),
  maxBodyBytes: setting(
    'PAGESPACE_MAX_BODY_BYTES',
    '1048576',
    wholeNumber(1_024, 1_073_741_824),
    'Maximum size of a request body, in bytes (default 1 MiB). Uploads have their own limit.',
  ),
  persistedOperationsFile: setting(
    'PAGESPACE_PERSISTED_OPERATIONS',
    null,
    optional(path),
    'A JSON file of GraphQL operations that clients can call by id: `{"<id or hash>": "<text>"}`.',
  ),
  onlyPersisted: setting(
    'PAGESPACE_GRAPHQL_OPERATIONS',
    'any',
    oneOf('any', 'persisted').transform(word => word === 'persisted'),
    'The GraphQL operations that clients may send: `any`, or only `persisted` ones (those of the service and of the file). REST and the dashboard work in both cases.',
  ),
  connectionLimits: setting(
    'PAGESPACE_CONNECTIONS',
    'all=10000 address=1000',
    connectionLimits,
    'Maximum number of concurrent connections: in total, and from one network address (not limited behind `PAGESPACE_TRUSTED_PROXIES`). `none` for no limit.',
  ),
  secretsKeys: setting(
    'PAGESPACE_SECRETS_KEY',
    null,
    optional(secretsKeysText),
    'The key with which profiles and the vault are encrypted: 32 bytes in Base64 or hexadecimal (`openssl rand -base64 32`). Each node of a cluster needs the same. Several, separated by commas: the first encrypts, all decrypt (`npm run secrets -- rotate`).',
    { defaultDescription: 'a key in the file `secrets-key` of the data folder, made at the first start' },
  ),
  allowedOrigins: setting(
    'PAGESPACE_ALLOWED_ORIGINS',
    '',
    origins,
    'Origins whose pages may call the service over HTTP, event streams and WebSocket, separated by commas: `https://dashboard.example.com,http://localhost:5173`. Their keys are in headers; cookies never count.',
    { defaultDescription: 'none' },
  ),
  graphiql: setting(
    'PAGESPACE_GRAPHIQL',
    'on',
    oneOf('on', 'off').transform(word => word === 'on'),
    '`on` serves GraphiQL to browsers at `/graphql`.',
  ),
  introspection: setting(
    'PAGESPACE_INTROSPECTION',
    'on',
    oneOf('on', 'off').transform(word => word === 'on'),
    '`on` allows introspection of the GraphQL schema. GraphiQL needs it.',
  ),
  sessionsPerBrowser: setting(
    'PAGESPACE_SESSIONS_PER_BROWSER',
    '4',
    wholeNumber(1, 1_000),
    'Maximum number of sessions that share one browser process, and so end with it if it fails. Each browser needs about 75 MB beside its sessions.',
  ),
  eventRetentionDays: setting(
    'PAGESPACE_EVENT_RETENTION_DAYS',
    '30',
    wholeNumber(0, 36_500).transform(days => (days === 0 ? null : days)),
    'Days for which the service keeps an ended session with its events, last observation and files. 0: forever.',
  ),
  isolateAccounts: setting(
    'PAGESPACE_ISOLATE_ACCOUNTS',
    'on',
    oneOf('on', 'off').transform(word => word === 'on'),
    '`on`: a browser process serves the sessions of one account only, and ends with them. `off`: sessions of all accounts share browsers, which needs less memory; use it only if all accounts are yours.',
  ),
  sessionFileBytes: setting(
    'PAGESPACE_SESSION_FILE_BYTES',
    '104857600',
    wholeNumber(0, 1_000_000_000_000),
    'Maximum total size of the downloads and uploads of one session, in bytes (default 100 MiB).',
  ),
  accountFileBytes: setting(
    'PAGESPACE_ACCOUNT_FILE_BYTES',
    '10737418240',
    wholeNumber(0, 999_999_999_999).transform(bytes => (bytes === 0 ? null : bytes)),
    'Maximum total size of the files of all sessions of one account, running and ended, in bytes (default 10 GiB); each file counts with 4,096 bytes more, for its folder. In a cluster: on each node. 0 for no limit.',
  ),
  record: setting(
    'PAGESPACE_RECORD',
    'off',
    oneOf('off', 'steps', 'video'),
    'The pictures that the record of a session keeps if its caller does not choose: `off`, `steps` (one of each operation) or `video`. The record has the lists in each mode.',
  ),
  pageLog: setting(
    'PAGESPACE_PAGE_LOG',
    'on',
    oneOf('on', 'off').transform(mode => mode === 'on'),
    'Whether sessions record the console and the requests of their pages. An API key can switch it off for the sessions that it starts.',
  ),
  recordBytes: setting(
    'PAGESPACE_RECORD_BYTES',
    '268435456',
    wholeNumber(0, 1_000_000_000_000),
    'Maximum size of the record of one session, in bytes (default 256 MiB). It counts for `PAGESPACE_ACCOUNT_FILE_BYTES` too.',
  ),
  recordRetentionDays: setting(
    'PAGESPACE_RECORD_DAYS',
    '0',
    wholeNumber(0, 36_500).transform(days => (days === 0 ? null : days)),
    'Days for which the record of an ended session is kept. 0 to keep it as long as the session.',
  ),
  sessionLimits: setting(
    'PAGESPACE_SESSION_BOUNDS',
    'pages=500 requests=100000 traffic=10000 memory=2000 processor=600',
    sessionLimits,
    'Per-session limits; exceeding one ends the session: pages opened in total, requests, megabytes of network traffic, megabytes of memory at one time, minutes of processor time. `none` for no limit.',
  ),
  freeLimits: setting(
    'PAGESPACE_FREE_LIMITS',
    'sessions=2 requests=60 minutes=60 timeout=15',
    tierLimits,
    'Limits of the tier `free`: sessions at once, requests per minute, browser minutes per day (UTC), maximum session timeout in minutes. `none` for no limit.',
  ),
  paidLimits: setting(
    'PAGESPACE_PAID_LIMITS',
    'sessions=50 requests=600 minutes=none timeout=30',
    tierLimits,
    'Limits of the tier `pay_as_you_go`, in the same form.',
  ),
  prices: setting(
    'PAGESPACE_PRICES',
    'minute=2000 start=0 observe=500 step=500 scrape=1000 upload=0',
    prices,
    'Prices for `pay_as_you_go`, in micro-units (millionths of the unit of account): a browser minute, and each kind of operation in addition to its time.',
  ),
  walletChainId: setting(
    'PAGESPACE_WALLET_CHAIN_ID',
    '1',
    wholeNumber(1, 999_999_999_999),
    'Chain id (EIP-155) that sign-in messages must name; 1 is Ethereum.',
  ),
  walletRpcUrl: setting(
    'PAGESPACE_WALLET_RPC_URL',
    null,
    optional(urlText(/^https?$/, 'https://rpc.example.com')),
    'URL of an Ethereum JSON-RPC, to verify signatures of contract wallets (ERC-1271). Without it only wallets with a private key can sign in.',
    { secret: true },
  ),
  oauthIssuer: setting(
    'PAGESPACE_OAUTH_ISSUER',
    null,
    optional(baseUrlText(/^https?$/, 'https://auth.example.com')),
    'Issuer of OAuth access tokens (JWT) that `/mcp` accepts besides API keys. Each subject has an account of its own; the claim `scope` grants `read`, `operate` and `admin`.',
  ),
  oauthJwksUrl: setting(
    'PAGESPACE_OAUTH_JWKS_URL',
    null,
    optional(publicUrlText(/^https?$/, 'https://auth.example.com/jwks')),
    "URL of the issuer's public keys.",
    { defaultDescription: '`/.well-known/jwks.json` of the issuer' },
  ),
  oauthAudience: setting(
    'PAGESPACE_OAUTH_AUDIENCE',
    null,
    optional(z.string().max(1_000)),
    'The audience that access tokens must name.',
    { defaultDescription: 'the URL of `/mcp`' },
  ),
  trustedProxies: setting(
    'PAGESPACE_TRUSTED_PROXIES',
    '0',
    wholeNumber(0, 10),
    'Number of proxies in front of the service that append to `X-Forwarded-For`. With 0 the service ignores the header.',
  ),
  warmContexts: setting(
    'PAGESPACE_WARM_CONTEXTS',
    '2',
    wholeNumber(0, 100),
    'Number of browser contexts that the service prepares in advance, so that sessions start faster.',
  ),
} as const satisfies Record<string, Setting<z.ZodType>>;
