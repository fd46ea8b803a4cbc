/** The span of an HTTP request. */
import { currentTraceId, SpanKind, traced } from '../../telemetry/tracing.ts';
import type { HttpContext } from '../http/httpContext.ts';
import type { HttpResponse } from '../http/httpResponse.ts';

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
