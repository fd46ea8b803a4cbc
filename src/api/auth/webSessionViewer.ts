/** Authenticates a caller by the cookie of a web session. */
import type { Viewer } from '../../domain/account/account.ts';
import type { RateLimit, WalletAuth } from '../../service/pagespace.ts';
import type { HttpContext } from '../http/httpContext.ts';
import { assertOwnOrigin } from './assertOwnOrigin.ts';
import { countRefusals } from './countRefusals.ts';
import { webSessionToken } from './webSessionCookie.ts';

/**
 * Authenticates a request by the cookie of a web session, which the home page uses. Accepts the cookie only for POST
 * requests without an `Authorization` header that do not ask for server-sent events.
 * @param origin the service's own origin
 * @returns the viewer; null if the cookie is missing or not accepted, so that the request needs an API key
 * @throws Failure ORIGIN_REFUSED, WALLET_REFUSED, RATE_LIMITED
 */
export async function webSessionViewer(
  service: WalletAuth & Pick<RateLimit, 'countRefusedKey'>,
  http: HttpContext,
  origin: string,
): Promise<Viewer | null> {
  const { headers, method } = http;
  if (headers.authorization !== undefined || method !== 'POST') return null;
  if (headers.accept?.includes('text/event-stream') === true) return null;
  const token = webSessionToken(http, origin);
  if (token === null) return null;
  assertOwnOrigin(http, origin);
  const viewer = await countRefusals(service, http.callerNetwork, () =>
    service.authenticateWebSession(token),
  );
  http.record.accountId = viewer.account.id;
  return viewer;
}
