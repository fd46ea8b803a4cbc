/**
 * `npm run bench:lists` compares the characters of `space.markdown` without limits with those of `agent-browser snapshot -i` on real pages of
 * seven types, in the same Chromium, without scripts and other hosts. Prints the ratio of each type.
 *
 *   AGENT_BROWSER=<program of the npm package agent-browser> npm run bench:lists -- [folder of pages]
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { markdownTable } from 'markdown-table';
import { type Browser, chromium } from 'playwright';
import { registerSelectorEngine } from '../../src/browser/act/element/elementContext.ts';
import { findChromium } from '../../src/browser/launch/findChromium.ts';
import { buildInjectedScripts } from '../../src/setup/build.ts';
import { benchmarkPages, serveBenchmark } from '../support/benchmarkPages.ts';
import { openObservedTab } from './observedTab.ts';
import { median } from './statistics.ts';

const folder = process.argv[2] ?? '../shared/data/pages';
const program = process.env.AGENT_BROWSER;
const DEBUGGING_PORT = 9_378;
const SESSION = 'pagespace-bench-lists';

const run = promisify(execFile);

async function agentBrowser(...args: readonly string[]): Promise<string> {
  const all = ['--session', SESSION, '--cdp', String(DEBUGGING_PORT), ...args];
  return (await run(program ?? '', all, { maxBuffer: 100_000_000, timeout: 60_000 })).stdout;
}

interface MeasuredPage {
  readonly type: string;
  readonly ours: number;
  readonly theirs: number;
}

async function ownLength(browser: Browser, url: string): Promise<number> {
  const tab = await openObservedTab(browser, false);
  await tab.page.goto(url, { waitUntil: 'load' });
  const { length } = await tab.observe();
  await tab.close();
  return length;
}

const pages = benchmarkPages(folder);
if (program === undefined || pages.length === 0)
  throw new Error(
    `Set AGENT_BROWSER to the program to compare with, and pass a folder of pages (${folder}).`,
  );
await buildInjectedScripts();
await registerSelectorEngine();
const { origin, server } = await serveBenchmark(folder);
const browser = await chromium.launch({
  executablePath: findChromium(process.env.CHROMIUM_PATH)?.path ?? '',
  chromiumSandbox: false,
  args: [
    `--remote-debugging-port=${DEBUGGING_PORT}`,
    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  ],
});
const measured: MeasuredPage[] = [];
try {
  for (const { id, type } of pages) {
    const url = `${origin}/${id}.html`;
    const ours = await ownLength(browser, url);
    await agentBrowser('open', url);
    const theirs = (await agentBrowser('snapshot', '-i')).length;
    measured.push({ type, ours, theirs });
  }
} finally {
  await agentBrowser('close').catch(() => '');
  await browser.close();
  server.close();
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

function row(name: string, of: readonly MeasuredPage[]): string[] {
  const total = sum(of.map(({ ours }) => ours)) / sum(of.map(({ theirs }) => theirs));
  const middle = median(of.map(({ ours, theirs }) => ours / theirs));
  return [name, String(of.length), total.toFixed(2), middle.toFixed(2)];
}

console.log(
  markdownTable([
    ['Type', 'Pages', 'Ratio, total', 'Ratio, median page'],
    row('all', measured),
    ...[...Map.groupBy(measured, ({ type }) => type)].map(([type, of]) => row(type, of)),
  ]),
);
