/** /metrics in Prometheus' text format: for the operator. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { isOperator } from '../../domain/account.ts';
import { Failure } from '../../domain/failures.ts';
import type { Pagespace } from '../../service/pagespace.ts';
import { authenticate } from '../auth/authenticate.ts';
import type { GetRoutes } from '../http/getRoutes.ts';
import type { HttpContext } from '../http/httpContext.ts';

/** The operator's numbers. */
export interface Metrics {
  readonly routes: GetRoutes;
  /** A request began; call what it returns when it is answered. */
  startRequest(): (exchange: HttpContext, status: number) => void;
}

/** Paths that are counted by name; all others are `other`, so that no caller makes labels. */
const NAMED_PATHS = new Set([
  '/graphql',
  '/session/start',
  '/session/close',
  '/env/observe',
  '/env/step',
  '/step',
  '/env/scrape',
  '/sessions',
]);

/**
 * Makes the numbers. They tell of all accounts together, so they are told only to this machine itself
 * (no proxy between) or to the operator.
 */
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
    help: 'Time to the answer.',
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
    help: 'WebSockets open now.',
    registers,
    collect() {
      this.set(sockets());
    },
  });
  return {
    routes: {
      '/metrics': async exchange => {
        if (!exchange.isLocal) {
          const viewer = await authenticate(service, exchange.headers, exchange.callerNetwork);
          if (!isOperator(viewer))
            throw new Failure(
              'SCOPE_DENIED',
              'The numbers of the whole service need a key of its operator with the scope "admin".',
            );
        }
        const headers = { 'content-type': registry.contentType, 'cache-control': 'no-store' };
        return { status: 200, headers, body: await registry.metrics() };
      },
    },
    startRequest: () => {
      const from = performance.now();
      return ({ path }, status) => {
        const named = NAMED_PATHS.has(path)
          ? path
          : path.startsWith('/session/')
            ? '/session/{session_id}'
            : 'other';
        requests.inc({ path: named, status });
        seconds.observe({ path: named }, (performance.now() - from) / 1000);
      };
    },
  };
}
