/** Playwright's and Chromium's errors → Failure; nowhere else. */
import { Failure, isFailure } from '../../domain/failures.ts';
import type { Deadline } from '../../domain/ports/deadline.ts';
import { stripCredentials } from '../../domain/redactUrl.ts';
import { isResponseTooLarge, MESSAGE_LIMITS } from './messageLimits.ts';

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The document an expression ran in was replaced: read again. */
export const isDocumentGone = (error: unknown): boolean =>
  /Cannot find context with specified id|Execution context was destroyed|uniqueContextId not found|Inspected target navigated|Cannot find execution context|Frame was detached|frame got detached|No frame for given id|Argument should belong to the same JavaScript world|Could not find object with given id|Session with given id not found/i.test(
    messageOf(error),
  );

/** The page, its process or the browser is not there any more. */
export const isTargetGone = (error: unknown): boolean =>
  /Target page, context or browser has been closed|Target closed|Target crashed|Page crashed|browser has disconnected|Browser closed|Session closed|Connection closed|has been closed/i.test(
    messageOf(error),
  );

/** Whatever ran in the page was ended, so that somebody else got in. */
export const isExecutionTerminated = (error: unknown): boolean =>
  /Execution was terminated/i.test(messageOf(error));

/** Playwright met an element that has no such member, because the page hides it: a form with an input named `focus`. */
const isShadowedElement = (error: unknown): boolean =>
  /^(?:locator|frame|page)\.\w+: TypeError/.test(messageOf(error));

/** Playwright gave up waiting. */
export const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError';

/** The failure when an operation's time is up or its caller has gone. */
export function deadlineFailure(deadline: Deadline): Failure {
  const reason: unknown = deadline.signal.reason;
  return isFailure(reason)
    ? reason
    : new Failure('OPERATION_TIMEOUT', 'The page did not let the operation finish in time.', {
        cause: reason,
      });
}

/** The page's process died under the operation. */
export const pageCrashedFailure = (cause?: unknown): Failure =>
  new Failure(
    'BROWSER_CRASHED',
    'The page crashed while the operation ran. Try again, or open another page.',
    {
      cause,
    },
  );

/** Whatever went wrong in the browser, as a Failure where a caller can act on it; other errors come back as they are. */
export function toFailure(error: unknown, deadline: Deadline): unknown {
  if (isFailure(error)) return error;
  if (deadline.signal.aborted) return deadlineFailure(deadline);
  // Not by a dialog: who waits for a page with one takes that for an answer, and none comes here.
  if (isTargetGone(error) || (error instanceof Error && error.name === 'Interrupted'))
    return pageCrashedFailure(error);
  if (isTimeout(error))
    return new Failure('OPERATION_TIMEOUT', 'The page did not let the operation finish in time.', {
      cause: error,
    });
  if (isShadowedElement(error))
    return new Failure(
      'ACTION_BLOCKED',
      'The element cannot be acted on: the page hides what the browser made of it behind names of its own.',
      { cause: error },
    );
  if (isResponseTooLarge(error))
    return new Failure(
      'NAVIGATION_FAILED',
      `The page was opened, but what was asked of it is more than ${MESSAGE_LIMITS.response / 1e6} MB. Ask for less: fewer parts, or a picture of the viewport.`,
      { cause: error },
    );
  return error;
}

/** Chromium's network errors in words. Source: net/base/net_error_list.h. */
const NETWORK_ERRORS: Readonly<Record<string, string>> = {
  ERR_NAME_NOT_RESOLVED: 'its name could not be found',
  ERR_CONNECTION_REFUSED: 'the server refused the connection',
  ERR_CONNECTION_RESET: 'the server broke off the connection',
  ERR_CONNECTION_CLOSED: 'the server closed the connection',
  ERR_EMPTY_RESPONSE: 'the server sent nothing',
  ERR_CONNECTION_TIMED_OUT: 'the connection timed out',
  ERR_ADDRESS_UNREACHABLE: 'the address cannot be reached',
  ERR_INTERNET_DISCONNECTED: 'there is no network',
  ERR_TOO_MANY_REDIRECTS: 'it redirects without end',
  ERR_INVALID_REDIRECT: 'it redirects to an address that is none',
  ERR_UNSAFE_REDIRECT: 'it redirects to an address that may not be opened',
  ERR_UNSAFE_PORT: 'that port may not be opened',
  ERR_INVALID_AUTH_CREDENTIALS: 'it asks for a user name and password',
  ERR_INVALID_RESPONSE: 'the server sent something that is not HTTP',
  ERR_INVALID_HTTP_RESPONSE: 'the server sent something that is not HTTP',
  ERR_SSL_PROTOCOL_ERROR: 'its TLS is broken',
  ERR_BLOCKED_BY_RESPONSE: 'the server forbids it to be shown',
  ERR_TUNNEL_CONNECTION_FAILED: 'no connection to the server could be made',
  ERR_PROXY_CONNECTION_FAILED: 'no connection to the server could be made',
  ERR_ABORTED: 'the page did not load: the server answered with nothing to show, or the load was broken off',
};

