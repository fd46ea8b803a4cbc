/** The routes /health and /ready, for load balancers. */
import type { Pagespace } from '../../service/pagespace.ts';
import type { HttpContext } from '../http/httpContext.ts';
import { type HttpResponse, jsonResponse } from '../http/httpResponse.ts';
import type { HttpRoute } from '../http/httpRoute.ts';

/** The service that the health probes report on, and its shutdown signal. */
export interface ProbeDeps {
  readonly service: Pick<Pagespace, 'activeSessionCount' | 'readiness'>;
  readonly version: string;
  /** Aborts when the service shuts down. */
  readonly shutdownSignal: AbortSignal;
}

const RETRY_LATER = { 'retry-after': '5' };

/**
 * Creates the routes /health and /ready. /health answers 200 while the process serves requests. /ready answers 200 if a
 * session can start now, else 503 with the reason, such as a full disk or a drain. /ready?capacity=ignore is for the proxy in
 * front of the requests of running sessions: a full node is ready. During shutdown both answer 503.
 */
export function healthProbes({ service, version, shutdownSignal }: ProbeDeps): readonly HttpRoute[] {
  const probe = (path: string, handle: (http: HttpContext) => HttpResponse): HttpRoute => ({
    method: 'GET',
    path,
    duringShutdown: true,
    handle,
  });
  return [
    probe('/health', () => {
      const fields = { active_sessions: service.activeSessionCount(), version };
      return shutdownSignal.aborted
        ? jsonResponse(503, { status: 'shutting_down', ...fields }, RETRY_LATER)
        : jsonResponse(200, { status: 'ok', ...fields });
    }),
    probe('/ready', ({ query }) => {
      if (shutdownSignal.aborted) return jsonResponse(503, { status: 'shutting_down', version }, RETRY_LATER);
      const readiness = service.readiness();
      const ignoresCapacity = query.get('capacity') === 'ignore';
      const status = readiness === 'at_capacity' && ignoresCapacity ? 'ready' : readiness;
      return status === 'ready'
        ? jsonResponse(200, { status, version })
        : jsonResponse(503, { status, version }, RETRY_LATER);
    }),
  ];
}
