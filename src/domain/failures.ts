/** Every way the service says no. One table feeds the GraphQL enum, the REST status and the docs page. */

/** One row: what a code means on the wire. */
export interface FailureDefinition {
  /** HTTP status of the REST answer. */
  readonly status: number;
  /** The problem's short title (RFC 9457 `title`), the same for every occurrence. */
  readonly title: string;
  /** What happened and what the caller can do, for the manual. */
  readonly meaning: string;
  /** Whether the same call can succeed later without being changed. */
  readonly retryable: boolean;
}

const define = (status: number, title: string, meaning: string, retryable = false): FailureDefinition => ({
  status,
  title,
  meaning,
  retryable,
});

/** Code → row. Order is the order of the manual. */
export const FAILURES = {
  INVALID_JSON: define(
    400,
    'The body is not JSON',
    'The request body could not be parsed. Send one JSON object.',
  ),
  MISSING_API_KEY: define(401, 'An API key is needed', 'Send the header "Authorization: Bearer <API_KEY>".'),
  INVALID_API_KEY: define(401, 'The API key is not known', 'The key is malformed or was never made here.'),
  REVOKED_API_KEY: define(401, 'The API key was revoked', 'Make a new key.'),
  EXPIRED_API_KEY: define(401, 'The API key has expired', 'Make a new key.'),
  BALANCE_EXHAUSTED: define(
    402,
    'The balance is used up',
    'Add credit to the account; sessions can still be read and closed.',
  ),
  URL_BLOCKED: define(
    403,
    'The address may not be opened',
    'Private, local and reserved addresses and non-web schemes are refused.',
  ),
  SCOPE_DENIED: define(403, 'The API key may not do this', 'Use a key with the scope that the answer names.'),
  PERSISTED_QUERY_ONLY: define(
    403,
    'Only persisted operations are run',
    'Name one that the service keeps by documentId, or use REST.',
  ),
  WALLET_REFUSED: define(
    403,
    'The wallet was not let in',
    'The message or its signature is not good, or the visit is over; the detail says why. Connect again.',
  ),
  ORIGIN_REFUSED: define(
    403,
    'The page is not of this service',
    'Signing in with a wallet works on the home page only. Programs use an API key.',
  ),
  NOT_FOUND: define(404, 'There is nothing at this path', 'The path is not one of this service; see /docs.'),
  PERSISTED_QUERY_NOT_FOUND: define(
    404,
    'No such persisted operation',
    'No operation is kept under that id. Send its text, or have the operator add it.',
  ),
  SESSION_NOT_FOUND: define(404, 'No such session', 'No session of this account has that id.'),
  KEY_NOT_FOUND: define(404, 'No such API key', 'No key of this account has that id.'),
  ACCOUNT_NOT_FOUND: define(404, 'No such account', 'The service has no account with that id.'),
  METHOD_NOT_ALLOWED: define(405, 'The path does not take this method', 'See the Allow header.'),
  REQUEST_TIMEOUT: define(
    408,
    'The body stopped coming',
    'No byte of it came for a while; the detail says how long. Send it again.',
    true,
  ),
  SESSION_BUSY: define(
    409,
    'Too many operations wait in this session',
    'Eight operations wait already. Wait for their answers.',
    true,
  ),
  ACTION_STALE: define(
    409,
    'The page has changed under the action',
    'The element is gone or means something else now; choose from the fresh space in the answer.',
  ),
  ACTION_BLOCKED: define(
    409,
    'The action cannot be done now',
    'The element is disabled, covered or not ready; the detail says by what.',
    true,
  ),
  SUBSCRIPTION_BEHIND: define(
    409,
    'The subscription fell behind',
    'Its reader was so slow that changes were dropped. Subscribe anew, then list the sessions.',
    true,
  ),
  SESSION_CLOSED: define(410, 'The session is closed', 'Start a new session.'),
  SESSION_TIMED_OUT: define(
    410,
    'The session timed out',
    'Start a new session; a longer session_timeout_minutes may help.',
  ),
  SESSION_ERROR: define(
    410,
    'The session has failed',
    'Its browser is gone, or it passed a bound of the service; the detail says which. Start a new session.',
  ),
  BODY_TOO_LARGE: define(413, 'The body is too large', 'Send a smaller body.'),
  UNSUPPORTED_MEDIA_TYPE: define(
    415,
    'The body must be JSON',
    'Send "Content-Type: application/json", plain or with one Content-Encoding of gzip, deflate, br, zstd.',
  ),
  VALIDATION_ERROR: define(
    422,
    'The request is not valid',
    'The errors name each field and what is wrong with it.',
  ),
  ACTION_NOT_FOUND: define(422, 'No such action', 'The id was never listed in this session; observe first.'),
  NOT_OBSERVED: define(
    422,
    'The page has not been observed',
    'Observe a page in this session before stepping.',
  ),
  RATE_LIMITED: define(429, 'Too many requests', 'Wait as long as Retry-After says.', true),
  CONCURRENCY_LIMIT: define(
    429,
    'Too many sessions at once',
    'Close a session or wait for one to end.',
    true,
  ),
  QUOTA_EXHAUSTED: define(
    429,
    'The quota is used up',
    'Wait as long as Retry-After says, or change the tier.',
    true,
  ),
  INTERNAL: define(
    500,
    'The service failed',
    'A fault of ours; quote the request_id when you report it.',
    true,
  ),
  NAVIGATION_FAILED: define(
    502,
    'The page could not be opened',
    'The site refused, could not be found, or broke off.',
    true,
  ),
  BROWSER_CRASHED: define(
    502,
    'The page or its browser crashed',
    'The page crashed, or its browser ended, while the operation ran. The session in the answer says whether it goes on.',
    true,
  ),
  AT_CAPACITY: define(503, 'All browsers are taken', 'Wait as long as Retry-After says.', true),
  TOO_MANY_CONNECTIONS: define(
    503,
    'Too many connections',
    'The service, or your address, has as many connections as it may have. Use one for several requests.',
    true,
  ),
  SHUTTING_DOWN: define(503, 'The service is shutting down', 'Try again in a moment.', true),
  STORAGE_FULL: define(
    507,
    'The disk of the service is full',
    'What was asked could not be written down. Sessions can still be read and closed. Try again later, or tell whoever runs the service.',
    true,
  ),
  NAVIGATION_TIMEOUT: define(
    504,
    'The page did not answer in time',
    'The site was too slow to answer.',
    true,
  ),
  OPERATION_TIMEOUT: define(
    504,
    'The operation took too long',
    'The page did not let the operation finish within its deadline.',
    true,
  ),
} as const satisfies Record<string, FailureDefinition>;

