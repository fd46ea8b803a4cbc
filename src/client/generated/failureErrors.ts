// Written by: npm run schema
import type { ContentFormat, FailureCode, SpaceFieldsFragment } from './operations.ts';
import { type ErrorDetails, PagespaceError } from '../pagespaceError.ts';

/** The parts of the content that a scrape returns without `content.formats`. */
export const DEFAULT_FORMATS: ContentFormat[] = ['MAIN_CONTENT', 'MARKDOWN', 'TEXT', 'LINKS', 'STRUCTURED', 'METADATA'];

/** The body is not JSON. Send one JSON object as the body. */
export class InvalidJsonError extends PagespaceError {
  declare readonly code: 'INVALID_JSON';
}

/** The request is not valid HTTP. The request line, a header or the length of the body is malformed; `detail` says what. The service closes the connection. */
export class InvalidHttpError extends PagespaceError {
  declare readonly code: 'INVALID_HTTP';
}

/** The API key is missing. Send the header "Authorization: Bearer <API_KEY>". */
export class MissingApiKeyError extends PagespaceError {
  declare readonly code: 'MISSING_API_KEY';
}

/** The API key is unknown. The key is malformed, or this service never issued it. Check that you sent the whole key. */
export class InvalidApiKeyError extends PagespaceError {
  declare readonly code: 'INVALID_API_KEY';
}

/** The API key was revoked. Use another key. */
export class RevokedApiKeyError extends PagespaceError {
  declare readonly code: 'REVOKED_API_KEY';
}

/** The API key has expired. Use another key. */
export class ExpiredApiKeyError extends PagespaceError {
  declare readonly code: 'EXPIRED_API_KEY';
}

/** The share link does not work. The service does not know the link, its owner has revoked it, or its time is over. Ask the person who sent it for a new one. */
export class ShareLinkEndedError extends PagespaceError {
  declare readonly code: 'SHARE_LINK_ENDED';
}

/** The balance or a spend cap is used up. The account, the key or the session has nothing left to spend; `detail` says which. Add credit, or use another key or session. Sessions can still be read and closed. */
export class BalanceExhaustedError extends PagespaceError {
  declare readonly code: 'BALANCE_EXHAUSTED';
}

/** The address is blocked. Private, local and reserved addresses are blocked, and so are all schemes except those of the web. */
export class UrlBlockedError extends PagespaceError {
  declare readonly code: 'URL_BLOCKED';
}

/** The API key lacks a scope. `detail` names the scope. Use a key with that scope. */
export class ScopeDeniedError extends PagespaceError {
  declare readonly code: 'SCOPE_DENIED';
}

/** Only persisted operations are allowed. This service runs only GraphQL operations that its operator has stored. Send the `documentId` of one, or use REST. */
export class PersistedQueryOnlyError extends PagespaceError {
  declare readonly code: 'PERSISTED_QUERY_ONLY';
}

/** The policy of the API key refuses this. The key may not reach the host, perform steps of this kind, or use the profile, the vault entry or the session; `detail` says which. Nothing was done. */
export class PolicyRefusedError extends PagespaceError {
  declare readonly code: 'POLICY_REFUSED';
}

/** The step was not approved. The policy of the API key asks a person about steps of this kind; a person has denied this one, or no person approved it in time; `detail` says which. The page has not changed. */
export class ApprovalRefusedError extends PagespaceError {
  declare readonly code: 'APPROVAL_REFUSED';
}

/** The value of the vault was not filled. A value of the vault goes only into a field of its kind, on an origin to which its entry is bound; `detail` says what is wrong. Nothing was typed. */
export class VaultRefusedError extends PagespaceError {
  declare readonly code: 'VAULT_REFUSED';
}

/** The wallet was not accepted. The message or its signature is not valid, or the web session has ended; `detail` says which. Connect the wallet again. */
export class WalletRefusedError extends PagespaceError {
  declare readonly code: 'WALLET_REFUSED';
}

/** The request comes from another site. Only the dashboard of this service can sign in with a wallet, and pages of other sites cannot use /mcp. Programs use an API key. */
export class OriginRefusedError extends PagespaceError {
  declare readonly code: 'ORIGIN_REFUSED';
}

/** Not found. The service has nothing at this path, or the session has no file with this id. See /docs for the paths. */
export class NotFoundError extends PagespaceError {
  declare readonly code: 'NOT_FOUND';
}

/** The persisted operation is unknown. No operation is stored under this `documentId`. Send the text of the operation, or ask the operator to store it. */
export class PersistedQueryNotFoundError extends PagespaceError {
  declare readonly code: 'PERSISTED_QUERY_NOT_FOUND';
}

