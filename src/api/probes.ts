/** /health and /ready: for load balancers and people; public. */
import type { Pagespace } from '../service/verbs.ts';
import { json } from './exchange.ts';
import type { Resources } from './resources.ts';

/** /health answers 200 while the process serves; /ready answers 503 when no session could be started now. */
export const probes = ({ service, version }: { service: Pagespace; version: string }): Resources => ({
  '/health': () => json(200, { status: 'ok', active_sessions: service.activeSessions(), version }),
  '/ready': () =>
    service.ready()
      ? json(200, { status: 'ready', version })
      : json(503, { status: 'at_capacity', version }, { 'retry-after': '5' }),
});
