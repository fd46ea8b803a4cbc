/** Who is asking, where that is the service's own page. */
import type { Viewer } from '../../domain/account.ts';
import type { Admission, WalletSignIn } from '../../service/verbs.ts';
import type { Exchange } from '../exchange.ts';
import { assertOwnOrigin } from './ownOrigin.ts';
import { unlessRefused } from './unlessRefused.ts';
import { visitToken } from './visitCookie.ts';

/**
 * The viewer behind the cookie of a visit. It counts for POSTs of the page itself, not for streams, and not beside a key.
 * @returns null where the request has no such cookie: then it needs a key
 * @throws Failure ORIGIN_REFUSED, WALLET_REFUSED, RATE_LIMITED
 */
export async function visitorOf(
  service: WalletSignIn & Pick<Admission, 'keyRefused'>,
  exchange: Exchange,
  origin: string,
): Promise<Viewer | null> {
  const { headers, method } = exchange;
  if (headers.authorization !== undefined || method !== 'POST') return null;
  if (headers.accept?.includes('text/event-stream') === true) return null;
  const token = visitToken(exchange, origin);
  if (token === null) return null;
  assertOwnOrigin(exchange, origin);
  return unlessRefused(service, exchange.address, () => service.visitor(token));
}
