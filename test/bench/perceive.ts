/**
 * `npm run bench:perceive` compares observations with Playwright's AI snapshot on the same pages, in one run, in alternating
 * order: the ratio of the times, the ratio of the sizes, and how many of the marked elements each of the two finds.
 * Real pages come from ../shared/data/articles or the folder in the first argument, if it exists.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright';
import { registerSelectorEngine } from '../../src/browser/act/element/elementContext.ts';
import { buildInjectedScripts } from '../../src/setup/build.ts';
import { ObservedPage } from '../support/observedPage.ts';
import { launchTestChromium } from '../support/testChromium.ts';
import { startTestSite } from '../support/testSite.ts';
import { type ObservedTab, openObservedTab } from './observedTab.ts';

const ROUNDS = 7;
const FIRST_ROUNDS = 3;
const MAX_REAL_PAGES = 24;
const WIDGETS = ['/forms', '/widgets', '/visibility', '/shadow', '/modal', '/dialog', '/hostile', '/spa'];
const LARGE = ['/nodes?n=10000', '/nodes?n=50000'];
const folder = resolve(process.argv[2] ?? '../shared/data/articles', 'html');

interface Measured {
  readonly page: string;
  readonly ms: number;
  readonly snapshotMs: number;
  /** Time ratio of the first observation of a page in a tab as sessions get it; the injection of scripts is included. */
  readonly firstRatio: number;
  /** The same in a process that has run no script of the service yet, as after a navigation to another site. */
  readonly coldRatio: number;
  readonly bytes: number;
  readonly snapshotBytes: number;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? Number.NaN;

async function timed<T>(run: () => Promise<T>): Promise<{ ms: number; value: T }> {
  const start = performance.now();
  const value = await run();
  return { ms: performance.now() - start, value };
}

/** Loads a document into a fresh page. */
type Open = (page: Page) => Promise<unknown>;

interface FirstTimes {
  readonly ours: number[];
  readonly cold: number[];
  readonly theirs: number[];
}

/** Times the first observation and the first snapshot of fresh pages. */
async function firstObservations(browser: Browser, open: Open): Promise<FirstTimes> {
  const all: FirstTimes = { ours: [], cold: [], theirs: [] };
  const { ours, cold, theirs } = all;
  for (let round = 0; round < FIRST_ROUNDS; round++) {
    const measureOnce = async (
      times: number[],
      isPrewarmed: boolean,
      read: (tab: ObservedTab) => Promise<string>,
    ) => {
      const tab = await openObservedTab(browser, isPrewarmed);
      await open(tab.page);
      times.push((await timed(() => read(tab))).ms);
      await tab.close();
    };
    const each = [
      () => measureOnce(ours, true, tab => tab.observe()),
      () => measureOnce(cold, false, tab => tab.observe()),
      () => measureOnce(theirs, false, snapshotOf),
    ];
    for (const one of round % 2 === 0 ? each : each.toReversed()) await one();
  }
  return all;
}

const snapshotOf = ({ page }: ObservedTab): Promise<string> => page.ariaSnapshot({ mode: 'ai' });

async function measure(browser: Browser, name: string, open: Open): Promise<Measured> {
  const first = await firstObservations(browser, open);
  const tab = await openObservedTab(browser, true);
  await open(tab.page);
  const times: number[] = [];
  const snapshotTimes: number[] = [];
  let bytes = 0;
  let snapshotBytes = 0;
  for (let round = 0; round <= ROUNDS; round++) {
    const ours = async () => {
      const { ms, value } = await timed(() => tab.observe());
      if (round > 0) times.push(ms);
      bytes = Buffer.byteLength(value);
    };
    const theirs = async () => {
      const { ms, value } = await timed(() => snapshotOf(tab));
      if (round > 0) snapshotTimes.push(ms);
      snapshotBytes = Buffer.byteLength(value);
    };
    for (const run of round % 2 === 0 ? [ours, theirs] : [theirs, ours]) await run();
  }
  await tab.close();
  return {
    page: name,
    ms: median(times),
    snapshotMs: median(snapshotTimes),
    firstRatio: median(first.ours) / median(first.theirs),
    coldRatio: median(first.cold) / median(first.theirs),
    bytes,
    snapshotBytes,
  };
}

interface Findings {
  readonly found: number;
  /** Listed although they cannot be used. */
  readonly unwanted: number;
}

const present = (values: readonly (string | null)[]): number => values.filter(value => value !== null).length;

async function findings(observed: ObservedPage): Promise<Findings> {
  return {
    found: present(await observed.attributes('data-want')),
    unwanted: present(await observed.attributes('data-wantnot')),
  };
}

