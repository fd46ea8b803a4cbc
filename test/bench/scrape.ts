/**
 * Measures quality and speed of main content on real article pages: `npm run bench:scrape`.
 * Needs the pages in ../shared/data/articles or in the folder of the first argument; without them it prints that and ends.
 * Then prints the quality by page type (`scrapePages.ts`); with `--types` only that.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { chromium, type Page } from 'playwright';
import { findChromium } from '../../src/browser/launch/findChromium.ts';
import { scrapePage } from '../../src/browser/scrape/scrapePage.ts';
import { PAGE_PARTS, type PagePart } from '../../src/domain/content/contentParts.ts';
import type { ContentSelection } from '../../src/domain/content/scrape.ts';
import { buildInjectedScripts } from '../../src/setup/build.ts';
import { type Counts, compare, scoreOf } from '../support/articleScore.ts';
import { serveBenchmark } from '../support/benchmarkPages.ts';
import { mainFrameWorld } from '../support/mainFrameWorld.ts';
import { printPageTypes } from './scrapePages.ts';

/** Published results on the whole benchmark (its README and the systems' own pages). */
const PUBLISHED: Readonly<Record<string, number>> = {
  AutoExtract: 0.97,
  rs_trafilatura: 0.97,
  go_trafilatura: 0.96,
  trafilatura: 0.958,
  newspaper: 0.949,
  readability_js: 0.947,
};

/** Nothing but main content. */
const REQUEST: ContentSelection = {
  ...(Object.fromEntries(PAGE_PARTS.map(part => [part, false])) as Record<PagePart, false>),
  onlyMainContent: true,
  mainContent: true,
};

/** Bare Readability in the same isolated world: the baseline. */
const BASELINE = `
import { Readability } from '@mozilla/readability';
Object.defineProperty(globalThis, '__baseline', { configurable: true, value: () => {
  const parsed = new Readability(document.cloneNode(true), { keepClasses: false }).parse();
  return parsed === null ? '' : parsed.content;
} });`;

/** Extracts text by the rule of the benchmark; runs in the page. */
const TEXT_OF = `html => {
  const body = new DOMParser().parseFromString(html, 'text/html').body;
  for (const out of body.querySelectorAll('script,style,noscript,svg,figcaption')) out.remove();
  const BLOCK = /^(address|article|aside|blockquote|body|dd|div|dl|dt|fieldset|figure|footer|form|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|table|tbody|td|tfoot|th|thead|tr|ul|br|center|details|summary)$/;
  let text = '';
  const walk = node => {
    if (node.nodeType === 3) text += node.data;
    if (node.nodeType !== 1) return;
    const block = BLOCK.test(node.localName);
    if (block) text += '\\n';
    for (const child of node.childNodes) walk(child);
    if (block) text += '\\n';
  };
  walk(body);
  return text;
}`;

const folder = resolve(
  process.argv.slice(2).find(argument => !argument.startsWith('--')) ?? '../shared/data/articles',
);
if (!existsSync(join(folder, 'ground-truth.json'))) {
  console.log(`No pages in ${folder}: nothing to measure.`);
  process.exit(0);
}

const truth = JSON.parse(readFileSync(join(folder, 'ground-truth.json'), 'utf8')) as Record<
  string,
  { url: string; articleBody: string }
>;
const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

async function baselineScript(): Promise<string> {
  const bundle = await build({
    stdin: { contents: BASELINE, resolveDir: process.cwd(), loader: 'js' },
    bundle: true,
    format: 'iife',
    write: false,
  });
  return bundle.outputFiles[0]?.text ?? '';
}

