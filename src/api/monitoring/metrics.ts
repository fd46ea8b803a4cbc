/** The route /metrics in the Prometheus text format, for the operator. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { isOperator } from '../../domain/account/account.ts';
import { Failure } from '../../domain/failure/failures.ts';
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

/** The registry of the metrics, and the numbers that the gauges read. */
export interface MetricsDeps {
  readonly service: Pagespace;
  /** The registry to which the metrics of the HTTP server are added. */
  readonly registry: Registry;
  /** Returns the number of open WebSockets. */
  readonly sockets: () => number;
  /** A bearer token that may read the metrics; null for none. */
  readonly token: string | null;
}

/** Adds the metrics of the HTTP server, and creates the route that shows all metrics. */
export function createMetrics({ service, registry, sockets, token }: MetricsDeps): Metrics {
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
      if (!hasToken(http, token)) await assertMayRead(service, http);
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

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Returns true if the request has the token of the metrics. The duration tells nothing about the token. */
const hasToken = ({ headers }: HttpContext, token: string | null): boolean =>
  token !== null && timingSafeEqual(sha256(headers.authorization ?? ''), sha256(`Bearer ${token}`));

/**
 * Refuses the request unless it comes from this machine or from the operator, because the metrics cover all accounts.
 * @throws Failure SCOPE_DENIED, and the failures of `authenticate`
 */
async function assertMayRead(service: Pagespace, http: HttpContext): Promise<void> {
  if (http.isLocal || isOperator(await authenticate(service, http))) return;
  throw new Failure('SCOPE_DENIED', 'The metrics need an API key of the operator with the scope "admin".');
}