/** A failure's code: one of the table's. */
export type FailureCode = keyof typeof FAILURES;

/** Failures that are no doing of the caller or the page's site: nothing is charged for them. */
export const SERVICE_FAULT_CODES: ReadonlySet<FailureCode> = new Set([
  'INTERNAL',
  'BROWSER_CRASHED',
  'SHUTTING_DOWN',
  'STORAGE_FULL',
]);

/** One fault of the input: where (dotted path of the field) and what. */
export interface FieldError {
  readonly path: string;
  readonly message: string;
}

/** What may travel with a failure beside its code and detail. */
export interface FailureContext {
  /** The faults, for VALIDATION_ERROR. */
  readonly errors?: readonly FieldError[];
  /** The session the failure happened in, as it stands after the failure. */
  readonly session?: import('./session.ts').Session;
  /** The fresh space, for ACTION_STALE. */
  readonly space?: import('./space.ts').Space;
  /** Seconds until a retry makes sense. */
  readonly retryAfterSeconds?: number;
  /** What caused it; logged, never shown. */
  readonly cause?: unknown;
}

/** A failure that a caller can act on. Anything else that is thrown is a bug: masked outside and logged once. */
export class Failure extends Error {
  readonly code: FailureCode;
  readonly context: FailureContext;

  /**
   * @param code a row of the table
   * @param detail this occurrence in one or two sentences: what happened, why, what to do
   * @param context what travels with it
   */
  constructor(code: FailureCode, detail: string, context: FailureContext = {}) {
    super(detail, context.cause === undefined ? undefined : { cause: context.cause });
    this.name = 'Failure';
    this.code = code;
    this.context = context;
  }

  /** The table's row of this failure. */
  get definition(): FailureDefinition {
    return FAILURES[this.code];
  }

  /** The same failure with more facts; what it has already stays. */
  withContext(context: FailureContext): Failure {
    const extended = new Failure(this.code, this.message, { cause: this.cause, ...context, ...this.context });
    if (this.stack !== undefined) extended.stack = this.stack;
    return extended;
  }
}

/** Whether an error is a Failure (of the given code, if one is given). */
export function isFailure(error: unknown, code?: FailureCode): error is Failure {
  return error instanceof Failure && (code === undefined || error.code === code);
}
