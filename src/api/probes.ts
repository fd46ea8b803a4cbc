/** /health and /ready: for load balancers and people; public. */
import type { Pagespace } from '../service/verbs.ts';
import { json } from './exchange.ts';
import type { Resources } from './resources.ts';

/** What the probes look at. */
export interface ProbeParts {
  readonly service: Pagespace;
  readonly version: string;
  /** Aborts when the service shuts down. */
  readonly ending: AbortSignal;
}

const LATER = { 'retry-after': '5' };

/** /health answers 200 while the process serves; /ready answers 503 when no session could be started now. Both 503 while it shuts down. */
export const probes = ({ service, version, ending }: ProbeParts): Resources => ({
  '/health': () => {
    const facts = { active_sessions: service.activeSessions(), version };
    return ending.aborted
      ? json(503, { status: 'shutting_down', ...facts }, LATER)
      : json(200, { status: 'ok', ...facts });
  },
  '/ready': () => {
    if (ending.aborted) return json(503, { status: 'shutting_down', version }, LATER);
    return service.ready()
      ? json(200, { status: 'ready', version })
      : json(503, { status: 'at_capacity', version }, LATER);
  },
});
