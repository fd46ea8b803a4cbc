import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricValueWithName,
  Registry,
} from 'prom-client';
import { isFailure } from '../domain/failure/failures.ts';
import type { BrowserHost, BrowserLease, LeaseListener } from '../domain/ports/browserHost.ts';
import type { EventBus, Subscription } from '../domain/ports/eventBus.ts';
import type {
  NodeMessenger,
  OperationReading,
  RequestOptions,
  ServiceReadings,
} from '../domain/ports/nodes.ts';
import type { SessionStore } from '../domain/ports/sessionStore.ts';
import { isSessionId } from '../domain/session/session.ts';
import { continueTrace, isTracing, type SpanAttributes, SpanKind, traced, traceHeaders } from './tracing.ts';

export interface GaugeReadings {
  /** Running sessions of this node, including those that are starting. */
  readonly sessions: () => number;
  readonly places: () => number;
  /** Starts of sessions that wait for a place. */
  readonly waiting: () => number;
  /** Running Chromium processes, each with up to PAGESPACE_SESSIONS_PER_BROWSER sessions. */
  readonly browsers: () => number;
}

/** Records what a node does in the metrics of `/metrics`. Times are in seconds. */
export interface ServiceMetrics {
  readonly registry: Registry;
  /** @param outcome `done` or the code of a failure */
  operationEnded(operation: string, outcome: string, seconds: number): void;
  ownerOperationEnded(operation: string, outcome: string, seconds: number): void;
  /** @param outcome `done` or the code of a failure */
  engineCalled(engine: 'store' | 'bus', call: string, outcome: string, seconds: number): void;
  egressRefused(): void;
  /** @returns a function that stops counting the subscription; idempotent */
  subscriberOpened(): () => void;
  /** Adds the numbers that are read at each scrape of the metrics. Call it once. */
  addGauges(readings: GaugeReadings): void;
  /** Reads what the metrics say of the operations of callers since the start. */
  operationReadings(): Promise<Pick<ServiceReadings, 'operations' | 'failures' | 'refusedAddresses'>>;
}

const OPERATION_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

const GAUGE_HELP: Readonly<Record<keyof GaugeReadings, string>> = {
  sessions: 'Sessions that have a place on this node, including those that are starting.',
  places: 'Maximum number of sessions of this node.',
  waiting: 'Starts of sessions that wait for a place.',
  browsers: 'Running Chromium processes of this node.',
};

/** `nodeId`: the label `node` of every metric; null on one machine, which has no such label. */
export function createServiceMetrics(nodeId: string | null): ServiceMetrics {
  const registry = new Registry();
  if (nodeId !== null) registry.setDefaultLabels({ node: nodeId });
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const operations = new Histogram({
    name: 'pagespace_operation_seconds',
    help: 'Seconds that an operation took for its caller, at the node that was asked. outcome: done, or the code of its failure.',
    labelNames: ['operation', 'outcome'],
    buckets: OPERATION_BUCKETS,
    registers,
  });
  const ownerOperations = new Histogram({
    name: 'pagespace_owner_operation_seconds',
    help: 'Seconds that an operation took on the node that runs its session, whichever node was asked. outcome: done, or the code of its failure.',
    labelNames: ['operation', 'outcome'],
    buckets: OPERATION_BUCKETS,
    registers,
  });
  const engines = new Histogram({
    name: 'pagespace_engine_seconds',
    help: 'Seconds of a call to the store or the message bus. outcome: done, or the code of its failure.',
    labelNames: ['engine', 'call', 'outcome'],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5],
    registers,
  });
  const refusals = new Counter({
    name: 'pagespace_egress_refusals_total',
    help: 'Addresses and downloads that the service refused to pages. Each address is counted once per session.',
    registers,
  });
  const subscribers = new Gauge({
    name: 'pagespace_subscribers',
    help: 'Open subscriptions to sessions and ledgers on this node.',
    registers,
  });
  return {
    registry,
    operationEnded: (operation, outcome, seconds) => operations.observe({ operation, outcome }, seconds),
    ownerOperationEnded: (operation, outcome, seconds) =>
      ownerOperations.observe({ operation, outcome }, seconds),
    engineCalled: (engine, call, outcome, seconds) => engines.observe({ engine, call, outcome }, seconds),
    egressRefused: () => refusals.inc(),
    subscriberOpened() {
      subscribers.inc();
      let isOpen = true;
      return () => {
        if (isOpen) subscribers.dec();
        isOpen = false;
      };
    },
    addGauges(readings) {
      for (const [name, help] of Object.entries(GAUGE_HELP) as [keyof GaugeReadings, string][])
        new Gauge({
          name: `pagespace_${name}`,
          help,
          registers,
          collect() {
            this.set(readings[name]());
          },
        });
    },
    async operationReadings() {
      const [{ values }, refused] = await Promise.all([operations.get(), refusals.get()]);
      const samples = values as readonly MetricValueWithName<'operation' | 'outcome' | 'le'>[];
      const byOperation = Map.groupBy(samples, ({ labels }) => String(labels.operation));
      const counts = samples.filter(({ metricName }) => metricName?.endsWith('_count'));
      return {
        operations: [...byOperation].map(([operation, own]) => operationReading(operation, own)),
        failures: counts
          .filter(({ labels }) => labels.outcome !== 'done')
          .map(({ labels, value }) => ({
            operation: String(labels.operation),
            code: String(labels.outcome),
            count: value,
          }))
          .sort((one, other) => other.count - one.count),
        refusedAddresses: refused.values.reduce((sum, { value }) => sum + value, 0),
      };
    },
  };
}

