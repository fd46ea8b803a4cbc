/** Converts errors of a navigation to failures with texts for the caller. */
import { Failure, isFailure } from '../../domain/failure/failures.ts';
import type { Deadline } from '../../domain/ports/clock.ts';
import { quoteUrl } from '../../domain/webAddress.ts';
import { toFailure } from '../cdp/errors.ts';
import {
  isDownloadStart,
  isInvalidUrl,
  isNavigationFrameGone,
  isNavigationInterrupted,
  isPageBeingReplaced,
  isTimeout,
  networkErrorOf,
} from '../cdp/playwrightInternals.ts';

/** Texts for Chromium's network errors, by code, as the end of a sentence. Source of the codes: net/base/net_error_list.h. */
const NETWORK_ERRORS: Readonly<Record<string, string>> = {
  ERR_NAME_NOT_RESOLVED: 'its name could not be found',
  ERR_CONNECTION_REFUSED: 'the server refused the connection',
  ERR_CONNECTION_RESET: 'the server closed the connection',
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

/**
 * Converts the error of a navigation to NAVIGATION_FAILED, NAVIGATION_TIMEOUT or URL_BLOCKED; passes every other error
 * to `toFailure`.
 * @param requestedUrl the last URL that was requested, after redirects
 * @param timeoutMs the timeout that the navigation had, for the text of NAVIGATION_TIMEOUT
 */
export function toNavigationFailure(
  error: unknown,
  requestedUrl: string,
  timeoutMs: number,
  deadline: Deadline,
): unknown {
  if (isFailure(error) || deadline.signal.aborted) return toFailure(error, deadline);
  const url = quoteUrl(requestedUrl);
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
      { retryable: false, cause: error },
    );
  const code = networkErrorOf(error);
  if (code === 'ERR_UNSAFE_REDIRECT' || code === 'ERR_UNSAFE_PORT')
    return new Failure('URL_BLOCKED', `${url} may not be opened: ${NETWORK_ERRORS[code]}.`, { cause: error });
  if (code !== null) {
    const why =
      NETWORK_ERRORS[code] ??
      (code.startsWith('ERR_CERT_') ? 'its certificate is not valid' : 'the browser could not load it');
    return new Failure('NAVIGATION_FAILED', `${url} could not be opened: ${why} (${code}).`, {
      ...(code.startsWith('ERR_CERT_') && { retryable: false }),
      cause: error,
    });
  }
  if (isPageBeingReplaced(error))
    return new Failure('NAVIGATION_FAILED', 'The page was being replaced by another. Try again.', {
      cause: error,
    });
  if (isInvalidUrl(error))
    return new Failure('NAVIGATION_FAILED', `${url} is not an address that a browser can open.`, {
      retryable: false,
      cause: error,
    });
  if (isNavigationInterrupted(error) || isNavigationFrameGone(error))
    return new Failure(
      'NAVIGATION_FAILED',
      `${url} could not be opened: another navigation took its place.`,
      { cause: error },
    );
  return toFailure(error, deadline);
}
