import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';

export interface TracingOptions {
  /** URL to which spans are posted, as OTLP over HTTP: `http://collector:4318/v1/traces`. */
  readonly url: string;
  readonly serviceName: string;
  readonly version: string;
  /** Name of the node; null on one machine. */
  readonly nodeId: string | null;
  /** The part of traces that is recorded, from 0 to 1. */
  readonly ratio: number;
}

/** Starts tracing. The sampler decides by the trace id: all nodes alike, and no caller can force it. Returns a function that sends the rest and stops. */
export function startTracing({
  url,
  serviceName,
  version,
  nodeId,
  ratio,
}: TracingOptions): () => Promise<void> {
  const sampler = new TraceIdRatioBasedSampler(ratio);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': serviceName,
      'service.version': version,
      ...(nodeId !== null && { 'service.instance.id': nodeId }),
    }),
    sampler: new ParentBasedSampler({ root: sampler, remoteParentSampled: sampler }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url }) })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  return async () => {
    await provider.shutdown().catch(() => undefined);
    trace.disable();
    propagation.disable();
    context.disable();
  };
}
