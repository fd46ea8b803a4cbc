/** Protects requests that carry the cookie of a web session against cross-site request forgery. */
import { Failure } from '../../domain/failure/failures.ts';
import type { HttpContext } from '../http/httpContext.ts';

/**
 * Requires that the header `Origin` is the service's own origin. Browsers send it with every POST and pages cannot set
 * it, so a request without it is refused too.
 * @throws Failure ORIGIN_REFUSED
 */
export function assertOwnOrigin({ headers }: Pick<HttpContext, 'headers'>, origin: string): void {
  if (headers.origin === origin) return;
  throw new Failure(
    'ORIGIN_REFUSED',
    `Wallet sign-in works only on ${origin}. Open the page there, or use an API key.`,
  );
}
