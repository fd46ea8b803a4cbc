/** OpenTelemetry traces: one trace from a caller's request through the nodes to the browser. Off unless an endpoint is configured. */
import {
  type Attributes,
  context,
  INVALID_SPAN_CONTEXT,
  ProxyTracerProvider,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { FAILURES, isFailure } from '../domain/failure/failures.ts';

export { SpanKind } from '@opentelemetry/api';

/** Headers of W3C Trace Context: `traceparent` and `tracestate`. Other headers are ignored. */
export type TraceHeaders = Readonly<Record<string, string | string[] | undefined>>;

export type SpanAttributes = Attributes;

export interface SpanOptions {
  readonly kind?: SpanKind;
  readonly attributes?: SpanAttributes;
  /** The trace that the span continues; absent to continue the current one. */
  readonly from?: TraceHeaders;
}

export type ActiveSpan = Pick<Span, 'setAttributes' | 'updateName'>;

/** `pagespace.code` is the code of a failure. Only faults of the service set the status ERROR: a page that does not load is none. */
export function traced<T>(
  name: string,
  { kind = SpanKind.INTERNAL, attributes = {}, from }: SpanOptions,
  work: (span: ActiveSpan) => Promise<T>,
): Promise<T> {
  if (!isTracing()) return work(NO_SPAN);
  const parent = from === undefined ? context.active() : propagation.extract(ROOT_CONTEXT, from);
  // Asked for each time: a tracer keeps the provider that was registered when it made its first span.
  return trace.getTracer('pagespace').startActiveSpan(name, { kind, attributes }, parent, async span => {
    try {
      return await work(span);
    } catch (error) {
      recordError(span, error);
      throw error;
    } finally {
      span.end();
    }
  });
}

/** The span of work that is not traced: it records nothing. */
const NO_SPAN = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);

/** Returns true if a provider exports spans. Check it before you make a span: spans that nobody exports cost more than the SQL of the request. */
export function isTracing(): boolean {
  const provider = trace.getTracerProvider();
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer('pagespace') !== undefined;
}

/** Runs `work` as a part of the trace of these headers, without a span of its own. */
export const continueTrace = <T>(headers: TraceHeaders, work: () => T): T =>
  context.with(propagation.extract(ROOT_CONTEXT, headers), work);

/** Returns the headers that continue the current trace elsewhere; empty if there is none. */
export function traceHeaders(): Record<string, string> {
  const headers: Record<string, string> = {};
  propagation.inject(context.active(), headers);
  return headers;
}

/** Returns the id of the current trace, 32 hexadecimal digits; null if there is none. */
export const currentTraceId = (): string | null => trace.getActiveSpan()?.spanContext().traceId ?? null;

function recordError(span: Span, error: unknown): void {
  const code = isFailure(error) ? error.code : 'INTERNAL';
  span.setAttribute('pagespace.code', code);
  if (FAILURES[code].serviceFault) span.setStatus({ code: SpanStatusCode.ERROR, message: code });
}