/** Reads the percentiles of an operation from the buckets of all its outcomes, which are cumulative. */
function operationReading(
  operation: string,
  samples: readonly MetricValueWithName<'operation' | 'outcome' | 'le'>[],
): OperationReading {
  const sums = new Map<number, number>();
  for (const { labels, value, metricName } of samples) {
    if (metricName?.endsWith('_bucket') !== true) continue;
    const bound = Number(labels.le === '+Inf' ? Number.POSITIVE_INFINITY : labels.le);
    sums.set(bound, (sums.get(bound) ?? 0) + value);
  }
  const buckets = [...sums].sort(([one], [other]) => one - other);
  const count = buckets.at(-1)?.[1] ?? 0;
  return {
    operation,
    count,
    p50Ms: quantileMs(buckets, 0.5),
    p95Ms: quantileMs(buckets, 0.95),
  };
}

/** Estimates a quantile as Prometheus does: linearly within its bucket (upper bounds in seconds, cumulative counts); above the last one, its bound. */
function quantileMs(buckets: readonly (readonly [number, number])[], quantile: number): number {
  const rank = (buckets.at(-1)?.[1] ?? 0) * quantile;
  let [lower, below] = [0, 0];
  for (const [bound, atMost] of buckets) {
    if (atMost >= rank && atMost > below) {
      if (!Number.isFinite(bound)) return Math.round(lower * 1_000);
      return Math.round((lower + ((bound - lower) * (rank - below)) / (atMost - below)) * 1_000);
    }
    [lower, below] = [Number.isFinite(bound) ? bound : lower, atMost];
  }
  return 0;
}

interface Instrumentation {
  /** First part of the names of the spans: `store` in `store.commit`. Null: the calls are only measured. */
  readonly prefix: string | null;
  readonly methods: readonly string[];
  readonly kind?: SpanKind;
  readonly attributes?: (method: string, args: readonly unknown[]) => SpanAttributes;
  /** Called after each call. @param outcome `done` or the code of the failure */
  readonly onEnd?: (method: string, outcome: string, seconds: number) => void;
}

type Method = (...args: unknown[]) => Promise<unknown>;

/** Returns `target` with some of its methods measured and traced. Everything else passes through unchanged. */
const instrument = <Target extends object>(target: Target, options: Instrumentation): Target =>
  withMembers(target, Object.fromEntries(options.methods.map(name => [name, wrap(target, name, options)])));

/** Returns `target` with other members in place of some of its own. */
function withMembers<Target extends object>(target: Target, members: object): Target {
  const boundMethods = new WeakMap<object, unknown>();
  return new Proxy(target, {
    get(_target, name) {
      if (Object.hasOwn(members, name)) return Reflect.get(members, name);
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      // A method of a class with private fields needs the object itself, not the proxy.
      const bound = boundMethods.get(value) ?? value.bind(target);
      boundMethods.set(value, bound);
      return bound;
    },
  });
}

function wrap(target: object, name: string, options: Instrumentation): Method {
  const { prefix, kind, attributes, onEnd } = options;
  const method = Reflect.get(target, name, target) as Method;
  return async (...args) => {
    const startedAt = performance.now();
    let outcome = 'done';
    try {
      if (prefix === null || !isTracing()) return await method.apply(target, args);
      const spanOptions = {
        ...(kind !== undefined && { kind }),
        ...(attributes !== undefined && { attributes: attributes(name, args) }),
      };
      return await traced(`${prefix}.${name}`, spanOptions, () => method.apply(target, args));
    } catch (error) {
      outcome = isFailure(error) ? error.code : 'INTERNAL';
      throw error;
    } finally {
      onEnd?.(name, outcome, (performance.now() - startedAt) / 1_000);
    }
  };
}

const LEASE_METHODS = [
  'goto',
  'observe',
  'step',
  'waitFor',
  'scrape',
  'scrapeWithoutDialog',
  'screenshot',
] as const;
const OPERATIONS = ['start', 'observe', 'step', 'scrape', 'close', 'uploadFile'] as const;
const STORE_METHODS = ['commit', 'recordSeen', 'list', 'load', 'events', 'eventsInRanges'] as const;

