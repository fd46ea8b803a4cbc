/** The route /metrics in the Prometheus text format, for the operator. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { isOperator } from '../../domain/account.ts';
import { Failure } from '../../domain/failures.ts';
import type { Pagespace } from '../../service/pagespace.ts';
import { authenticate } from '../auth/authenticate.ts';
import type { HttpContext } from '../http/httpContext.ts';
import { getRoute, type HttpRoute } from '../http/httpRoute.ts';
import type { RequestRecord } from '../http/requestRecord.ts';

/** The route /metrics, and the counter of requests. */
export interface Metrics {
  readonly route: HttpRoute;
  /** Counts a request and measures its duration. Call it when its response is ready to be sent. */
  countRequest(record: RequestRecord, status: number): void;
}

/**
 * The `path` label of requests that no route matches. Their real path is not used, so that callers cannot create
 * labels.
 */
const UNMATCHED = 'other';

/** Creates the Prometheus metrics of the service. @param sockets returns the number of open WebSockets */
export function createMetrics({ service, sockets }: { service: Pagespace; sockets: () => number }): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const requests = new Counter({
    name: 'pagespace_http_requests_total',
    help: 'Answered requests.',
    labelNames: ['path', 'status'],
    registers,
  });
  const seconds = new Histogram({
    name: 'pagespace_http_request_seconds',
    help: 'Seconds from the arrival of a request to its response.',
    labelNames: ['path'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 1, 2, 5, 10, 30, 60],
    registers,
  });
  new Gauge({
    name: 'pagespace_active_sessions',
    help: 'Sessions active on this node.',
    registers,
    collect() {
      this.set(service.activeSessionCount());
    },
  });
  new Gauge({
    name: 'pagespace_websockets',
    help: 'Open WebSockets.',
    registers,
    collect() {
      this.set(sockets());
    },
  });
  return {
    route: getRoute('/metrics', async http => {
      await assertMayRead(service, http);
      const headers = { 'content-type': registry.contentType, 'cache-control': 'no-store' };
      return { status: 200, headers, body: await registry.metrics() };
    }),
    countRequest({ route, durationMs }, status) {
      const path = route ?? UNMATCHED;
      requests.inc({ path, status });
      seconds.observe({ path }, durationMs / 1_000);
    },
  };
}

/**
 * Refuses the request unless it comes from this machine or from the operator, because the metrics cover all accounts.
 * @throws Failure SCOPE_DENIED, and the failures of `authenticate`
 */
async function assertMayRead(service: Pagespace, http: HttpContext): Promise<void> {
  if (http.isLocal || isOperator(await authenticate(service, http))) return;
  throw new Failure('SCOPE_DENIED', 'The metrics need an API key of the operator with the scope "admin".');
}
