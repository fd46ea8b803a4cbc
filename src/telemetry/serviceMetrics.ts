/** The Prometheus metrics of a node: operations, engines, browsers and subscribers. */
import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricValueWithName,
  Registry,
} from 'prom-client';
import type { OperationReading, ServiceReadings } from '../domain/ports/serviceReadings.ts';

/** Numbers that are read when the metrics are. */
export interface GaugeReadings {
  /** Running sessions of this node, including those that are starting. */
  readonly sessions: () => number;
  /** Maximum of `sessions`. */
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
  /** An operation of a session of this node has ended, whichever node its caller asked. @param outcome as of `operationEnded` */
  ownerOperationEnded(operation: string, outcome: string, seconds: number): void;
  /** @param outcome `done` or the code of a failure */
  engineCalled(engine: 'store' | 'bus', call: string, outcome: string, seconds: number): void;
  egressRefused(): void;
  /** Counts an open subscription. @returns a function that stops counting it; idempotent */
  subscriberOpened(): () => void;
  /** Adds the numbers that are read at each scrape of the metrics. Call it once. */
  addGauges(readings: GaugeReadings): void;
  /** Reads what the metrics say of the operations of callers since the start. */
  operationReadings(): Promise<Pick<ServiceReadings, 'operations' | 'failures' | 'refusedAddresses'>>;
}

/** Upper bounds of the durations of operations, in seconds. */
const OPERATION_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

const GAUGE_HELP: Readonly<Record<keyof GaugeReadings, string>> = {
  sessions: 'Sessions that have a place on this node, including those that are starting.',
  places: 'Maximum number of sessions of this node.',
  waiting: 'Starts of sessions that wait for a place.',
  browsers: 'Running Chromium processes of this node.',
};

/** Creates the metrics. @param nodeId the label `node` of every metric; null on one machine, which has no such label */
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

/**
 * Estimates a quantile as Prometheus does (histogram_quantile): linearly within the bucket that holds it; above the last
 * bound, that bound.
 * @param buckets upper bounds in seconds with the number of values at most as high, in order
 */
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
