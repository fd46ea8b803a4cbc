/**
 * Perception against Playwright's AI snapshot on the same pages, in one run, in rotated order: `npm run bench:perceive`.
 * Time ratio, bytes ratio of the list, and what each of the two finds on pages that say what is to be found.
 * Real pages are taken from ../shared/data/articles (or the folder named by the first argument) where they are there.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright';
import { buildInPageScripts } from '../../src/setup/build.ts';
import { launchChromium, ObservedPage } from '../support/observedPage.ts';
import { startTestSite } from '../support/testSite.ts';
import { type ObservedTab, openObservedTab } from './observedTab.ts';

const ROUNDS = 7;
const FIRST_LOOKS = 3;
const MOST_REAL_PAGES = 24;
const WIDGETS = ['/forms', '/widgets', '/visibility', '/shadow', '/modal', '/dialog', '/hostile', '/spa'];
const LARGE = ['/nodes?n=10000', '/nodes?n=50000'];
const folder = resolve(process.argv[2] ?? '../shared/data/articles', 'html');

interface Measured {
  readonly page: string;
  readonly ms: number;
  readonly snapshotMs: number;
  /** Of the first look at a fresh page, scripts to be brought in included. */
  readonly firstRatio: number;
  readonly bytes: number;
  readonly snapshotBytes: number;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? Number.NaN;

async function timed<T>(run: () => Promise<T>): Promise<{ ms: number; value: T }> {
  const began = performance.now();
  const value = await run();
  return { ms: performance.now() - began, value };
}

/** Puts a document into a fresh page. */
type Open = (page: Page) => Promise<unknown>;

/** One look each at a page that nobody has looked at yet. */
async function firstObservations(
  browser: Browser,
  open: Open,
): Promise<{ ours: number[]; theirs: number[] }> {
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < FIRST_LOOKS; round++) {
    const look = async (times: number[], see: (tab: ObservedTab) => Promise<string>) => {
      const tab = await openObservedTab(browser);
      await open(tab.page);
      times.push((await timed(() => see(tab))).ms);
      await tab.close();
    };
    const both = [() => look(ours, tab => tab.observe()), () => look(theirs, snapshotOf)];
    for (const one of round % 2 === 0 ? both : both.toReversed()) await one();
  }
  return { ours, theirs };
}

const snapshotOf = ({ page }: ObservedTab): Promise<string> => page.ariaSnapshot({ mode: 'ai' });

async function measure(browser: Browser, name: string, open: Open): Promise<Measured> {
  const first = await firstObservations(browser, open);
  const tab = await openObservedTab(browser);
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
    bytes,
    snapshotBytes,
  };
}

interface Findings {
  readonly found: number;
  readonly unwanted: number;
}

const present = (values: readonly (string | null)[]): number => values.filter(value => value !== null).length;

async function findings(observed: ObservedPage): Promise<Findings> {
  return {
    found: present(await observed.attributes('data-want')),
    unwanted: present(await observed.attributes('data-wantnot')),
  };
}

/** Roles whose entries an agent takes for something to act on; beside them whatever has a pointer. */
const ACTED_ON =
  /^\s*- '?(button|link|checkbox|radio|switch|tab|menuitem|option|combobox|textbox|searchbox|slider|spinbutton|treeitem|listbox)\b/;

/** What a reader of the AI snapshot would act on. */
async function snapshotFindings(page: Page): Promise<Findings> {
  const text = await page.ariaSnapshot({ mode: 'ai' });
  const lines = text.split('\n').filter(line => ACTED_ON.test(line) || line.includes('[cursor=pointer]'));
  const refs = lines.map(line => /\[ref=(\w+)\]/.exec(line)?.[1]).filter(ref => ref !== undefined);
  const marks = await Promise.all(
    refs.map(ref => page.locator(`aria-ref=${ref}`).evaluate(element => Object.keys(element.dataset ?? {}))),
  );
  return {
    found: marks.filter(mark => mark.includes('want')).length,
    unwanted: marks.filter(mark => mark.includes('wantnot')).length,
  };
}

/** How many elements are to be found; a page whose shadow trees are closed says it itself. */
async function wantedOn(page: Page): Promise<number> {
  const said = await page.locator('body').getAttribute('data-wanted');
  return said === null ? page.locator('[data-want]').count() : Number(said);
}

async function realPages(browser: Browser): Promise<Measured[]> {
  if (!existsSync(folder)) {
    console.log(`No real pages at ${folder}: only the pages of test/site are measured.`);
    return [];
  }
  const files = readdirSync(folder).filter(file => file.endsWith('.gz'));
  const step = Math.max(1, Math.floor(files.length / MOST_REAL_PAGES));
  const measured: Measured[] = [];
  for (const file of files.filter((_, index) => index % step === 0).slice(0, MOST_REAL_PAGES)) {
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
  for (const { page, ms, snapshotMs, firstRatio, bytes, snapshotBytes } of measured)
    console.log(
      `  ${page.padEnd(18)} ${ms.toFixed(1).padStart(7)} ms of ${snapshotMs.toFixed(1).padStart(7)} ms (${ratio(ms / snapshotMs)}, first look ${ratio(firstRatio)})   ${bytes} of ${snapshotBytes} bytes (${ratio(bytes / snapshotBytes)})`,
    );
  const times = median(measured.map(({ ms, snapshotMs }) => ms / snapshotMs));
  const sizes = median(measured.map(({ bytes, snapshotBytes }) => bytes / snapshotBytes));
  const first = median(measured.map(({ firstRatio }) => firstRatio));
  console.log(`  median ratio: time ${ratio(times)}, first look ${ratio(first)}, bytes ${ratio(sizes)}`);
}

await buildInPageScripts();
const site = await startTestSite();
const browser = await launchChromium();
try {
  const widgets: Measured[] = [];
  console.log('Found of what is to be found (and listed though it cannot be used): ours | AI snapshot');
  for (const path of WIDGETS) {
    const observed = await ObservedPage.open(browser, site.url + path);
    const truth = await wantedOn(observed.page);
    const ours = await findings(observed);
    const theirs = await snapshotFindings(observed.page).catch(() => null);
    const told = theirs === null ? 'it throws' : `${theirs.found}/${truth} (${theirs.unwanted})`;
    console.log(`  ${path.padEnd(14)} ${ours.found}/${truth} (${ours.unwanted}) | ${told}`);
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