async function main(): Promise<void> {
  const baseline = await baselineScript();
  const { origin, server } = await serveBenchmark(folder);
  const found = findChromium(process.env.CHROMIUM_PATH);
  const browser = await chromium.launch({
    ...(found === null ? {} : { executablePath: found.path }),
    chromiumSandbox: false,
  });
  const ours: Counts[] = [];
  const theirs: Counts[] = [];
  const times = { ours: [] as number[], theirs: [] as number[] };
  const work = { ours: [] as number[], theirs: [] as number[] };
  let unsafe = 0;
  const verbose = process.argv.includes('--pages');
  const context = await browser.newContext();
  await context.route('**', route =>
    route.request().url().startsWith(`${origin}/`) && route.request().resourceType() === 'document'
      ? route.continue()
      : route.abort(),
  );
  for (const name of readdirSync(join(folder, 'html')).sort()) {
    const id = name.replace('.html.gz', '');
    const page = await context.newPage();
    await page.goto(`${origin}/${id}.html`, { waitUntil: 'load' });
    const world = await mainFrameWorld(page);
    await world.evaluate(baseline);
    await scrapePage(world, { ...REQUEST, mainContent: false, metadata: true });
    const order = ours.length % 2 === 0 ? (['ours', 'theirs'] as const) : (['theirs', 'ours'] as const);
    const html = { ours: '', theirs: '' };
    const processorTime = await processorTimeOf(page);
    for (const which of order) {
      const before = await processorTime();
      const began = performance.now();
      html[which] =
        which === 'ours'
          ? ((await scrapePage(world, REQUEST)).mainContent ?? '')
          : await world.call<string>('() => globalThis.__baseline()');
      times[which].push(performance.now() - began);
      work[which].push((await processorTime()) - before);
    }
    const text = async (markup: string) => world.call<string>(TEXT_OF, markup);
    const wanted = truth[id]?.articleBody ?? '';
    const mine = compare(wanted, await text(html.ours));
    ours.push(mine);
    theirs.push(compare(wanted, await text(html.theirs)));
    unsafe += unsafeMarks(html.ours);
    if (verbose) console.log(id.slice(0, 8), mine.falsePositives.toFixed(3), mine.falseNegatives.toFixed(3));
    await page.close();
  }
  await browser.close();
  server.close();
  report(ours, theirs, times, work, unsafe);
}

/** Returns a function that reads the processor time of the page's main thread, in milliseconds. Other load hardly changes it. */
async function processorTimeOf(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0);
  };
}

/** Counts scripts, handlers, unsafe schemes and relative URLs in the HTML. */
function unsafeMarks(html: string): number {
  const patterns = [
    /<(script|style|iframe|object|embed|form|base|meta|link)\b/gi,
    /<[^>]+\son\w+\s*=/gi,
    /(?:href|src)\s*=\s*"\s*(?:javascript|vbscript|data:text)/gi,
    /<[^>]+\s(?:href|src)="(?!https?:|mailto:|tel:|ftp:|sms:|data:image|blob:)[^"]*"/gi,
  ];
  return patterns.reduce((sum, pattern) => sum + (html.match(pattern)?.length ?? 0), 0);
}

interface Both {
  readonly ours: readonly number[];
  readonly theirs: readonly number[];
}

function report(
  ours: readonly Counts[],
  theirs: readonly Counts[],
  times: Both,
  work: Both,
  unsafe: number,
): void {
  const line = (name: string, pages: readonly Counts[], which: keyof Both) => {
    const { f1, precision, recall } = scoreOf(pages);
    const numbers = [f1, precision, recall].map(value => value.toFixed(4).padEnd(10));
    console.log(
      `${name.padEnd(26)}${numbers.join('')}${median(times[which]).toFixed(1).padEnd(11)}${median(work[which]).toFixed(1)}`,
    );
  };
  console.log(`${ours.length} pages${' '.repeat(18)}F1        precision recall    median ms  of processor`);
  line('pagespace', ours, 'ours');
  line('Readability, same world', theirs, 'theirs');
  const ratio = ({ ours, theirs }: Both) => (median(ours) / median(theirs)).toFixed(2);
  console.log(`time ratio ${ratio(times)}, of processor time ${ratio(work)} (aim: at most 3)`);
  console.log(`unsafe HTML or relative URLs: ${unsafe} (aim: 0)`);
  console.log('published, on the whole set of 181 pages, F1:');
  for (const [name, f1] of Object.entries(PUBLISHED)) console.log(`  ${name.padEnd(24)}${f1.toFixed(3)}`);
}

await buildInjectedScripts();
if (!process.argv.includes('--types')) await main();
await printPageTypes(resolve(folder, '../pages'));
