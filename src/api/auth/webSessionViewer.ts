/** Who is asking, where that is the service's own page. */
import type { Viewer } from '../../domain/account.ts';
import type { RateLimit, WalletAuth } from '../../service/pagespace.ts';
import type { HttpContext } from '../http/httpContext.ts';
import { assertOwnOrigin } from './assertOwnOrigin.ts';
import { countRefusals } from './countRefusals.ts';
import { webSessionToken } from './webSessionCookie.ts';

/**
 * The viewer behind the cookie of a visit. It counts for POSTs of the page itself, not for streams, and not beside a key.
 * @returns null where the request has no such cookie: then it needs a key
 * @throws Failure ORIGIN_REFUSED, WALLET_REFUSED, RATE_LIMITED
 */
export async function webSessionViewer(
  service: WalletAuth & Pick<RateLimit, 'countRefusedKey'>,
  exchange: HttpContext,
  origin: string,
): Promise<Viewer | null> {
  const { headers, method } = exchange;
  if (headers.authorization !== undefined || method !== 'POST') return null;
  if (headers.accept?.includes('text/event-stream') === true) return null;
  const token = webSessionToken(exchange, origin);
  if (token === null) return null;
  assertOwnOrigin(exchange, origin);
  return countRefusals(service, exchange.callerNetwork, () => service.authenticateWebSession(token));
}
