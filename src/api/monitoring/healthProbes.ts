/** /health and /ready: for load balancers and people; public. */
import type { Pagespace } from '../../service/pagespace.ts';
import type { GetRoutes } from '../http/getRoutes.ts';
import { jsonResponse } from '../http/httpContext.ts';

/** What the probes look at. */
export interface ProbeDeps {
  readonly service: Pagespace;
  readonly version: string;
  /** Aborts when the service shuts down. */
  readonly shutdownSignal: AbortSignal;
}

const RETRY_LATER = { 'retry-after': '5' };

/** /health answers 200 while the process serves; /ready answers 503 when no session could be started now. Both 503 while it shuts down. */
export const healthProbes = ({ service, version, shutdownSignal }: ProbeDeps): GetRoutes => ({
  '/health': () => {
    const facts = { active_sessions: service.activeSessionCount(), version };
    return shutdownSignal.aborted
      ? jsonResponse(503, { status: 'shutting_down', ...facts }, RETRY_LATER)
      : jsonResponse(200, { status: 'ok', ...facts });
  },
  '/ready': () => {
    if (shutdownSignal.aborted) return jsonResponse(503, { status: 'shutting_down', version }, RETRY_LATER);
    return service.hasCapacity()
      ? jsonResponse(200, { status: 'ready', version })
      : jsonResponse(503, { status: 'at_capacity', version }, RETRY_LATER);
  },
});
