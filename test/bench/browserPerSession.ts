/**
 * Measures what one browser for each session costs beside browsers that sessions share: memory, and the time that the start of a session
 * takes with a warm context ready. Linux only.
 *
 *   npm run bench:browsers -- [sessions]
 */
import { startTestProduct, type TestProduct } from '../support/startServer.ts';
import { megabytesBelow } from './race/idleMemory.ts';
import { pagespaceContestant } from './race/pagespaceContestant.ts';
import { serveRacePages } from './race/racePages.ts';
import { median } from './statistics.ts';

const sessions = Number(process.argv[2] ?? 20);
/** Time in which the service replaces its warm context. Milliseconds. */
const REFILLED_MS = 3_000;
const MODES = [
  { name: 'shared', sessionsPerBrowser: 16 },
  { name: 'one each', sessionsPerBrowser: 1 },
] as const;

const pause = (): Promise<void> => new Promise(resolve => setTimeout(resolve, REFILLED_MS));
const site = await serveRacePages();
const starts = new Map<string, number[]>(MODES.map(({ name }) => [name, []]));

async function start(product: TestProduct, name: string): Promise<void> {
  const session = pagespaceContestant(product);
  await pause();
  const begin = performance.now();
  await session.start();
  starts.get(name)?.push(performance.now() - begin);
  await session.open(`${site.url}/small`);
}

const TIMED = Math.min(sessions, 20);
for (const { name, sessionsPerBrowser } of MODES) {
  const before = megabytesBelow(process.pid);
  await using product = await startTestProduct({
    capacity: sessions + 2,
    sessionsPerBrowser,
    warmContexts: 1,
    auditsLedger: false,
  });
  for (let n = 0; n < sessions; n++)
    if (n < sessions - TIMED) {
      const session = pagespaceContestant(product);
      await session.start();
      await session.open(`${site.url}/small`);
    } else await start(product, name);
  await pause();
  const megabytes = megabytesBelow(process.pid) - before;
  process.stdout.write(
    `${name}: ${sessions} sessions, ${Math.round(megabytes)} MB, ${Math.round(megabytes / sessions)} MB each, start ${Math.round(median(starts.get(name) ?? []))} ms\n`,
  );
}
await site.close();