/** The session is unknown. No session of this account has this id. */
export class SessionNotFoundError extends PagespaceError {
  declare readonly code: 'SESSION_NOT_FOUND';
}

/** The API key id is unknown. No key of this account has this id. */
export class KeyNotFoundError extends PagespaceError {
  declare readonly code: 'KEY_NOT_FOUND';
}

/** The account is unknown. The service has no account with this id. */
export class AccountNotFoundError extends PagespaceError {
  declare readonly code: 'ACCOUNT_NOT_FOUND';
}

/** The node is unknown. No live node of the service has this name. `nodes` lists those that live. */
export class NodeNotFoundError extends PagespaceError {
  declare readonly code: 'NODE_NOT_FOUND';
}

/** The profile is unknown. No profile of this account has this name. A session with the profile mode `write` creates it. */
export class ProfileNotFoundError extends PagespaceError {
  declare readonly code: 'PROFILE_NOT_FOUND';
}

/** The approval is unknown. No step of the session waits for this approval: it is decided, its time is over, or its caller is gone. */
export class ApprovalNotFoundError extends PagespaceError {
  declare readonly code: 'APPROVAL_NOT_FOUND';
}

/** The vault entry is unknown. No vault entry of this account has this name. */
export class VaultEntryNotFoundError extends PagespaceError {
  declare readonly code: 'VAULT_ENTRY_NOT_FOUND';
}

/** The method is not allowed. The `Allow` header lists the methods of this path. */
export class MethodNotAllowedError extends PagespaceError {
  declare readonly code: 'METHOD_NOT_ALLOWED';
}

/** The request did not arrive in time. `detail` gives the time. Send the request again. */
export class RequestTimeoutError extends PagespaceError {
  declare readonly code: 'REQUEST_TIMEOUT';
}

/** Another session writes the profile. `detail` names the session. Close it, or open the profile with the mode `read`. */
export class ProfileInUseError extends PagespaceError {
  declare readonly code: 'PROFILE_IN_USE';
}

/** The profile cannot be decrypted. It was written with another key, or by another version of the service. Restore the key, or delete the profile. */
export class ProfileUnreadableError extends PagespaceError {
  declare readonly code: 'PROFILE_UNREADABLE';
}

/** Too many operations wait in this session. Operations of a session run one after another, and eight are already waiting. Wait for their responses. */
export class SessionBusyError extends PagespaceError {
  declare readonly code: 'SESSION_BUSY';
}

/** A person has the session. A person has taken the session over, or the session waits for one; `detail` says which, and who. Wait for the number of seconds in `Retry-After`, or send `wait_for_hand_back`. */
export class TakenOverError extends PagespaceError {
  declare readonly code: 'TAKEN_OVER';
}

/** The take-over has ended. The person has handed the session back, was away for too long, or another person has the session now. Take the session over again. */
export class TakeOverEndedError extends PagespaceError {
  declare readonly code: 'TAKE_OVER_ENDED';
}

/** The action is out of date. The element of the action is gone, or it means something else now. Choose an action from the new `space` in the response. */
export class ActionStaleError extends PagespaceError {
  declare readonly code: 'ACTION_STALE';
  declare readonly space: SpaceFieldsFragment;
}

/** The action cannot be performed now. The element is disabled, covered or not ready; `detail` says why. */
export class ActionBlockedError extends PagespaceError {
  declare readonly code: 'ACTION_BLOCKED';
}

/** The element did not keep the value. The value was entered, but the element holds another one now; `detail` says which. Choose a value that the element accepts; the new `space` in the response shows the page. */
export class ValueRefusedError extends PagespaceError {
  declare readonly code: 'VALUE_REFUSED';
}

/** The subscription fell behind. The subscriber read too slowly, so that updates were dropped. Subscribe again, then list the sessions. */
export class SubscriptionBehindError extends PagespaceError {
  declare readonly code: 'SUBSCRIPTION_BEHIND';
}

/** The session is closed. Start a new session. */
export class SessionClosedError extends PagespaceError {
  declare readonly code: 'SESSION_CLOSED';
}

/** The session timed out. It was idle for its timeout, or it reached the maximum lifetime of a session; `detail` says which. Start a new session. */
export class SessionTimedOutError extends PagespaceError {
  declare readonly code: 'SESSION_TIMED_OUT';
}

/** The session has failed. Its browser was lost, or it exceeded a limit; `detail` says which. Start a new session. */
export class SessionError extends PagespaceError {
  declare readonly code: 'SESSION_ERROR';
}

