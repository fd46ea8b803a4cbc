import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as the collector receives it. */
export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[];
  readonly status: { readonly code?: number };
}

interface Export {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly CollectedSpan[] }[];
  }[];
}

/** A collector of OpenTelemetry traces (OTLP over HTTP, JSON). */
export interface OtlpCollector extends AsyncDisposable {
  /** URL for spans. */
  readonly url: string;
  readonly spans: CollectedSpan[];
  /** The spans of one trace, by name. */
  named(name: string): CollectedSpan[];
}

/** Starts a collector on a free port. */
export async function startOtlpCollector(): Promise<OtlpCollector> {
  const spans: CollectedSpan[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const sent = JSON.parse(Buffer.concat(chunks).toString()) as Export;
    spans.push(...sent.resourceSpans.flatMap(one => one.scopeSpans.flatMap(scope => scope.spans)));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1/traces`,
    spans,
    named: name => spans.filter(span => span.name === name),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}