/** Snapshot lines with these roles count as interactive, and lines with a pointer cursor. */
const INTERACTIVE_LINE =
  /^\s*- '?(button|link|checkbox|radio|switch|tab|menuitem|option|combobox|textbox|searchbox|slider|spinbutton|treeitem|listbox)\b/;

/** The marked elements among the interactive lines of the AI snapshot. */
async function snapshotFindings(page: Page): Promise<Findings> {
  const text = await page.ariaSnapshot({ mode: 'ai' });
  const lines = text
    .split('\n')
    .filter(line => INTERACTIVE_LINE.test(line) || line.includes('[cursor=pointer]'));
  const refs = lines.map(line => /\[ref=(\w+)\]/.exec(line)?.[1]).filter(ref => ref !== undefined);
  const marks = await Promise.all(
    refs.map(ref => page.locator(`aria-ref=${ref}`).evaluate(element => Object.keys(element.dataset ?? {}))),
  );
  return {
    found: marks.filter(mark => mark.includes('want')).length,
    unwanted: marks.filter(mark => mark.includes('wantnot')).length,
  };
}

/** The number of elements to find. A page with closed shadow trees states it itself. */
async function wantedOn(page: Page): Promise<number> {
  const stated = await page.locator('body').getAttribute('data-wanted');
  return stated === null ? page.locator('[data-want]').count() : Number(stated);
}

async function realPages(browser: Browser): Promise<Measured[]> {
  if (!existsSync(folder)) {
    console.log(`${folder} does not exist: only the pages of test/site are measured.`);
    return [];
  }
  const files = readdirSync(folder).filter(file => file.endsWith('.gz'));
  const step = Math.max(1, Math.floor(files.length / MAX_REAL_PAGES));
  const measured: Measured[] = [];
  for (const file of files.filter((_, index) => index % step === 0).slice(0, MAX_REAL_PAGES)) {
    const html = gunzipSync(readFileSync(resolve(folder, file))).toString();
    const open = async (page: Page) => {
      await page.route('**', route => route.abort());
      await page.setContent(html, { waitUntil: 'domcontentloaded' });
    };
    measured.push(await measure(browser, file.slice(0, 12), open));
  }
  return measured;
}

const ratio = (value: number): string => value.toFixed(2);

function report(title: string, measured: readonly Measured[]): void {
  if (measured.length === 0) return;
  console.log(`\n${title}`);
  for (const { page, ms, snapshotMs, firstRatio, coldRatio, bytes, snapshotBytes } of measured)
    console.log(
      `  ${page.padEnd(18)} ${ms.toFixed(1).padStart(7)} ms of ${snapshotMs.toFixed(1).padStart(7)} ms (${ratio(ms / snapshotMs)}, first ${ratio(firstRatio)}, cold ${ratio(coldRatio)})   ${bytes} of ${snapshotBytes} bytes (${ratio(bytes / snapshotBytes)})`,
    );
  const times = median(measured.map(({ ms, snapshotMs }) => ms / snapshotMs));
  const sizes = median(measured.map(({ bytes, snapshotBytes }) => bytes / snapshotBytes));
  const first = median(measured.map(({ firstRatio }) => firstRatio));
  const cold = median(measured.map(({ coldRatio }) => coldRatio));
  console.log(
    `  median ratio: time ${ratio(times)}, first observation ${ratio(first)}, in a new process ${ratio(cold)}, bytes ${ratio(sizes)}`,
  );
}

await buildInjectedScripts();
await registerSelectorEngine();
const site = await startTestSite();
const browser = await launchTestChromium();
try {
  const widgets: Measured[] = [];
  console.log('Elements found of those to find (and listed although unusable): ours | AI snapshot');
  for (const path of WIDGETS) {
    const observed = await ObservedPage.open(browser, site.url + path);
    const truth = await wantedOn(observed.page);
    const ours = await findings(observed);
    const theirs = await snapshotFindings(observed.page).catch(() => null);
    const snapshotText = theirs === null ? 'throws' : `${theirs.found}/${truth} (${theirs.unwanted})`;
    console.log(`  ${path.padEnd(14)} ${ours.found}/${truth} (${ours.unwanted}) | ${snapshotText}`);
    await observed.close();
    if (theirs !== null) widgets.push(await measure(browser, path, page => page.goto(site.url + path)));
  }
  const large: Measured[] = [];
  for (const path of LARGE) {
    large.push(await measure(browser, path, page => page.goto(site.url + path)));
  }
  report('Widget pages', widgets);
  report('Real pages (aim: time 0.5, bytes 0.5)', await realPages(browser));
  report('Large pages (aim: time 0.2)', large);
} finally {
  await browser.close();
  await site.close();
}
