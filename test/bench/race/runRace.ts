import { median, percentile } from '../statistics.ts';
import type { Contestant } from './contestant.ts';
import type { RaceSite } from './racePages.ts';
import { type Measurement, RACE_ROWS, type RaceRow, showsData } from './rows.ts';

/** The figures of one contestant in one row. */
export interface Figures {
  readonly contestant: string;
  /** Milliseconds. */
  readonly median: number;
  readonly p95: number;
  /** Characters of the answer, divided by four: an estimate of a model's tokens. */
  readonly tokens: number;
  /** The median against the time at which the page had what was asked for; null for other rows. */
  readonly toShown: number | null;
  /** Part of the answers that had the data of the application; null for other rows. */
  readonly complete: number | null;
}

/** The figures of a row, in the order of the contestants. */
export interface RowResult {
  readonly row: RaceRow;
  readonly figures: readonly Figures[];
}

const CHARACTERS_PER_TOKEN = 4;

/**
 * Measures each row `rounds` times with each contestant, after one unmeasured round. In each round another contestant
 * begins, so that none always runs on a machine that the same other one has warmed.
 * @param named only rows whose names contain it
 */
export async function runRace(
  contestants: readonly Contestant[],
  site: RaceSite,
  rounds: number,
  progress: (line: string) => void,
  named = '',
): Promise<readonly RowResult[]> {
  const results: RowResult[] = [];
  for (const row of RACE_ROWS.filter(({ name }) => name.includes(named))) {
    const taken = new Map<Contestant, Measurement[]>(contestants.map(one => [one, []]));
    for (let round = 0; round <= rounds; round++)
      for (let nth = 0; nth < contestants.length; nth++) {
        const contestant = contestants[(round + nth) % contestants.length];
        if (contestant === undefined) continue;
        const runner = row.isWhole ? (contestant.whole ?? contestant) : contestant;
        const measurement = await row.measure(runner, site);
        if (round > 0) taken.get(contestant)?.push(measurement);
      }
    const figures = contestants.map(one => figuresOf(one.name, taken.get(one) ?? [], row));
    results.push({ row, figures });
    const medians = figures.map(one => `${one.contestant} ${one.median.toFixed(0)} ms`).join(', ');
    progress(`${results.length}/${RACE_ROWS.length} ${row.name}: ${medians}`);
  }
  return results;
}

function figuresOf(contestant: string, taken: readonly Measurement[], row: RaceRow): Figures {
  const ms = taken.map(one => one.ms);
  const lengths = taken.map(one => one.text.length);
  const complete = taken.filter(one => showsData(one.text)).length / taken.length;
  const shown = taken.flatMap(one => one.shownMs ?? []);
  return {
    contestant,
    toShown: shown.length === 0 ? null : median(ms) / median(shown),
    median: median(ms),
    p95: percentile(ms, 0.95),
    tokens: Math.round(median(lengths) / CHARACTERS_PER_TOKEN),
    complete: row.name.includes('application') ? complete : null,
  };
}
