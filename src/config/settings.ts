/** The table of settings: one environment variable each. README's table is made of it. */
import { z } from 'zod';
import { connectionLimits, prices, sessionLimits, tierLimits } from './namedNumbers.ts';

/** One environment variable: how its text is read, what stands without it, what it is for. */
export interface Setting<Schema extends z.ZodType> {
  readonly variable: string;
  readonly schema: Schema;
  /** The text that is read when the variable is unset or empty; null where nothing stands for it. */
  readonly default: string | null;
  /** What the README's table says of the default where its text would not. */
  readonly defaultInWords?: string;
  /** What the README's table says of it. */
  readonly meaning: string;
  /** The value is never repeated in a message. */
  readonly secret?: boolean;
}

const setting = <Schema extends z.ZodType>(
  variable: string,
  text: string | null,
  schema: Schema,
  meaning: string,
  more: { defaultInWords?: string; secret?: boolean } = {},
): Setting<Schema> => ({ variable, default: text, schema, meaning, ...more });

const wholeNumber = (from: number, to: number) =>
  z
    .string()
    .refine(
      text => /^\d{1,12}$/.test(text) && Number(text) >= from && Number(text) <= to,
      `must be a whole number from ${from} to ${to}`,
    )
    .transform(Number);

const oneOf = <const Words extends readonly [string, ...string[]]>(...allowed: Words) =>
  z.enum(allowed, `must be one of ${allowed.join(', ')}`);

const urlText = (protocols: RegExp, example: string) =>
  z.url({ protocol: protocols, error: `must be an address such as ${example}` });

const optional = <Schema extends z.ZodType>(schema: Schema) => schema.nullable();

/** A week, so that no setting in seconds overflows a timer (2^31 ms). */
const MAX_SECONDS = 604_800;

