/** Makes failures of navigations for which the egress proxy made no connection. */

import { Failure } from '../../domain/failure/failures.ts';
import { quoteUrl } from '../../domain/webAddress.ts';
import { documentRefusal, urlBlocked } from './checkAddress.ts';
import type { ProxyEndpoint } from './proxyEndpoint.ts';

/** Clauses for error messages, by error code of Node's resolver and sockets (https://nodejs.org/api/errors.html#common-system-errors). */
const SOCKET_ERRORS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its name could not be found',
  EAI_AGAIN: 'its name could not be looked up now',
  ENODATA: 'its name has no address',
  ECONNREFUSED: 'the server refused the connection',
  ECONNRESET: 'the server closed the connection',
  ETIMEDOUT: 'the connection timed out',
  EHOSTUNREACH: 'the address cannot be reached',
  ENETUNREACH: 'the address cannot be reached',
};

/**
 * Explains why a navigation failed. Only the egress proxy knows the reason: the browser gets the same network error for
 * every target.
 * @param url the last URL of the navigation, after redirects
 * @returns URL_BLOCKED or NAVIGATION_FAILED; null when the proxy connected to the URL's host and port
 */
export function egressFailure(proxy: Pick<ProxyEndpoint, 'failureOf'>, url: string): Failure | null {
  const refusal = documentRefusal(url);
  if (refusal !== null) return urlBlocked(url, refusal);
  const failure = proxy.failureOf(url);
  if (failure === null) return null;
  if (failure.type === 'blocked') return urlBlocked(url, failure.reason);
  const reason = failure.type === 'unreachable' ? describeUnreachable(failure.reason) : failure.reason;
  return new Failure('NAVIGATION_FAILED', `${quoteUrl(url)} could not be opened: ${reason}.`);
}

/** Returns a clause that explains why no server responded. @param reason an error code, or a clause, which is returned unchanged */
function describeUnreachable(reason: string): string {
  if (reason.includes(' ')) return reason;
  const description = reason.startsWith('HPE_')
    ? 'the server sent something that is not HTTP'
    : SOCKET_ERRORS[reason];
  return `${description ?? 'no connection to the server could be made'} (${reason})`;
}
