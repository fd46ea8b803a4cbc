/** Who is asking: a request's key → Viewer. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Viewer } from '../../domain/account.ts';
import { isFailure } from '../../domain/failures.ts';
import type { ApiKeyAuth, RateLimit } from '../../service/pagespace.ts';

/** What signing a caller in asks of the service. */
type AuthService = Pick<ApiKeyAuth, 'authenticate'> & Pick<RateLimit, 'countRefusedKey'>;

/**
 * The viewer behind a request's `Authorization: Bearer <API_KEY>`.
 * @param address where the request comes from: too many refused from there are refused as such
 * @throws Failure MISSING_API_KEY, INVALID_API_KEY, REVOKED_API_KEY, EXPIRED_API_KEY, RATE_LIMITED
 */
export const authenticate = (
  service: AuthService,
  headers: IncomingHttpHeaders,
  address: string,
): Promise<Viewer> => authenticateHeader(service, headers.authorization, address);

// A good key is let in whatever its neighbours behind the same address did.
async function authenticateHeader(
  service: AuthService,
  authorization: string | null | undefined,
  address: string,
): Promise<Viewer> {
  try {
    return await service.authenticate(authorization);
  } catch (error) {
    if (isFailure(error) && error.definition.status === 401) await service.countRefusedKey(address);
    throw error;
  }
}

/**
 * The viewer behind a WebSocket's `connectionParams.authorization` (or `Authorization`); browsers cannot send headers there.
 * The header of the upgrade counts where the parameter is absent.
 * @throws Failure as viewerOf
 */
export function authenticateSocket(
  service: AuthService,
  params: Readonly<Record<string, unknown>> | null | undefined,
  headers: IncomingHttpHeaders,
  address: string,
): Promise<Viewer> {
  const sent = params?.authorization ?? params?.Authorization ?? headers.authorization;
  return authenticateHeader(service, typeof sent === 'string' ? sent : null, address);
}
