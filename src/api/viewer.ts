/** Who is asking: a request's key → Viewer. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Viewer } from '../domain/account.ts';
import type { SignIn } from '../service/verbs.ts';

/**
 * The viewer behind a request's `Authorization: Bearer <API_KEY>`.
 * @throws Failure MISSING_API_KEY, INVALID_API_KEY, REVOKED_API_KEY, EXPIRED_API_KEY
 */
export const viewerOf = (service: SignIn, headers: IncomingHttpHeaders): Promise<Viewer> =>
  service.viewer(headers.authorization);

/**
 * The viewer behind a WebSocket's `connectionParams.authorization` (or `Authorization`); browsers cannot send headers there.
 * The header of the upgrade counts where the parameter is absent.
 * @throws Failure as viewerOf
 */
export function socketViewer(
  service: SignIn,
  params: Readonly<Record<string, unknown>> | null | undefined,
  headers: IncomingHttpHeaders,
): Promise<Viewer> {
  const sent = params?.authorization ?? params?.Authorization ?? headers.authorization;
  return service.viewer(typeof sent === 'string' ? sent : null);
}
