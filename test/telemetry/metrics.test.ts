import { describe, expect, it } from 'vitest';
import { memoryBus } from '../../src/bus/memoryBus.ts';
import { Failure } from '../../src/domain/failure/failures.ts';
import {
  createServiceMetrics,
  instrumentBus,
  instrumentHost,
  instrumentOperations,
  instrumentStore,
  type ServiceMetrics,
} from '../../src/telemetry/serviceMetrics.ts';
import { FakeBrowserHost } from '../support/fakeBrowserHost.ts';
import { startTestServer } from '../support/startServer.ts';
import { startService } from '../support/startService.ts';

/** The value of the only sample whose line begins with `start`. */
async function sample(metrics: ServiceMetrics, start: string): Promise<number> {
  const lines = (await metrics.registry.metrics()).split('\n').filter(line => line.startsWith(start));
  expect(lines).toHaveLength(1);
  return Number(lines[0]?.split(' ').at(-1));
}

describe('metrics of a node', () => {
  it('count operations by kind and outcome', async () => {
    const metrics = createServiceMetrics(null);
    const operations = instrumentOperations(
      {
        start: async () => 'session',
        close: async () => Promise.reject(new Failure('SESSION_NOT_FOUND', 'None.')),
      },
      metrics,
    );
    await operations.start();
    await expect(operations.close()).rejects.toThrow('None.');
    const count = (labels: string) => sample(metrics, `pagespace_operation_seconds_count{${labels}}`);
    expect(await count('operation="start",outcome="done"')).toBe(1);
    expect(await count('operation="close",outcome="SESSION_NOT_FOUND"')).toBe(1);
  });

  it('measure the commits of the store', async () => {
    await using started = await startService({ browser: 'fake' });
    const metrics = createServiceMetrics(null);
    await instrumentStore(started.store.sessions, metrics).load(started.account.id, []);
    const labels = 'engine="store",call="load",outcome="done"';
    expect(await sample(metrics, `pagespace_engine_seconds_count{${labels}}`)).toBe(1);
  });

  it('count open subscriptions until they end, by return or by their signal', async () => {
    const metrics = createServiceMetrics(null);
    const bus = instrumentBus(memoryBus(), metrics);
    const abort = new AbortController();
    const first = bus.subscribe('account', { signal: abort.signal });
    const second = bus.subscribeLedger('account');
    expect(await sample(metrics, 'pagespace_subscribers')).toBe(2);
    abort.abort();
    await second.return?.();
    expect(await sample(metrics, 'pagespace_subscribers')).toBe(0);
    expect(await first.next()).toEqual({ done: true, value: undefined });
  });

  it('count the addresses that were refused to pages', async () => {
    const metrics = createServiceMetrics(null);
    const fake = new FakeBrowserHost({
      capacity: 1,
      maxWaiting: 0,
      waitTimeoutMs: 0,
      egressAllow: [],
      now: () => 0,
    });
    const seen: string[] = [];
    const host = instrumentHost(
      {
        sessionCount: 0,
        hasCapacity: true,
        close: () => fake.close(),
        open(options, listener, signal) {
          listener.onEvent({ type: 'blocked', at: 0, url: 'http://10.0.0.1/', reason: 'private' });
          return fake.open(options, listener, signal);
        },
      },
      metrics,
    );
    const listener = {
      onLost() {},
      onLimitExceeded() {},
      onConsole() {},
      onDialog() {},
      onRequest() {},
      onEvent: (event: { type: string }) => seen.push(event.type),
    };
    await host.open({ sessionId: 's', accountId: 'a', proxy: null }, listener, AbortSignal.timeout(60_000));
    expect(await sample(metrics, 'pagespace_egress_refusals_total')).toBe(1);
    expect(seen).toEqual(['blocked']);
    await host.close();
  });

  it('name the node in every sample of a cluster', async () => {
    const metrics = createServiceMetrics('n1');
    metrics.addGauges({ sessions: () => 3, places: () => 8, waiting: () => 0, browsers: () => 2 });
    expect(await sample(metrics, 'pagespace_places{node="n1"}')).toBe(8);
    expect(await sample(metrics, 'pagespace_sessions{node="n1"}')).toBe(3);
  });

  it('stand at /metrics beside those of the HTTP server', async () => {
    await using started = await startService({ browser: 'fake' });
    const metrics = createServiceMetrics(null);
    metrics.operationEnded('step', 'done', 0.2);
    await using server = await startTestServer(started.service, { metrics: metrics.registry });
    await fetch(`${server.url}/health`);
    const text = await (await fetch(`${server.url}/metrics`)).text();
    expect(text).toContain('pagespace_operation_seconds_count{operation="step",outcome="done"} 1');
    expect(text).toContain('pagespace_http_requests_total{path="/health",status="200"} 1');
  });

  it('are given to a caller from elsewhere who has their token, and to no other', async () => {
    await using started = await startService({ browser: 'fake' });
    await using server = await startTestServer(started.service, { metricsToken: 'a-token-of-16-chars' });
    const read = async (token: string) => {
      const headers = { 'x-forwarded-for': '203.0.113.1', authorization: `Bearer ${token}` };
      return (await fetch(`${server.url}/metrics`, { headers })).status;
    };
    expect(await read('a-token-of-16-chars')).toBe(200);
    expect(await read('a-token-of-16-char')).toBe(401);
  });
});