/** Whether a navigation failed because its address is a file to keep, not a page. */
export const isDownloadStart = (error: unknown): boolean => /Download is starting/i.test(messageOf(error));

/** Whether Chromium shows a page of its own in the place of the one that failed: not for an answer without content, or a load broken off. */
export const hasErrorPage = (error: unknown): boolean => /net::ERR_(?!ABORTED)/.test(messageOf(error));

/** Chromium is exchanging the page's frame for another at this moment, and answers nothing about it. */
export const isPageBeingReplaced = (error: unknown): boolean =>
  /Not attached to an active page/i.test(messageOf(error));

/** A failed navigation as NAVIGATION_FAILED or NAVIGATION_TIMEOUT; other errors through `translate`. */
export function toNavigationFailure(
  error: unknown,
  address: string,
  timeoutMs: number,
  deadline: Deadline,
): unknown {
  if (isFailure(error) || deadline.signal.aborted) return toFailure(error, deadline);
  const message = messageOf(error);
  const url = stripCredentials(address);
  if (isTimeout(error))
    return new Failure(
      'NAVIGATION_TIMEOUT',
      `${url} did not answer within ${Math.round(timeoutMs / 1000)} seconds. Try again later.`,
      { cause: error },
    );
  if (isDownloadStart(error))
    return new Failure(
      'NAVIGATION_FAILED',
      `${url} is a download, not a page. The file is kept among the session's downloads; a scrape of the address reads it.`,
      { cause: error },
    );
  const code = /net::(ERR_[A-Z0-9_]+)/.exec(message)?.[1];
  if (code === 'ERR_UNSAFE_REDIRECT' || code === 'ERR_UNSAFE_PORT')
    return new Failure('URL_BLOCKED', `${url} may not be opened: ${NETWORK_ERRORS[code]}.`, { cause: error });
  if (code !== undefined) {
    const why =
      NETWORK_ERRORS[code] ??
      (code.startsWith('ERR_CERT_') ? 'its certificate is not valid' : 'the browser could not load it');
    return new Failure('NAVIGATION_FAILED', `${url} could not be opened: ${why} (${code}).`, {
      cause: error,
    });
  }
  if (isPageBeingReplaced(error))
    return new Failure('NAVIGATION_FAILED', 'The page was being replaced by another. Try again.', {
      cause: error,
    });
  if (/invalid url/i.test(message))
    return new Failure('NAVIGATION_FAILED', `${url} is not an address that a browser can open.`, {
      cause: error,
    });
  if (/interrupted by another navigation|frame was detached|NS_BINDING_ABORTED/i.test(message))
    return new Failure(
      'NAVIGATION_FAILED',
      `${url} could not be opened: another navigation took its place.`,
      { cause: error },
    );
  return toFailure(error, deadline);
}

/** Codes of Node's resolver and sockets in words. Source: https://nodejs.org/api/errors.html#common-system-errors. */
const SOCKET_ERRORS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its name could not be found',
  EAI_AGAIN: 'its name could not be looked up now',
  ENODATA: 'its name has no address',
  ECONNREFUSED: 'the server refused the connection',
  ECONNRESET: 'the server broke off the connection',
  ETIMEDOUT: 'the connection timed out',
  EHOSTUNREACH: 'the address cannot be reached',
  ENETUNREACH: 'the address cannot be reached',
};

/** The failure of an address that brought no answer to the egress proxy; `reason` is a code, or a sentence without its end. */
export function unreachableFailure(url: string, reason: string): Failure {
  const known = reason.startsWith('HPE_')
    ? 'the server sent something that is not HTTP'
    : SOCKET_ERRORS[reason];
  const why = / /.test(reason)
    ? reason
    : `${known ?? 'no connection to the server could be made'} (${reason})`;
  return new Failure(
    'NAVIGATION_FAILED',
    `${stripCredentials(url).slice(0, 500)} could not be opened: ${why}.`,
  );
}

/** The failure of an address to which the session's own proxy made no connection. */
export const proxyFailure = (url: string, reason: string): Failure =>
  new Failure('NAVIGATION_FAILED', `${stripCredentials(url).slice(0, 500)} could not be opened: ${reason}.`);
