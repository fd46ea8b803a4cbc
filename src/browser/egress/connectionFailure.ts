/** Failures of addresses to which the egress proxy made no connection. */
import { Failure } from '../../domain/failures.ts';
import { stripCredentials } from '../../domain/redactUrl.ts';

/** Codes of Node's resolver and sockets, explained. Source: https://nodejs.org/api/errors.html#common-system-errors. */
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

/**
 * The failure of an address that did not answer the egress proxy.
 * @param reason an error code, or a sentence without its full stop
 */
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

/** The failure of an address to which the caller's own proxy made no connection. @param reason a sentence without its full stop */
export const proxyFailure = (url: string, reason: string): Failure =>
  new Failure('NAVIGATION_FAILED', `${stripCredentials(url).slice(0, 500)} could not be opened: ${reason}.`);
