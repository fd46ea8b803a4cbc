/**
 * Compares start → observe → step → scrape → close through REST with the same work in a bare Playwright script, alternating on one
 * static page. Prints medians and ratios.
 *
 * The script scrapes the same content as the service: the main content by Readability in the page, its text and links, and the
 * AI snapshot for the actions. A script that only takes `content()` has a row of its own.
 *
 *   npm run bench:cycle            20 rounds
 *   npm run bench:cycle -- 50      50 rounds
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium } from 'playwright';
import { findChromium } from '../../src/browser/launch/findChromium.ts';
import { buildInjectedScripts } from '../../src/setup/build.ts';
import { startTestProduct } from '../support/startServer.ts';

const ROUNDS = Math.max(1, Number(process.argv[2] ?? 20));
const WARM_UP = 3;
const PARTS = ['start', 'observe', 'step', 'scrape', 'close'] as const;
type Part = (typeof PARTS)[number];
type Times = Record<Part, number>;

const PAGE = `<!doctype html><html lang="en"><head><title>A static page</title></head><body>
<nav><a href="/">Home</a><a href="/about">About</a></nav><main><h1>A static page</h1>
${Array.from({ length: 40 }, (_, n) => `<p>Paragraph ${n} of plain text, long enough to be read as the content of a page. <a href="/p/${n}">Link ${n}</a></p>`).join('\n')}
<button type="button">Press</button><label>Name <input name="n"></label></main></body></html>`;

async function servePage(): Promise<{ url: string; close: () => void }> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(PAGE);
  });
  const listening = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', listening.resolve);
  await listening.promise;
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => server.close() };
}

async function timed<T>(times: Partial<Times>, part: Part, work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  const result = await work();
  times[part] = performance.now() - start;
  return result;
}

async function bare(browser: Browser, url: string): Promise<Times> {
  const times: Partial<Times> = {};
  const { context, page } = await timed(times, 'start', async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
    return { context, page: await context.newPage() };
  });
  await timed(times, 'observe', async () => {
    await page.goto(url);
    return page.ariaSnapshot({ mode: 'ai' });
  });
  await timed(times, 'step', async () => {
    await page.getByRole('button', { name: 'Press' }).click();
    return page.ariaSnapshot({ mode: 'ai' });
  });
  const start = performance.now();
  await page.content();
  contentOnly.push(performance.now() - start);
  await timed(times, 'scrape', async () => {
    await page.evaluate(READABILITY);
    await page.evaluate(
      `(() => {
        const article = new Readability(document.cloneNode(true)).parse();
        const links = [...document.links].map(link => ({ url: link.href, text: link.textContent }));
        return { html: article?.content, text: article?.textContent, links };
      })()`,
    );
    return page.ariaSnapshot({ mode: 'ai' });
  });
  await timed(times, 'close', () => context.close());
  return times as Times;
}

interface ApiResponse {
  readonly session_id: string;
  readonly space: { readonly actions: readonly { readonly id: string; readonly name: string }[] };
}

async function served(base: string, key: string, url: string): Promise<Times> {
  const times: Partial<Times> = {};
  const call = async (path: string, body: object): Promise<ApiResponse> => {
    const response = await fetch(base + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify(body),
    });
    const result = (await response.json()) as ApiResponse;
    if (!response.ok) throw new Error(`${path}: ${JSON.stringify(result)}`);
    return result;
  };
  const { session_id } = await timed(times, 'start', () => call('/session/start', {}));
  const seen = await timed(times, 'observe', () => call('/env/observe', { session_id, url }));
  const action_id = seen.space.actions.find(action => action.name === 'Press')?.id;
  await timed(times, 'step', () => call('/env/step', { session_id, action_id }));
  await timed(times, 'scrape', () => call('/env/scrape', { session_id }));
  await timed(times, 'close', () => call('/session/close', { session_id }));
  return times as Times;
}

const READABILITY = readFileSync(
  new URL('../../node_modules/@mozilla/readability/Readability.js', import.meta.url),
  'utf8',
);
/** The time of `content()` alone in each round of the script. Milliseconds. */
const contentOnly: number[] = [];

const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
};

async function launchTime(path: string): Promise<number> {
  const start = performance.now();
  const browser = await chromium.launch({ executablePath: path, chromiumSandbox: false });
  const ms = performance.now() - start;
  await browser.close();
  return ms;
}

await buildInjectedScripts();
const path = findChromium(process.env.CHROMIUM_PATH)?.path ?? '';
const site = await servePage();
const launches: number[] = [];
for (let n = 0; n < 5; n++) launches.push(await launchTime(path));
const browser = await chromium.launch({ executablePath: path, chromiumSandbox: false });
const product = await startTestProduct({ warmContexts: 2 });
const ours: Times[] = [];
const theirs: Times[] = [];
for (let round = -WARM_UP; round < ROUNDS; round++) {
  const pair: [Times, Times] =
    round % 2 === 0
      ? [await served(product.url, product.key, site.url), await bare(browser, site.url)]
      : ([await bare(browser, site.url), await served(product.url, product.key, site.url)].reverse() as [
          Times,
          Times,
        ]);
  if (round < 0) continue;
  ours.push(pair[0]);
  theirs.push(pair[1]);
}
const whole = (times: Times): number => PARTS.reduce((sum, part) => sum + times[part], 0);
const row = (name: string, a: number, b: number): string =>
  `${name.padEnd(20)}${a.toFixed(1).padStart(10)}${b.toFixed(1).padStart(18)}${(a / b).toFixed(2).padStart(9)}`;
console.log(`${ROUNDS} rounds; medians in milliseconds\n`);
console.log(
  `${''.padEnd(20)}${'pagespace'.padStart(10)}${'bare Playwright'.padStart(18)}${'ratio'.padStart(9)}`,
);
for (const part of PARTS)
  console.log(row(part, median(ours.map(times => times[part])), median(theirs.map(times => times[part]))));
console.log(row('whole cycle', median(ours.map(whole)), median(theirs.map(whole))));
const content = median(contentOnly.slice(-ROUNDS));
const shorter = theirs.map(
  (times, nth) => whole(times) - times.scrape + (contentOnly[nth + WARM_UP] ?? content),
);
console.log(row('with content() only', median(ours.map(whole)), median(shorter)));
console.log(row('start / launch', median(ours.map(times => times.start)), median(launches)));
await product[Symbol.asyncDispose]();
await browser.close();
site.close();
