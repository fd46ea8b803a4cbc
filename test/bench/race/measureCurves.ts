import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { median, percentile } from '../statistics.ts';
import { type Contestant, found } from './contestant.ts';
import type { LineChart, Point } from './lineChart.ts';
import { pagespaceContestant, type ServedPagespace } from './pagespaceContestant.ts';

const NODES = [1_000, 3_000, 10_000, 30_000, 50_000];
const ACTIONS = [10, 100, 300, 1_000, 2_000];
const SESSIONS = [1, 4, 8, 16];
const SUBSCRIBERS = [100, 1_000, 5_000];
const REPEATS = 5;
const STEPS = 6;
const SUBSCRIBERS_BENCH = fileURLToPath(new URL('../subscribers.ts', import.meta.url));

/** Lists a page several times. @returns the median, in milliseconds */
async function listTime(contestant: Contestant, url: string): Promise<number> {
  await contestant.start();
  await contestant.open(url);
  const times: number[] = [];
  for (let n = 0; n < REPEATS; n++) {
    const start = performance.now();
    await contestant.list();
    times.push(performance.now() - start);
  }
  await contestant.end();
  return median(times);
}

/** The time of a list against the size of the page. @param kind `nodes` or `actions` */
export async function listCurve(
  kind: 'nodes' | 'actions',
  contestants: readonly Contestant[],
  site: string,
): Promise<LineChart> {
  const points = new Map<Contestant, Point[]>(contestants.map(one => [one, []]));
  for (const size of kind === 'nodes' ? NODES : ACTIONS)
    for (const contestant of contestants)
      points.get(contestant)?.push([size, await listTime(contestant, `${site}/${kind}?n=${size}`)]);
  return {
    title: `A new list of a page, by ${kind}`,
    xLabel: kind === 'nodes' ? 'elements of the page' : 'actions of the page',
    yLabel: 'milliseconds, median',
    series: contestants.map(one => ({ name: one.name, points: points.get(one) ?? [] })),
  };
}

/** The results of several sessions at once. */
export interface Concurrency {
  readonly sessions: number;
  readonly operationsPerSecond: number;
  /** Of an operation, in milliseconds. */
  readonly median: number;
  readonly p95: number;
}

/** Runs 1, 4, 8 and 16 sessions at once, each observing and clicking in turn without a pause. */
export async function measureConcurrency(
  served: ServedPagespace,
  site: string,
): Promise<readonly Concurrency[]> {
  const results: Concurrency[] = [];
  for (const count of SESSIONS) {
    const all = Array.from({ length: count }, () => pagespaceContestant(served));
    await Promise.all(all.map(one => one.start().then(() => one.open(`${site}/small`))));
    const times: number[] = [];
    const timed = async (work: () => Promise<unknown>): Promise<void> => {
      const start = performance.now();
      await work();
      times.push(performance.now() - start);
    };
    const start = performance.now();
    const run = async (one: Contestant): Promise<void> => {
      for (let n = 0; n < STEPS; n++) {
        await timed(() => one.click('Press'));
        await timed(() => one.list());
      }
    };
    await Promise.all(all.map(run));
    const seconds = (performance.now() - start) / 1_000;
    await Promise.all(all.map(one => one.end()));
    results.push({
      sessions: count,
      operationsPerSecond: times.length / seconds,
      median: median(times),
      p95: percentile(times, 0.95),
    });
  }
  return results;
}

/** The curves of several sessions at once. */
export const concurrencyCurve = (results: readonly Concurrency[]): LineChart => ({
  title: 'Sessions at once, each observing and clicking',
  xLabel: 'sessions',
  yLabel: 'operations a second; milliseconds of an operation',
  series: [
    {
      name: 'operations a second',
      points: results.map(one => [one.sessions, one.operationsPerSecond] as const),
    },
    { name: '95th percentile, ms', points: results.map(one => [one.sessions, one.p95] as const) },
    { name: 'median, ms', points: results.map(one => [one.sessions, one.median] as const) },
  ],
});

/** The time until the last of many subscribers knows of a change; each has a WebSocket of its own. */
export async function subscribersCurve(): Promise<LineChart> {
  const points: Point[] = [];
  for (const count of SUBSCRIBERS) {
    const { stdout } = await promisify(execFile)(process.execPath, [SUBSCRIBERS_BENCH, String(count), '3']);
    points.push([count, Number(found(stdout, /subscribers after: median (\d+) ms/))]);
  }
  return {
    title: 'A change of a session reaches its last subscriber',
    xLabel: 'subscribers',
    yLabel: 'milliseconds, median of 3',
    series: [{ name: 'last subscriber', points }],
  };
}
