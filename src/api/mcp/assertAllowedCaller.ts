/** Checks Host and Origin of requests to /mcp, so that no web page can use it through a visitor's browser. */

import { isIP } from 'node:net';
import { Failure } from '../../domain/failure/failures.ts';
import { cutText } from '../../domain/space/pageText.ts';
import type { HttpContext } from '../http/httpContext.ts';

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/i;

/**
 * Requires that `Host` names this service: the host of its public URL, an IP address, or a name without a dot (localhost,
 * a container). Public DNS cannot make one of those point here (DNS rebinding). Requires that `Origin`, which browsers
 * send, is the service's own or one that the operator has allowed, or that a page and a service on the same machine talk to each other.
 * @param origin the service's own origin
 * @throws Failure ORIGIN_REFUSED
 */
export function assertAllowedCaller(
  { headers, isLocal, isAllowedOrigin }: Pick<HttpContext, 'headers' | 'isLocal' | 'isAllowedOrigin'>,
  origin: string,
): void {
  const host = headers.host ?? '';
  if (host !== new URL(origin).host && !isUnambiguous(hostNameOf(`http://${host}`)))
    throw refused(`The Host ${JSON.stringify(host.slice(0, 100))} is not this service.`);
  const sent = headers.origin;
  if (sent === undefined || sent === origin || isAllowedOrigin) return;
  if (isLocal && LOOPBACK.test(hostNameOf(sent))) return;
  throw refused(`Pages of ${cutText(sent, 100)} may not use this service.`);
}

const hostNameOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : '');

const isUnambiguous = (name: string): boolean =>
  name !== '' && (!name.includes('.') || isIP(name) !== 0 || isIP(name.replace(/^\[|\]$/g, '')) !== 0);

const refused = (detail: string): Failure => new Failure('ORIGIN_REFUSED', detail);
