/**
 * `npm run bench`: pagespace beside bare Playwright and Playwright MCP on the same pages, in one run, in rotated order; then curves over elements,
 * actions, sessions and subscribers. Prints the tables, and writes them with the curves into docs/benchmarks.md.
 *
 *   npm run bench                 20 rounds a row
 *   npm run bench -- 5            5 rounds
 *   npm run bench -- 5 --dry      prints only
 *   npm run bench -- 5 --rows=default    prints only the rows whose names contain the word
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { chromium } from 'playwright';
import { findChromium } from '../../src/browser/launch/findChromium.ts';
import { buildInjectedScripts } from '../../src/setup/build.ts';
import { contentGrowth } from './race/contentGrowth.ts';
import type { Contestant } from './race/contestant.ts';
import { describeMachine } from './race/describeMachine.ts';
import { idleMegabytes } from './race/idleMemory.ts';
import { type LineChart, lineChart } from './race/lineChart.ts';
import { mcpContestant } from './race/mcpContestant.ts';
import { concurrencyCurve, concurrencyTable, measureConcurrency } from './race/measureConcurrency.ts';
import { listCurve, subscribersCurve } from './race/measureCurves.ts';
import { pagespaceContestant, servePagespace } from './race/pagespaceContestant.ts';
import { playwrightContestant, playwrightSession } from './race/playwrightContestant.ts';
import { serveRacePages } from './race/racePages.ts';
import { raceTable } from './race/raceTable.ts';
import { runRace } from './race/runRace.ts';

const ROUNDS = Math.max(1, Number(process.argv[2] ?? 20) || 20);
const isDry = process.argv.includes('--dry');
const rows = process.argv.find(argument => argument.startsWith('--rows='))?.slice('--rows='.length) ?? null;
const DOCS = new URL('../../docs/', import.meta.url);
const IDLE_SESSIONS = 8;

const progress = (line: string): void => console.error(line);

await buildInjectedScripts();
const executablePath = findChromium(process.env.CHROMIUM_PATH)?.path ?? '';
const site = await serveRacePages();
const served = await servePagespace({ PAGESPACE_CAPACITY: '20' });
const pagespace = pagespaceContestant(served);
const playwright = await playwrightContestant(executablePath);
const mcp = await mcpContestant(executablePath);
try {
  if (rows === null) await measureAll();
  else console.log(raceTable(await runRace([pagespace, playwright], site, ROUNDS, progress, rows)));
} finally {
  await mcp.stop();
  await playwright.stop();
  await served.stop();
  site.close();
}

async function measureAll(): Promise<void> {
  const session = (): Contestant => pagespaceContestant(served);
  const small = `${site.url}/small`;
  // The first run compiles what the later ones use, and is not shown.
  await measureConcurrency(session, small);
  const fresh = await measureConcurrency(session, small);
  const results = await runRace([pagespace, playwright, mcp], site, ROUNDS, progress);
  const growth = await contentGrowth(pagespace, site.url);
  progress('content of larger pages: measured');
  const used = await measureConcurrency(session, small);
  const saving = await measureConcurrency(session, `${site.url}/saves`);
  const paced = await measureConcurrency(session, small, 'paced');
  progress('sessions at once: measured');
  const browser = await chromium.launch({ executablePath, chromiumSandbox: false });
  const version = `Chromium ${browser.version()}`;
  const bare = await measureConcurrency(() => playwrightSession(browser), small);
  await browser.close();
  const memory = await measureMemory();
  progress('memory of idle sessions: measured');
  const charts: Readonly<Record<string, LineChart>> = {
    nodes: await listCurve('nodes', [pagespace, playwright], site.url),
    actions: await listCurve('actions', [pagespace, playwright], site.url),
    sessions: concurrencyCurve(used),
    subscribers: await subscribersCurve(),
  };
  const text = [
    describeMachine(version),
    '',
    `${ROUNDS} rounds a row. pagespace runs as a service of its own and is called over HTTP; bare Playwright is a script with the browser as its child; its Markdown is made by Turndown. Playwright MCP is called over stdio; it has no content, so it gives the HTML. Tokens: characters of the answer divided by four.`,
    '',
    raceTable(results),
    '',
    growth,
    '',
    concurrencyTable([
      { name: 'pagespace, before the race', results: fresh },
      { name: 'pagespace, after the sessions of the race', results: used },
      { name: 'pagespace, each click waits for its server (30 ms)', results: saving },
      { name: 'pagespace, with a second between two operations of a session', results: paced },
      { name: 'bare Playwright', results: bare },
    ]),
    '',
    memory,
    '',
    ...Object.entries(charts).map(([name, { title }]) => `![${title}](bench/${name}.svg)\n`),
  ].join('\n');
  console.log(text);
  if (!isDry) write(text, charts);
}

async function measureMemory(): Promise<string> {
  if (process.platform !== 'linux') return '';
  // In a browser that has had other sessions, their processes end meanwhile.
  const browser = await chromium.launch({ executablePath, chromiumSandbox: false });
  const url = `${site.url}/small`;
  const sessions = (create: () => Contestant) => Array.from({ length: IDLE_SESSIONS }, create);
  const ours = await idleMegabytes(
    sessions(() => pagespaceContestant(served)),
    served.pid,
    url,
  );
  const theirs = await idleMegabytes(
    sessions(() => playwrightSession(browser)),
    process.pid,
    url,
    served.pid,
  );
  await browser.close();
  return `Memory of an idle session on the small page: ${ours.toFixed(0)} MB of browser processes; of a bare context: ${theirs.toFixed(0)} MB (ratio ${(ours / theirs).toFixed(2)}).`;
}

function write(text: string, charts: Readonly<Record<string, LineChart>>): void {
  mkdirSync(new URL('bench/', DOCS), { recursive: true });
  for (const [name, chart] of Object.entries(charts))
    writeFileSync(new URL(`bench/${name}.svg`, DOCS), lineChart(chart));
  const file = new URL('benchmarks.md', DOCS);
  const manual = readFileSync(file, 'utf8');
  const part = /(<!-- race:begin[^>]*-->\n)[\s\S]*(<!-- race:end -->)/;
  if (!part.test(manual)) throw new Error('docs/benchmarks.md lacks the marks race:begin and race:end');
  writeFileSync(
    file,
    manual.replace(part, (_all, begin, end) => `${begin}\n${text}\n${end}`),
  );
}
