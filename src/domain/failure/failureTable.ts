/** A new failure is one entry here: GraphQL, REST, OpenAPI and docs/failures.md are made from it. */

export interface FailureDefinition {
  /** HTTP status of the REST response. */
  readonly status: number;
  /** Short summary of the failure (`title` of RFC 9457), the same for every occurrence. */
  readonly title: string;
  /** Text for the documentation: what happened and what the caller can do. */
  readonly description: string;
  /** True when the same request can succeed later. */
  readonly retryable: boolean;
  /** True when neither the caller nor the page caused the failure: the operation is not charged. */
  readonly serviceFault: boolean;
  /** True when the failure is returned only before the operation changed anything: a request with the same idempotency key runs again. */
  readonly withoutEffect: boolean;
}

type Flags = Partial<Pick<FailureDefinition, 'retryable' | 'serviceFault' | 'withoutEffect'>>;

/** Creates an entry of the table of failures. Flags that are not given are false. */
const defineFailure = (
  status: number,
  title: string,
  description: string,
  flags: Flags = {},
): FailureDefinition => ({
  status,
  title,
  description,
  retryable: false,
  serviceFault: false,
  withoutEffect: false,
  ...flags,
});

/** All failures of the service by code, in the order of the documentation. */
export const FAILURES = {
  INVALID_JSON: defineFailure(400, 'The body is not JSON', 'Send one JSON object as the body.'),
  INVALID_HTTP: defineFailure(
    400,
    'The request is not valid HTTP',
    'The request line, a header or the length of the body is malformed; `detail` says what. The service closes the connection.',
  ),
  MISSING_API_KEY: defineFailure(
    401,
    'The API key is missing',
    'Send the header "Authorization: Bearer <API_KEY>".',
  ),
  INVALID_API_KEY: defineFailure(
    401,
    'The API key is unknown',
    'The key is malformed, or this service never issued it. Check that you sent the whole key.',
  ),
  REVOKED_API_KEY: defineFailure(401, 'The API key was revoked', 'Use another key.'),
  EXPIRED_API_KEY: defineFailure(401, 'The API key has expired', 'Use another key.'),
  SHARE_LINK_ENDED: defineFailure(
    401,
    'The share link does not work',
    'The service does not know the link, its owner has revoked it, or its time is over. Ask the person who sent it for a new one.',
  ),
  BALANCE_EXHAUSTED: defineFailure(
    402,
    'The balance or a spend cap is used up',
    'The account, the key or the session has nothing left to spend; `detail` says which. Add credit, or use another key or session. Sessions can still be read and closed.',
    { withoutEffect: true },
  ),
  URL_BLOCKED: defineFailure(
    403,
    'The address is blocked',
    'Private, local and reserved addresses are blocked, and so are all schemes except those of the web.',
  ),
  SCOPE_DENIED: defineFailure(
    403,
    'The API key lacks a scope',
    '`detail` names the scope. Use a key with that scope.',
  ),
  PERSISTED_QUERY_ONLY: defineFailure(
    403,
    'Only persisted operations are allowed',
    'This service runs only GraphQL operations that its operator has stored. Send the `documentId` of one, or use REST.',
  ),
  POLICY_REFUSED: defineFailure(
    403,
    'The policy of the API key refuses this',
    'The key may not reach the host, perform steps of this kind, or use the profile, the vault entry or the session; `detail` says which. Nothing was done.',
    { withoutEffect: true },
  ),
  APPROVAL_REFUSED: defineFailure(
    403,
    'The step was not approved',
    'The policy of the API key asks a person about steps of this kind; a person has denied this one, or no person approved it in time; `detail` says which. The page has not changed.',
    { withoutEffect: true },
  ),
  VAULT_REFUSED: defineFailure(
    403,
    'The value of the vault was not filled',
    'A value of the vault goes only into a field of its kind, on an origin to which its entry is bound; `detail` says what is wrong. Nothing was typed.',
    { withoutEffect: true },
  ),
  WALLET_REFUSED: defineFailure(
    403,
    'The wallet was not accepted',
    'The message or its signature is not valid, or the web session has ended; `detail` says which. Connect the wallet again.',
  ),
  ORIGIN_REFUSED: defineFailure(
    403,
    'The request comes from another site',
    'Only the dashboard of this service can sign in with a wallet, and pages of other sites cannot use /mcp. Programs use an API key.',
  ),
  NOT_FOUND: defineFailure(
    404,
    'Not found',
    'The service has nothing at this path, or the session has no file with this id. See /docs for the paths.',
  ),
  PERSISTED_QUERY_NOT_FOUND: defineFailure(
    404,
    'The persisted operation is unknown',
    'No operation is stored under this `documentId`. Send the text of the operation, or ask the operator to store it.',
  ),
  SESSION_NOT_FOUND: defineFailure(404, 'The session is unknown', 'No session of this account has this id.'),
  KEY_NOT_FOUND: defineFailure(404, 'The API key id is unknown', 'No key of this account has this id.'),
  ACCOUNT_NOT_FOUND: defineFailure(404, 'The account is unknown', 'The service has no account with this id.'),
  NODE_NOT_FOUND: defineFailure(
    404,
    'The node is unknown',
    'No live node of the service has this name. `nodes` lists those that live.',
  ),
  PROFILE_NOT_FOUND: defineFailure(
    404,
    'The profile is unknown',
    'No profile of this account has this name. A session with the profile mode `write` creates it.',
  ),
  APPROVAL_NOT_FOUND: defineFailure(
    404,
    'The approval is unknown',
    'No step of the session waits for this approval: it is decided, its time is over, or its caller is gone.',
    { withoutEffect: true },
  ),
  VAULT_ENTRY_NOT_FOUND: defineFailure(
    404,
    'The vault entry is unknown',
    'No vault entry of this account has this name.',
    { withoutEffect: true },
  ),
  METHOD_NOT_ALLOWED: defineFailure(
    405,
    'The method is not allowed',
    'The `Allow` header lists the methods of this path.',
  ),
  REQUEST_TIMEOUT: defineFailure(
    408,
    'The request did not arrive in time',
    '`detail` gives the time. Send the request again.',
    { retryable: true },
  ),
  PROFILE_IN_USE: defineFailure(
    409,
    'Another session writes the profile',
    '`detail` names the session. Close it, or open the profile with the mode `read`.',
    { retryable: true, withoutEffect: true },
  ),
  PROFILE_UNREADABLE: defineFailure(
    409,
    'The profile cannot be decrypted',
    'It was written with another key, or by another version of the service. Restore the key, or delete the profile.',
    { withoutEffect: true },
  ),
  SESSION_BUSY: defineFailure(
    409,
    'Too many operations wait in this session',
    'Operations of a session run one after another, and eight are already waiting. Wait for their responses.',
    { retryable: true, withoutEffect: true },
  ),
  TAKEN_OVER: defineFailure(
    409,
    'A person has the session',
    'A person has taken the session over, or the session waits for one; `detail` says which, and who. Wait for the number of seconds in `Retry-After`, or send `wait_for_hand_back`.',
    { retryable: true, withoutEffect: true },
  ),
  TAKE_OVER_ENDED: defineFailure(
    409,
    'The take-over has ended',
    'The person has handed the session back, was away for too long, or another person has the session now. Take the session over again.',
    { withoutEffect: true },
  ),
  ACTION_STALE: defineFailure(
    409,
    'The action is out of date',
    'The element of the action is gone, or it means something else now. Choose an action from the new `space` in the response.',
    { withoutEffect: true },
  ),
  ACTION_BLOCKED: defineFailure(
    409,
    'The action cannot be performed now',
    'The element is disabled, covered or not ready; `detail` says why.',
    { retryable: true, withoutEffect: true },
  ),
  VALUE_REFUSED: defineFailure(
    409,
    'The element did not keep the value',
    'The value was entered, but the element holds another one now; `detail` says which. Choose a value that the element accepts; the new `space` in the response shows the page.',
  ),
  SUBSCRIPTION_BEHIND: defineFailure(
    409,
    'The subscription fell behind',
    'The subscriber read too slowly, so that updates were dropped. Subscribe again, then list the sessions.',
    { retryable: true },
  ),
  SESSION_CLOSED: defineFailure(410, 'The session is closed', 'Start a new session.'),
  SESSION_TIMED_OUT: defineFailure(
    410,
    'The session timed out',
    'It was idle for its timeout, or it reached the maximum lifetime of a session; `detail` says which. Start a new session.',
  ),
  SESSION_ERROR: defineFailure(
    410,
    'The session has failed',
    'Its browser was lost, or it exceeded a limit; `detail` says which. Start a new session.',
  ),
  LINK_EXPIRED: defineFailure(
    410,
    'The link has expired',
    'The signed address of a file is valid for 15 minutes. Read the address again.',
    { withoutEffect: true },
  ),
  RECORD_EXPIRED: defineFailure(
    410,
    'The record was removed',
    'The retention time of records is over, or the owner removed it.',
    { withoutEffect: true },
  ),
  BODY_TOO_LARGE: defineFailure(413, 'The body is too large', 'Send a smaller body or a smaller file.'),
  UNSUPPORTED_MEDIA_TYPE: defineFailure(
    415,
    'The content type or encoding is not supported',
    'Send "Content-Type: application/json". The body may have one Content-Encoding: gzip, deflate, br or zstd.',
  ),
  VALIDATION_ERROR: defineFailure(
    422,
    'The request is not valid',
    '`errors` names each field that is not valid and says why.',
    { withoutEffect: true },
  ),
  ACTION_NOT_FOUND: defineFailure(
    422,
    'The action id is unknown',
    'No action with this id was listed in this session. Observe the page first.',
    { withoutEffect: true },
  ),
  NOT_OBSERVED: defineFailure(
    422,
    'The page has not been observed',
    'A step needs an observation. Observe a page in this session first.',
    { withoutEffect: true },
  ),
  RATE_LIMITED: defineFailure(429, 'Too many requests', 'Wait for the number of seconds in `Retry-After`.', {
    retryable: true,
    withoutEffect: true,
  }),
  CONCURRENCY_LIMIT: defineFailure(
    429,
    'Too many sessions at once',
    'The account has as many active sessions as its tier allows. Close a session, or wait until one ends.',
    { retryable: true, withoutEffect: true },
  ),
  QUOTA_EXHAUSTED: defineFailure(
    429,
    'The quota is used up',
    'It is the browser minutes of the account for today (UTC), or the file space of the session or of the account; `detail` says which. Wait for the number of seconds in `Retry-After`, or change the tier.',
    { retryable: true, withoutEffect: true },
  ),
  HEADERS_TOO_LARGE: defineFailure(
    431,
    'The headers are too large',
    'The path, the query and the headers have at most 16 KiB together. Send long GraphQL queries by POST.',
  ),
  INTERNAL: defineFailure(
    500,
    'The service failed',
    'Quote the request id (`request_id`, in GraphQL `requestId`) when you report it.',
    {
      retryable: true,
      serviceFault: true,
    },
  ),
  NAVIGATION_FAILED: defineFailure(
    502,
    'The page could not be loaded',
    'The host name was not found, or the site refused or broke the connection.',
    { retryable: true },
  ),
  BROWSER_CRASHED: defineFailure(
    502,
    'The page or its browser crashed',
    '`session` in the response says whether the session is still active.',
    { retryable: true, serviceFault: true },
  ),
  AT_CAPACITY: defineFailure(
    503,
    'The service is at capacity',
    'All browser sessions of the service are in use. Wait for the number of seconds in `Retry-After`.',
    { retryable: true, withoutEffect: true },
  ),
  TOO_MANY_CONNECTIONS: defineFailure(
    503,
    'Too many connections',
    'The service, or your network address, has as many connections as it may have. Send several requests over one connection.',
    { retryable: true },
  ),
  SHUTTING_DOWN: defineFailure(503, 'The service is shutting down', 'Try again in a few seconds.', {
    retryable: true,
    serviceFault: true,
    withoutEffect: true,
  }),
  DEPENDENCY_UNAVAILABLE: defineFailure(
    503,
    'A part of the service cannot be reached',
    'The operation needs the database, the message bus, the keys of the issuer of access tokens or the node that runs the session; `detail` says which is missing. Nothing was done. Wait for the number of seconds in `Retry-After`.',
    { retryable: true, serviceFault: true, withoutEffect: true },
  ),
  OUTCOME_UNKNOWN: defineFailure(
    504,
    'The outcome of the operation is unknown',
    'The node that runs the session stopped answering after it had received the operation, which may have been performed. Read the session before you decide what to do next.',
    { serviceFault: true },
  ),
  STORAGE_FULL: defineFailure(
    507,
    'The disk of the service is full',
    'The service could not write the result of the operation. Sessions can still be read and closed. Try again later, or tell the operator of the service.',
    { retryable: true, serviceFault: true },
  ),
  NAVIGATION_TIMEOUT: defineFailure(504, 'The page did not load in time', 'The site was too slow.', {
    retryable: true,
  }),
  WAIT_TIMEOUT: defineFailure(
    504,
    'The awaited condition was not met in time',
    '`wait_for`, or the special action for waiting, ran out; `space` shows the page as it is. A step was performed before the wait: do not repeat it, observe with the same `wait_for`.',
    { retryable: true },
  ),
  OPERATION_TIMEOUT: defineFailure(
    504,
    'The operation took too long',
    'It did not finish before its deadline.',
    {
      retryable: true,
    },
  ),
} as const satisfies Record<string, FailureDefinition>;

export type FailureCode = keyof typeof FAILURES;
