/**
 * Measures how long the steps of one session take beside loud sessions, whose pages run scripts and workers without end: alone, with the share of
 * the processors (docs/security.md), and without it, in turns.
 *
 *   npm run bench:loud -- [loud sessions] [steps of each turn] [turns]
 */

import { servePages } from '../support/servePages.ts';
import { startTestProduct } from '../support/startServer.ts';
import type { Contestant } from './race/contestant.ts';
import { pagespaceContestant } from './race/pagespaceContestant.ts';
import { serveRacePages } from './race/racePages.ts';
import { median, percentile } from './statistics.ts';

const [loudSessions = 8, steps = 15, turns = 2] = process.argv.slice(2).map(Number);
/** Time between two questions of a page whether it may become loud: it may when all pages are open. Milliseconds. */
const ASK_INTERVAL_MS = 1_000;
/** Time until all of them are loud and have used up what they may use at once. */
const SETTLED_MS = 4_500;
/** Pause between two steps. */
const THINK_MS = 300;
/** So many processors that no page can use more than its share. */
const NO_SHARE = 10_000;

const LOUD_PAGE = `<!doctype html><title>Loud</title><button>Press</button><script>
  const asking = setInterval(async () => {
    if ((await (await fetch('/may-be-loud')).text()) !== 'yes') return;
    clearInterval(asking);
    const endless = URL.createObjectURL(new Blob(['for (;;);'], { type: 'text/javascript' }));
    new Worker(endless);
    new Worker(endless);
    setInterval(() => { for (const end = performance.now() + 40; performance.now() < end;); }, 1);
  }, ${ASK_INTERVAL_MS});
</script>`;

const MODES = [
  { name: 'alone', loud: 0, processors: undefined },
  { name: 'with the share', loud: loudSessions, processors: undefined },
  { name: 'without the share', loud: loudSessions, processors: NO_SHARE },
] as const;

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

const site = await serveRacePages();
let isLoudTime = false;
await using pages = await servePages({
  '/': LOUD_PAGE,
  '/may-be-loud': (_request, response) => void response.end(isLoudTime ? 'yes' : 'no'),
});
const clicks = new Map<string, number[]>(MODES.map(({ name }) => [name, []]));
const lists = new Map<string, number[]>(MODES.map(({ name }) => [name, []]));
for (let turn = 0; turn < turns; turn++)
  for (const { name, loud, processors } of MODES) {
    await using product = await startTestProduct({
      capacity: loud + 2,
      auditsLedger: false,
      ...(processors !== undefined && { processors }),
    });
    const session = async (url: string): Promise<Contestant> => {
      const contestant = pagespaceContestant(product);
      await contestant.start();
      await contestant.open(url);
      return contestant;
    };
    isLoudTime = false;
    const neighbour = await session(`${site.url}/small`);
    for (let n = 0; n < loud; n++) await session(`${pages.url}/`);
    isLoudTime = true;
    await pause(SETTLED_MS);
    for (let n = 0; n < steps; n++) {
      clicks.get(name)?.push(await timed(() => neighbour.click('Press')));
      lists.get(name)?.push(await timed(() => neighbour.list()));
      await pause(THINK_MS);
    }
  }
site.close();

const describe = (times: readonly number[] = []): string =>
  `${median(times).toFixed(0)} / ${percentile(times, 0.95).toFixed(0)} ms`;
console.log(`${loudSessions} loud sessions; median / 95th percentile of a neighbour's operations`);
for (const { name } of MODES)
  console.log(`${name}: click ${describe(clicks.get(name))}, list ${describe(lists.get(name))}`);