/** The link has expired. The signed address of a file is valid for 15 minutes. Read the address again. */
export class LinkExpiredError extends PagespaceError {
  declare readonly code: 'LINK_EXPIRED';
}

/** The record was removed. The retention time of records is over, or the owner removed it. */
export class RecordExpiredError extends PagespaceError {
  declare readonly code: 'RECORD_EXPIRED';
}

/** The body is too large. Send a smaller body or a smaller file. */
export class BodyTooLargeError extends PagespaceError {
  declare readonly code: 'BODY_TOO_LARGE';
}

/** The content type or encoding is not supported. Send "Content-Type: application/json". The body may have one Content-Encoding: gzip, deflate, br or zstd. */
export class UnsupportedMediaTypeError extends PagespaceError {
  declare readonly code: 'UNSUPPORTED_MEDIA_TYPE';
}

/** The request is not valid. `errors` names each field that is not valid and says why. */
export class ValidationError extends PagespaceError {
  declare readonly code: 'VALIDATION_ERROR';
}

/** The action id is unknown. No action with this id was listed in this session. Observe the page first. */
export class ActionNotFoundError extends PagespaceError {
  declare readonly code: 'ACTION_NOT_FOUND';
}

/** The page has not been observed. A step needs an observation. Observe a page in this session first. */
export class NotObservedError extends PagespaceError {
  declare readonly code: 'NOT_OBSERVED';
}

/** Too many requests. Wait for the number of seconds in `Retry-After`. */
export class RateLimitedError extends PagespaceError {
  declare readonly code: 'RATE_LIMITED';
}

/** Too many sessions at once. The account has as many active sessions as its tier allows. Close a session, or wait until one ends. */
export class ConcurrencyLimitError extends PagespaceError {
  declare readonly code: 'CONCURRENCY_LIMIT';
}

/** The quota is used up. It is the browser minutes of the account for today (UTC), or the file space of the session or of the account; `detail` says which. Wait for the number of seconds in `Retry-After`, or change the tier. */
export class QuotaExhaustedError extends PagespaceError {
  declare readonly code: 'QUOTA_EXHAUSTED';
}

/** The headers are too large. The path, the query and the headers have at most 16 KiB together. Send long GraphQL queries by POST. */
export class HeadersTooLargeError extends PagespaceError {
  declare readonly code: 'HEADERS_TOO_LARGE';
}

/** The service failed. Quote the request id (`request_id`, in GraphQL `requestId`) when you report it. */
export class InternalError extends PagespaceError {
  declare readonly code: 'INTERNAL';
}

/** The page could not be loaded. The host name was not found, or the site refused or broke the connection. */
export class NavigationFailedError extends PagespaceError {
  declare readonly code: 'NAVIGATION_FAILED';
}

/** The page or its browser crashed. `session` in the response says whether the session is still active. */
export class BrowserCrashedError extends PagespaceError {
  declare readonly code: 'BROWSER_CRASHED';
}

/** The service is at capacity. All browser sessions of the service are in use. Wait for the number of seconds in `Retry-After`. */
export class AtCapacityError extends PagespaceError {
  declare readonly code: 'AT_CAPACITY';
}

/** Too many connections. The service, or your network address, has as many connections as it may have. Send several requests over one connection. */
export class TooManyConnectionsError extends PagespaceError {
  declare readonly code: 'TOO_MANY_CONNECTIONS';
}

/** The service is shutting down. Try again in a few seconds. */
export class ShuttingDownError extends PagespaceError {
  declare readonly code: 'SHUTTING_DOWN';
}

/** A part of the service cannot be reached. The operation needs the database, the message bus, the keys of the issuer of access tokens or the node that runs the session; `detail` says which is missing. Nothing was done. Wait for the number of seconds in `Retry-After`. */
export class DependencyUnavailableError extends PagespaceError {
  declare readonly code: 'DEPENDENCY_UNAVAILABLE';
}

/** The outcome of the operation is unknown. The node that runs the session stopped answering after it had received the operation, which may have been performed. Read the session before you decide what to do next. */
export class OutcomeUnknownError extends PagespaceError {
  declare readonly code: 'OUTCOME_UNKNOWN';
}

/** The disk of the service is full. The service could not write the result of the operation. Sessions can still be read and closed. Try again later, or tell the operator of the service. */
export class StorageFullError extends PagespaceError {
  declare readonly code: 'STORAGE_FULL';
}

/** The page did not load in time. The site was too slow. */
export class NavigationTimeoutError extends PagespaceError {
  declare readonly code: 'NAVIGATION_TIMEOUT';
}

