import { markdownTable } from 'markdown-table';
import { median, percentile } from '../statistics.ts';
import type { Contestant } from './contestant.ts';
import type { LineChart } from './lineChart.ts';

const SESSIONS = [1, 4, 8, 16];
/**
 * Steps of each session before the measurement. Each renderer compiles what it runs often during some fifty operations: a measurement of
 * seconds would count more of it the more sessions there are.
 */
const WARM_UP_STEPS = 40;
/**
 * Pause between the warm-up and the measurement: a service then prepares the contexts and the browser of the next sessions. That is part of
 * starting sessions, and a measurement of seconds would count more of it the more sessions there are.
 */
const SETTLE_MS = 3_000;
const MEASURED_MS = 3_000;
/** An agent's turn: it clicks, and lists what can be done then. */
const OPERATIONS_PER_TURN = 2;
/** Pause between two operations of one session in the paced measurement, on average: a fast agent thinks that long. */
const THINK_MS = 1_000;
const PACED_MS = 10_000;

/** The results of several sessions at once. */
export interface Concurrency {
  readonly sessions: number;
  readonly operationsPerSecond: number;
  /** Of a turn (one click and one list), in milliseconds, without the pauses. */
  readonly median: number;
  readonly p95: number;
}

/** How the sessions of one measurement operate. */
export type Pace = 'without a pause' | 'paced';

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

/**
 * Runs 1, 4, 8 and 16 sessions at once, each clicking and listing in turn.
 * @param create returns a session that has not started
 * @param url a page with the button "Press"
 */
export async function measureConcurrency(
  create: () => Contestant,
  url: string,
  pace: Pace = 'without a pause',
): Promise<readonly Concurrency[]> {
  const results: Concurrency[] = [];
  for (const sessions of SESSIONS) {
    const all = Array.from({ length: sessions }, create);
    await Promise.all(all.map(one => prepare(one, url)));
    await pause(SETTLE_MS);
    const turns: number[] = [];
    const start = performance.now();
    const end = start + (pace === 'paced' ? PACED_MS : MEASURED_MS);
    await Promise.all(all.map(one => operate(one, pace, end, turns)));
    const seconds = (performance.now() - start) / 1_000;
    await Promise.all(all.map(one => one.end()));
    results.push({
      sessions,
      operationsPerSecond: (turns.length * OPERATIONS_PER_TURN) / seconds,
      median: median(turns),
      p95: percentile(turns, 0.95),
    });
  }
  return results;
}

async function prepare(one: Contestant, url: string): Promise<void> {
  await one.start();
  await one.open(url);
  for (let n = 0; n < WARM_UP_STEPS; n++) {
    await one.click('Press');
    await one.list();
  }
}

async function operate(one: Contestant, pace: Pace, end: number, turns: number[]): Promise<void> {
  while (performance.now() < end) {
    let turnMs = 0;
    for (const operation of [() => one.click('Press'), () => one.list()]) {
      if (pace === 'paced') await pause(2 * Math.random() * THINK_MS);
      const start = performance.now();
      await operation();
      turnMs += performance.now() - start;
    }
    turns.push(turnMs);
  }
}

/** The 95th percentile at most sessions, as a multiple of the median at one. */
const tail = (results: readonly Concurrency[]): string =>
  ((results.at(-1)?.p95 ?? Number.NaN) / (results[0]?.median ?? Number.NaN)).toFixed(1);

/** Writes one row for each of the measurements. */
export function concurrencyTable(
  measurements: readonly { readonly name: string; readonly results: readonly Concurrency[] }[],
): string {
  const head = [
    'Sessions at once: operations a second (median / 95th percentile of a click and a list, in ms)',
    ...SESSIONS.map(String),
    '95th percentile at 16 to the median at 1',
  ];
  const rows = measurements.map(({ name, results }) => [
    name,
    ...results.map(
      one => `${one.operationsPerSecond.toFixed(0)} (${one.median.toFixed(0)} / ${one.p95.toFixed(0)})`,
    ),
    tail(results),
  ]);
  return markdownTable([head, ...rows], { align: ['l', 'r', 'r', 'r', 'r', 'r'], alignDelimiters: false });
}

/** The curves of several sessions at once. */
export const concurrencyCurve = (results: readonly Concurrency[]): LineChart => ({
  title: 'Sessions at once, each listing and clicking without a pause',
  xLabel: 'sessions',
  yLabel: 'operations a second; milliseconds of a click and a list',
  series: [
    {
      name: 'operations a second',
      points: results.map(one => [one.sessions, one.operationsPerSecond] as const),
    },
    { name: '95th percentile, ms', points: results.map(one => [one.sessions, one.p95] as const) },
    { name: 'median, ms', points: results.map(one => [one.sessions, one.median] as const) },
  ],
});