/** Returns the host with spans for the opening of a context and for each call of its leases; it counts refused addresses. */
export function instrumentHost(host: BrowserHost, metrics: ServiceMetrics): BrowserHost {
  const open: BrowserHost['open'] = async (options, listener, signal) => {
    const onEvent: LeaseListener['onEvent'] = event => {
      if (event.type === 'blocked') metrics.egressRefused();
      listener.onEvent(event);
    };
    const lease = await host.open(options, withMembers(listener, { onEvent }), signal);
    return instrument<BrowserLease>(lease, { prefix: 'browser', methods: LEASE_METHODS });
  };
  return instrument(withMembers(host, { open }), { prefix: 'browser', methods: ['open'] });
}

export const instrumentStore = (store: SessionStore, metrics: ServiceMetrics): SessionStore =>
  instrument(store, {
    prefix: 'store',
    methods: STORE_METHODS,
    onEnd: (call, outcome, seconds) => metrics.engineCalled('store', call, outcome, seconds),
  });

export const instrumentOperations = <Operations extends object>(
  operations: Operations,
  metrics: ServiceMetrics,
): Operations =>
  instrument(operations, {
    prefix: 'session',
    methods: OPERATIONS,
    attributes: (_operation, [, command]) => {
      const { sessionId } = (command ?? {}) as { readonly sessionId?: string | null };
      return isSessionId(sessionId) ? { 'pagespace.session_id': sessionId } : {};
    },
    onEnd: (operation, outcome, seconds) => metrics.operationEnded(operation, outcome, seconds),
  });

/** Returns the operations of this node, which callers of all nodes use, with a duration each. Their spans are those of the calling node. */
export const measureOwnerOperations = <Operations extends object>(
  operations: Operations,
  metrics: ServiceMetrics,
): Operations =>
  instrument(operations, {
    prefix: null,
    methods: OPERATIONS.filter(name => name in operations),
    onEnd: (operation, outcome, seconds) => metrics.ownerOperationEnded(operation, outcome, seconds),
  });

/** Returns the bus with its open subscriptions counted. */
export function instrumentBus(bus: EventBus, metrics: ServiceMetrics): EventBus {
  function counted<T>(iterator: Subscription<T>, signal: AbortSignal | undefined): Subscription<T> {
    const closed = metrics.subscriberOpened();
    signal?.addEventListener('abort', closed, { once: true });
    const ended = <R extends IteratorResult<T>>(result: R): R => {
      if (result.done === true) closed();
      return result;
    };
    return {
      ...(iterator.started && { started: iterator.started }),
      next: () => iterator.next().then(ended),
      async return() {
        closed();
        return (await iterator.return?.()) ?? { done: true, value: undefined };
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }
  return {
    publish: update => bus.publish(update),
    publishLedgerUpdate: accountId => bus.publishLedgerUpdate(accountId),
    subscribe: (accountId, options) => counted(bus.subscribe(accountId, options), options?.signal),
    subscribeLedger: (accountId, signal) => counted(bus.subscribeLedger(accountId, signal), signal),
  };
}

/** Returns the messenger with a duration for each request, and with traces that go on at the other node. */
export function instrumentMessenger(messenger: NodeMessenger, metrics: ServiceMetrics): NodeMessenger {
  const serve: NodeMessenger['serve'] = (self, handler) =>
    messenger.serve(self, request => {
      const answer = continueTrace(request.trace, () => handler(request));
      return Symbol.asyncIterator in answer ? inTrace(request.trace, answer) : answer;
    });
  const withTrace = (options: RequestOptions): RequestOptions => ({
    ...options,
    trace: { ...options.trace, ...traceHeaders() },
  });
  const request: NodeMessenger['request'] = (to, payload, options) =>
    messenger.request(to, payload, withTrace(options));
  const stream: NodeMessenger['stream'] = (to, payload, options) =>
    messenger.stream(to, payload, withTrace(options));
  return instrument(withMembers(messenger, { serve, request, stream }), {
    prefix: 'bus',
    methods: ['request', 'place'],
    kind: SpanKind.CLIENT,
    onEnd: (call, outcome, seconds) => metrics.engineCalled('bus', call, outcome, seconds),
  });
}

/** Returns the stream, each item of which is produced as a part of the trace: a generator runs in the context of its reader. */
function inTrace<T>(trace: Readonly<Record<string, string>>, stream: AsyncIterable<T>): AsyncIterable<T> {
  const iterator = stream[Symbol.asyncIterator]();
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => continueTrace(trace, () => iterator.next()),
      return: async () =>
        (await continueTrace(trace, () => iterator.return?.())) ?? { done: true, value: undefined },
    }),
  };
}
