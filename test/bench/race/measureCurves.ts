import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { median } from '../statistics.ts';
import { type Contestant, found } from './contestant.ts';
import type { LineChart, Point } from './lineChart.ts';

const NODES = [1_000, 3_000, 10_000, 30_000, 50_000];
const ACTIONS = [10, 100, 300, 1_000, 2_000];
const SUBSCRIBERS = [100, 1_000, 5_000];
const REPEATS = 5;
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
