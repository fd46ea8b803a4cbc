import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Failure } from '../../src/domain/failure/failures.ts';
import {
  createServiceMetrics,
  instrumentMessenger,
  instrumentOperations,
} from '../../src/telemetry/serviceMetrics.ts';
import { startTracing } from '../../src/telemetry/startTracing.ts';
import { continueTrace, currentTraceId, traced, traceHeaders } from '../../src/telemetry/tracing.ts';
import { MemoryNetwork } from '../support/memoryMessenger.ts';
import { type OtlpCollector, startOtlpCollector } from '../support/otlpCollector.ts';
import { startTestServer } from '../support/startServer.ts';
import { startService } from '../support/startService.ts';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN_ID = '00f067aa0ba902b7';
const TRACEPARENT = `00-${TRACE_ID}-${SPAN_ID}-01`;

describe('traces', () => {
  let collector: OtlpCollector;
  let stop: () => Promise<void>;
  const start = (ratio: number): void => {
    stop = startTracing({
      url: collector.url,
      serviceName: 'pagespace',
      version: '0.0.0-test',
      nodeId: 'n1',
      ratio,
    });
  };

  beforeEach(async () => {
    collector = await startOtlpCollector();
    start(1);
  });
  afterEach(async () => {
    await stop();
    await collector[Symbol.asyncDispose]();
  });

  it("continue the trace of a caller's traceparent, from the request to the operation", async () => {
    await using started = await startService({ browser: 'fake' });
    const service = instrumentOperations(started.service, createServiceMetrics(null));
    await using server = await startTestServer(service);
    await fetch(`${server.url}/session/start`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${started.key}`,
        'content-type': 'application/json',
        traceparent: TRACEPARENT,
      },
      body: '{}',
    });
    await stop();
    const [request] = collector.named('POST /session/start');
    const [operation] = collector.named('session.start');
    expect(request).toMatchObject({ traceId: TRACE_ID, parentSpanId: SPAN_ID });
    expect(operation).toMatchObject({ traceId: TRACE_ID, parentSpanId: request?.spanId });
    expect(server.logLines.find(line => line.msg === 'request')).toMatchObject({ traceId: TRACE_ID });
  });

  it('name a request of no route by its method only', async () => {
    await using started = await startService({ browser: 'fake' });
    await using server = await startTestServer(started.service);
    await fetch(`${server.url}/made/up`, { method: 'POST' });
    await stop();
    expect(collector.spans.map(span => span.name)).toEqual(['POST']);
  });

  it('have no span of a probe', async () => {
    await using started = await startService({ browser: 'fake' });
    await using server = await startTestServer(started.service);
    await fetch(`${server.url}/health`);
    await stop();
    expect(collector.spans).toEqual([]);
  });

  it('mark a fault of the service as an error, and a failure of the caller only with its code', async () => {
    const fail = (error: Error) => traced('work', {}, () => Promise.reject(error)).catch(() => undefined);
    await fail(new Failure('SHUTTING_DOWN', 'It stops.'));
    await fail(new Failure('ACTION_NOT_FOUND', 'There is none.'));
    await stop();
    const ERROR = 2;
    expect(collector.named('work').map(span => span.status.code === ERROR)).toEqual([true, false]);
    expect(collector.named('work').map(span => span.attributes[0]?.value)).toEqual([
      { stringValue: 'SHUTTING_DOWN' },
      { stringValue: 'ACTION_NOT_FOUND' },
    ]);
  });

  it('go on at another node through the headers of a message', async () => {
    const headers = await continueTrace({ traceparent: TRACEPARENT }, () =>
      traced('here', {}, async () => traceHeaders()),
    );
    await continueTrace(headers, () => traced('there', {}, async () => {}));
    await stop();
    const [here] = collector.named('here');
    expect(collector.named('there')[0]).toMatchObject({ traceId: TRACE_ID, parentSpanId: here?.spanId });
  });

  it('go on at the node that answers a request, and at each item of a stream', async () => {
    const network = new MemoryNetwork();
    const caller = instrumentMessenger(network.messenger(), createServiceMetrics(null));
    const owner = instrumentMessenger(network.messenger(), createServiceMetrics(null));
    const self = { nodeId: 'n2', epoch: 1 };
    const text = (id: string | null) => new TextEncoder().encode(id ?? 'none');
    await owner.serve(self, ({ payload }) =>
      payload.length === 0
        ? Promise.resolve(text(currentTraceId()))
        : (async function* () {
            yield text(currentTraceId());
            yield text(currentTraceId());
          })(),
    );
    const options = { signal: new AbortController().signal, timeoutMs: 5_000, trace: {} };
    const seen: Uint8Array[] = [];
    await continueTrace({ traceparent: TRACEPARENT }, async () => {
      seen.push(await caller.request(self, new Uint8Array(), options));
      for await (const item of caller.stream(self, text('stream'), options)) seen.push(item);
    });
    expect(seen.map(item => new TextDecoder().decode(item))).toEqual(Array(3).fill(TRACE_ID));
  });

  it('are not recorded at the ratio 0, even if the caller asks for it', async () => {
    await stop();
    start(0);
    await continueTrace({ traceparent: TRACEPARENT }, () => traced('work', {}, async () => {}));
    await stop();
    expect(collector.spans).toEqual([]);
  });

  it('do not exist unless an endpoint is configured', async () => {
    await stop();
    await continueTrace({ traceparent: TRACEPARENT }, () =>
      traced('work', {}, async () => {
        expect(currentTraceId()).toBeNull();
        expect(traceHeaders()).toEqual({});
      }),
    );
    expect(collector.spans).toEqual([]);
  });
});