/** Every setting, by its name in `Config`. */
export const SETTINGS = {
  host: setting(
    'HOST',
    '127.0.0.1',
    z.string().trim().min(1, 'must not be blank'),
    'The interface it listens on.',
  ),
  port: setting('PORT', '4000', wholeNumber(0, 65_535), 'The port it listens on; 0 takes a free one.'),
  databaseUrl: setting(
    'DATABASE_URL',
    null,
    optional(urlText(/^postgres(ql)?$/, 'postgres://user:password@host/database')),
    'PostgreSQL instead of the embedded store. Not in this version: the service refuses to start with it.',
    { secret: true },
  ),
  natsUrl: setting(
    'NATS_URL',
    null,
    optional(urlText(/^(nats|tls|wss?)$/, 'nats://host:4222')),
    'NATS instead of the bus in the process. Not in this version: the service refuses to start with it.',
    { secret: true },
  ),
  chromiumPath: setting(
    'CHROMIUM_PATH',
    null,
    optional(z.string().trim().min(1, 'must not be blank')),
    "The browser to use. Without it Playwright's own is taken, then the system's, headless shell first.",
  ),
  logLevel: setting(
    'LOG_LEVEL',
    'info',
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'The least level that is logged; one line of JSON each when the output is not a terminal.',
  ),
  dataDir: setting(
    'PAGESPACE_DATA_DIR',
    './data',
    z.string().trim().min(1, 'must not be blank'),
    'Where the store and the process record are; locked by one process.',
  ),
  publicUrl: setting(
    'PAGESPACE_PUBLIC_URL',
    null,
    optional(urlText(/^https?$/, 'https://pagespace.example.com').transform(url => url.replace(/\/+$/, ''))),
    'The address that callers use, for wallet messages, cookies and links.',
    { defaultInWords: 'from `HOST` and `PORT`' },
  ),
  egressAllow: setting(
    'PAGESPACE_EGRESS_ALLOW',
    '',
    z.string(),
    'Hosts, CIDRs or host:port, comma-separated, that pages may reach though they are private: `127.0.0.1:8080,10.1.0.0/16`.',
    { defaultInWords: 'none' },
  ),
  globalTimeoutMinutes: setting(
    'PAGESPACE_GLOBAL_TIMEOUT_MINUTES',
    '30',
    wholeNumber(1, 30),
    "Upper bound of a session's timeout, in minutes.",
  ),
  maxLifetimeMinutes: setting(
    'PAGESPACE_MAX_LIFETIME_MINUTES',
    '0',
    wholeNumber(0, 100_000).transform(minutes => (minutes === 0 ? null : minutes)),
    'Minutes after which a session ends whatever is done in it; 0 sets no such bound.',
  ),
  capacity: setting(
    'PAGESPACE_CAPACITY',
    null,
    optional(wholeNumber(1, 10_000)),
    'Sessions at once on this node.',
    { defaultInWords: 'from cores and memory' },
  ),
  chromiumSandbox: setting(
    'PAGESPACE_CHROMIUM_SANDBOX',
    'auto',
    oneOf('auto', 'on', 'off'),
    "Chromium's own sandbox; `auto` turns it off only where it cannot work, for root.",
  ),
  navigationTimeoutSeconds: setting(
    'PAGESPACE_NAVIGATION_TIMEOUT_SECONDS',
    '30',
    wholeNumber(1, MAX_SECONDS),
    'How long a page may take to answer.',
  ),
  operationTimeoutSeconds: setting(
    'PAGESPACE_OPERATION_TIMEOUT_SECONDS',
    '60',
    wholeNumber(1, MAX_SECONDS),
    'How long one operation may take in all; an upload, how long after its last piece.',
  ),
  maxBodyBytes: setting(
    'PAGESPACE_MAX_BODY_BYTES',
    '1048576',
    wholeNumber(1_024, 1_073_741_824),
    'The longest request body, in bytes (1 MiB unless set).',
  ),
  persistedOperationsFile: setting(
    'PAGESPACE_PERSISTED_OPERATIONS',
    null,
    optional(z.string().trim().min(1, 'must not be blank')),
    'A JSON file of GraphQL operations that callers name by id: `{"<id or hash>": "<text>"}`.',
  ),
  onlyPersisted: setting(
    'PAGESPACE_GRAPHQL_OPERATIONS',
    'any',
    oneOf('any', 'persisted').transform(word => word === 'persisted'),
    "What GraphQL runs: `any` text, or only `persisted` operations (the service's own and those of the file). REST and the home page work with both.",
  ),
  connectionLimits: setting(
    'PAGESPACE_CONNECTIONS',
    'all=10000 address=1000',
    connectionLimits,
    'Connections at once: in all, and from one network address (not counted behind `PAGESPACE_TRUSTED_PROXIES`). `none` for no limit.',
  ),
  graphiql: setting(
    'PAGESPACE_GRAPHIQL',
    'on',
    oneOf('on', 'off').transform(word => word === 'on'),
    'Whether browsers get GraphiQL at `/graphql`.',
  ),
  introspection: setting(
    'PAGESPACE_INTROSPECTION',
    'on',
    oneOf('on', 'off').transform(word => word === 'on'),
    "Whether GraphQL tells its schema to those who ask for it; GraphiQL's help needs it.",
  ),
  sessionsPerBrowser: setting(
    'PAGESPACE_SESSIONS_PER_BROWSER',
    '16',
    wholeNumber(1, 1_000),
    'Sessions that share one browser process.',
  ),
  eventRetentionDays: setting(
    'PAGESPACE_EVENT_RETENTION_DAYS',
    '30',
    wholeNumber(0, 36_500).transform(days => (days === 0 ? null : days)),
    'Days that an ended session is kept with its events, last observation and files; 0 keeps all.',
  ),
  isolateAccounts: setting(
    'PAGESPACE_ISOLATE_ACCOUNTS',
    'off',
    oneOf('on', 'off').transform(word => word === 'on'),
    'Whether a browser process serves the sessions of one account only; `on` costs a browser for each account.',
  ),
  sessionFileBytes: setting(
    'PAGESPACE_SESSION_FILE_BYTES',
    '104857600',
    wholeNumber(0, 1_000_000_000_000),
    'What the downloads and uploads of one session may hold together, in bytes (100 MiB unless set).',
  ),
  sessionBounds: setting(
    'PAGESPACE_SESSION_BOUNDS',
    'pages=500 requests=100000 traffic=10000 memory=2000 processor=600',
    sessionLimits,
    'What ends a session that passes it: pages opened in all, requests, megabytes over the network, megabytes of memory at a time, minutes of processor time. `none` for no bound.',
  ),
  freeLimits: setting(
    'PAGESPACE_FREE_LIMITS',
    'sessions=2 requests=60 minutes=60 timeout=15',
    tierLimits,
    'The tier `free`: sessions at once, requests a minute, browser minutes a day, longest session timeout in minutes. `none` for no limit.',
  ),
  paidLimits: setting(
    'PAGESPACE_PAID_LIMITS',
    'sessions=50 requests=600 minutes=none timeout=30',
    tierLimits,
    'The same for the tier `pay_as_you_go`.',
  ),
  prices: setting(
    'PAGESPACE_PRICES',
    'minute=2000 start=0 observe=500 step=500 scrape=1000 upload=0',
    prices,
    'What `pay_as_you_go` pays, in micro-units: a minute of a browser, and each kind of operation beside its time.',
  ),
  walletChainId: setting(
    'PAGESPACE_WALLET_CHAIN_ID',
    '1',
    wholeNumber(1, 999_999_999_999),
    'The chain (EIP-155) that messages of wallets name; 1 is Ethereum.',
  ),
  walletRpcUrl: setting(
    'PAGESPACE_WALLET_RPC_URL',
    null,
    optional(urlText(/^https?$/, 'https://rpc.example.com')),
    'An Ethereum JSON-RPC to ask whether contracts signed (ERC-1271). Without it only wallets with a key sign in.',
    { secret: true },
  ),
  trustedProxies: setting(
    'PAGESPACE_TRUSTED_PROXIES',
    '0',
    wholeNumber(0, 10),
    'How many proxies before the service write `X-Forwarded-For`; with 0 the header is not read.',
  ),
  warmContexts: setting(
    'PAGESPACE_WARM_CONTEXTS',
    '2',
    wholeNumber(0, 100),
    'Browser contexts held ready so that a start costs milliseconds.',
  ),
} as const satisfies Record<string, Setting<z.ZodType>>;
