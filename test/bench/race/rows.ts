import type { Contestant } from './contestant.ts';
import { DATA_DELAY_MS, type RaceSite } from './racePages.ts';

/** One row of the race: what is measured, and how. */
export interface RaceRow {
  readonly name: string;
  /** The aim for pagespace, as a ratio to bare Playwright; null for none. */
  readonly aim: number | null;
  /** True if each contestant gives its default answer, with all fields. */
  readonly isWhole?: true;
  /** Prepares and measures once. @returns the milliseconds, and the text that the agent gets */
  measure(contestant: Contestant, site: RaceSite): Promise<Measurement>;
}

/** One measurement of a row. */
export interface Measurement {
  readonly ms: number;
  readonly text: string;
  /** The time at which the page had what was asked for; no answer can have it earlier. Milliseconds. */
  readonly shownMs?: number;
}

/** A pause after which background work of every contestant has ended. */
const PAUSE_MS = 250;

async function timed(work: () => Promise<string>): Promise<Measurement> {
  const start = performance.now();
  const text = await work();
  return { ms: performance.now() - start, text };
}

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

/** Runs `measured` in a session of its own; only `measured` counts. */
async function inSession(
  contestant: Contestant,
  prepare: () => Promise<unknown>,
  measured: () => Promise<string>,
): Promise<Measurement> {
  await contestant.start();
  try {
    await prepare();
    return await timed(measured);
  } finally {
    await contestant.end();
  }
}

const opened = (c: Contestant, url: string) => async (): Promise<void> => {
  await c.open(url);
  await pause(PAUSE_MS);
};

/** The rows of the race, in the order of the table. */
export const RACE_ROWS: readonly RaceRow[] = [
  {
    name: 'start a session, open a small page (43 actions)',
    aim: null,
    measure: (c, site) =>
      timed(async () => {
        await c.start();
        const text = await c.open(`${site.url}/small`);
        await c.end();
        return text;
      }),
  },
  {
    name: 'list again right after opening (43 actions)',
    aim: 0.8,
    measure: (c, site) =>
      inSession(
        c,
        () => c.open(`${site.url}/small`),
        () => c.list(),
      ),
  },
  {
    name: 'list again after a pause of 250 ms',
    aim: 0.8,
    measure: (c, site) => inSession(c, opened(c, `${site.url}/small`), () => c.list()),
  },
  {
    name: 'click and new list, page without scripts',
    aim: 1.2,
    measure: (c, site) => inSession(c, opened(c, `${site.url}/small`), () => c.click('Press')),
  },
  {
    name: 'text entry and new list',
    aim: 1.5,
    measure: (c, site) => inSession(c, opened(c, `${site.url}/small`), () => c.type('Name', 'Alice')),
  },
  {
    name: `open a single-page application whose data comes after ${DATA_DELAY_MS} ms`,
    aim: null,
    async measure(c, site) {
      let start = 0;
      const prepare = async (): Promise<void> => {
        start = performance.now();
      };
      const measurement = await inSession(c, prepare, () => c.open(`${site.url}/application`));
      const shownMs = site.dataSentAt - start;
      // A contestant that did not wait answered before the data came.
      return shownMs > 0 ? { ...measurement, shownMs } : measurement;
    },
  },
  {
    name: 'content of a page of 2,000 links, Markdown',
    aim: 2,
    measure: (c, site) => inSession(c, opened(c, `${site.url}/links`), () => c.content()),
  },
  {
    name: 'content of a table of 10,000 nodes, Markdown',
    aim: 2,
    measure: (c, site) => inSession(c, opened(c, `${site.url}/table`), () => c.content()),
  },
  {
    name: 'whole cycle: start, open, click, content, end (small page)',
    aim: 1.15,
    measure: (c, site) =>
      timed(async () => {
        await c.start();
        await c.open(`${site.url}/small`);
        await c.click('Press');
        const text = await c.content();
        await c.end();
        return text;
      }),
  },
  {
    name: 'default answer: click and new list, page without scripts',
    aim: 1,
    isWhole: true,
    measure: (c, site) => inSession(c, opened(c, `${site.url}/small`), () => c.click('Press')),
  },
  {
    name: 'default answer: text entry and new list',
    aim: 1.2,
    isWhole: true,
    measure: (c, site) => inSession(c, opened(c, `${site.url}/small`), () => c.type('Name', 'Alice')),
  },
  {
    name: 'default answer: list and content of the small page',
    aim: 1.2,
    isWhole: true,
    measure: (c, site) => inSession(c, opened(c, `${site.url}/small`), () => c.content()),
  },
  {
    name: 'default answer: list and content of a page of 2,000 links',
    aim: 2,
    isWhole: true,
    measure: (c, site) => inSession(c, opened(c, `${site.url}/links`), () => c.content()),
  },
];

/** True for the row whose answers can lack the data. */
export const showsData = (text: string): boolean => text.includes('Order 1');
