/** Whether a request comes from the service's own page: cookies count only then. */
import { Failure } from '../../domain/failures.ts';
import type { HttpContext } from '../http/httpContext.ts';

/**
 * Browsers send Origin with every POST and let no page set it; what sends none is no browser and has no cookie to misuse,
 * but no reason to send one either.
 * @throws Failure ORIGIN_REFUSED
 */
export function assertOwnOrigin({ headers }: Pick<HttpContext, 'headers'>, origin: string): void {
  if (headers.origin === origin) return;
  throw new Failure(
    'ORIGIN_REFUSED',
    `Signing in works on ${origin} only. Open the page there, or use an API key.`,
  );
}