/** The awaited condition was not met in time. `wait_for`, or the special action for waiting, ran out; `space` shows the page as it is. A step was performed before the wait: do not repeat it, observe with the same `wait_for`. */
export class WaitTimeoutError extends PagespaceError {
  declare readonly code: 'WAIT_TIMEOUT';
}

/** The operation took too long. It did not finish before its deadline. */
export class OperationTimeoutError extends PagespaceError {
  declare readonly code: 'OPERATION_TIMEOUT';
}

type FailureErrorClass = new (code: FailureCode, message: string, details?: ErrorDetails) => PagespaceError;

/** The class of each failure code. */
export const FAILURE_ERRORS: Readonly<Record<FailureCode, FailureErrorClass>> = {
  INVALID_JSON: InvalidJsonError,
  INVALID_HTTP: InvalidHttpError,
  MISSING_API_KEY: MissingApiKeyError,
  INVALID_API_KEY: InvalidApiKeyError,
  REVOKED_API_KEY: RevokedApiKeyError,
  EXPIRED_API_KEY: ExpiredApiKeyError,
  SHARE_LINK_ENDED: ShareLinkEndedError,
  BALANCE_EXHAUSTED: BalanceExhaustedError,
  URL_BLOCKED: UrlBlockedError,
  SCOPE_DENIED: ScopeDeniedError,
  PERSISTED_QUERY_ONLY: PersistedQueryOnlyError,
  POLICY_REFUSED: PolicyRefusedError,
  APPROVAL_REFUSED: ApprovalRefusedError,
  VAULT_REFUSED: VaultRefusedError,
  WALLET_REFUSED: WalletRefusedError,
  ORIGIN_REFUSED: OriginRefusedError,
  NOT_FOUND: NotFoundError,
  PERSISTED_QUERY_NOT_FOUND: PersistedQueryNotFoundError,
  SESSION_NOT_FOUND: SessionNotFoundError,
  KEY_NOT_FOUND: KeyNotFoundError,
  ACCOUNT_NOT_FOUND: AccountNotFoundError,
  NODE_NOT_FOUND: NodeNotFoundError,
  PROFILE_NOT_FOUND: ProfileNotFoundError,
  APPROVAL_NOT_FOUND: ApprovalNotFoundError,
  VAULT_ENTRY_NOT_FOUND: VaultEntryNotFoundError,
  METHOD_NOT_ALLOWED: MethodNotAllowedError,
  REQUEST_TIMEOUT: RequestTimeoutError,
  PROFILE_IN_USE: ProfileInUseError,
  PROFILE_UNREADABLE: ProfileUnreadableError,
  SESSION_BUSY: SessionBusyError,
  TAKEN_OVER: TakenOverError,
  TAKE_OVER_ENDED: TakeOverEndedError,
  ACTION_STALE: ActionStaleError,
  ACTION_BLOCKED: ActionBlockedError,
  VALUE_REFUSED: ValueRefusedError,
  SUBSCRIPTION_BEHIND: SubscriptionBehindError,
  SESSION_CLOSED: SessionClosedError,
  SESSION_TIMED_OUT: SessionTimedOutError,
  SESSION_ERROR: SessionError,
  LINK_EXPIRED: LinkExpiredError,
  RECORD_EXPIRED: RecordExpiredError,
  BODY_TOO_LARGE: BodyTooLargeError,
  UNSUPPORTED_MEDIA_TYPE: UnsupportedMediaTypeError,
  VALIDATION_ERROR: ValidationError,
  ACTION_NOT_FOUND: ActionNotFoundError,
  NOT_OBSERVED: NotObservedError,
  RATE_LIMITED: RateLimitedError,
  CONCURRENCY_LIMIT: ConcurrencyLimitError,
  QUOTA_EXHAUSTED: QuotaExhaustedError,
  HEADERS_TOO_LARGE: HeadersTooLargeError,
  INTERNAL: InternalError,
  NAVIGATION_FAILED: NavigationFailedError,
  BROWSER_CRASHED: BrowserCrashedError,
  AT_CAPACITY: AtCapacityError,
  TOO_MANY_CONNECTIONS: TooManyConnectionsError,
  SHUTTING_DOWN: ShuttingDownError,
  DEPENDENCY_UNAVAILABLE: DependencyUnavailableError,
  OUTCOME_UNKNOWN: OutcomeUnknownError,
  STORAGE_FULL: StorageFullError,
  NAVIGATION_TIMEOUT: NavigationTimeoutError,
  WAIT_TIMEOUT: WaitTimeoutError,
  OPERATION_TIMEOUT: OperationTimeoutError,
};
