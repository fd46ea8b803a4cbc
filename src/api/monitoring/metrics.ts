import { createHash, timingSafeEqual } from 'node:crypto';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { isOperator } from '../../domain/account/account.ts';
import { Failure } from '../../domain/failure/failures.ts';
import type { Pagespace } from '../../service/pagespace.ts';
import { currentTraceId, SpanKind, traced } from '../../telemetry/tracing.ts';
import { authenticate } from '../auth/authenticate.ts';
import type { HttpContext } from '../http/httpContext.ts';
import { type HttpResponse, jsonResponse } from '../http/httpResponse.ts';
import { getRoute, type HttpRoute } from '../http/httpRoute.ts';
import type { RequestRecord } from '../http/requestRecord.ts';

interface ProbeDeps {
  readonly service: Pick<Pagespace, 'activeSessionCount' | 'readiness'>;
  readonly version: string;
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

/** Paths that probes and scrapers ask for every second or so. Their spans and log lines would hide the others. */
export const MONITORING_PATHS: ReadonlySet<string> = new Set(['/health', '/ready', '/metrics']);

/** Handles a request in a span that continues the trace of the caller's `traceparent`, if it has one. */
export function tracedRequest(http: HttpContext, handle: () => Promise<HttpResponse>): Promise<HttpResponse> {
  if (MONITORING_PATHS.has(http.path)) return handle();
  const { traceparent, tracestate } = http.headers;
  const from = { traceparent, tracestate };
  const attributes = { 'http.request.method': http.method };
  return traced(http.method, { kind: SpanKind.SERVER, attributes, from }, async span => {
    http.record.traceId = currentTraceId();
    const response = await handle();
    const { route, operation, sessionId, failureCode } = http.record;
    // The real path of an unknown route could be anything, so the name has only the paths of the table.
    if (route !== null) span.updateName(`${http.method} ${route}`);
    span.setAttributes({
      'http.response.status_code': response.status,
      ...(route !== null && { 'http.route': route }),
      ...(operation !== null && { 'pagespace.operation': operation }),
      ...(sessionId !== null && { 'pagespace.session_id': sessionId }),
      ...(failureCode !== null && { 'pagespace.code': failureCode }),
    });
    return response;
  });
}

export interface Metrics {
  readonly route: HttpRoute;
  /** Counts a request and measures its duration. Call it when its response is ready to be sent. */
  countRequest(record: RequestRecord, status: number): void;
}

/** The `path` label of requests that no route matches: callers cannot create labels. */
const UNMATCHED = 'other';

export interface MetricsDeps {
  readonly service: Pagespace;
  readonly registry: Registry;
  readonly sockets: () => number;
  /** A bearer token that may read the metrics; null for none. */
  readonly token: string | null;
}

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

const hasToken = ({ headers }: HttpContext, token: string | null): boolean =>
  token !== null && timingSafeEqual(sha256(headers.authorization ?? ''), sha256(`Bearer ${token}`));

/** The metrics cover all accounts: they are for this machine and the operator. @throws Failure SCOPE_DENIED, and those of `authenticate` */
async function assertMayRead(service: Pagespace, http: HttpContext): Promise<void> {
  if (http.isLocal || isOperator(await authenticate(service, http))) return;
  throw new Failure('SCOPE_DENIED', 'The metrics need an API key of the operator with the scope "admin".');
}
