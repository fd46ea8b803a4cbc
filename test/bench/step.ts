/**
 * Compares one step and its new list with the same work in a bare Playwright script (`click` or `fill`, then the AI snapshot), in
 * rotated order on the same pages, through REST. Prints medians of the first step in a fresh session and of the later ones,
 * and the ratio of each to the bare script.
 *
 *   npm run bench:step                                20 rounds
 *   npm run bench:step -- 40 before=../before         40 rounds, beside the service of another folder
 *   npm run bench:step -- --trace                     lists the CDP messages of one step of each kind
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { chromium } from 'playwright';
import { findChromium } from '../../src/browser/launch/findChromium.ts';
import { buildInjectedScripts } from '../../src/setup/build.ts';
import { type ServedTree, serveTree } from './serveTree.ts';
import { MEASURED_STEPS, type MeasuredStep, STEP_PAGES } from './stepPages.ts';
import { printTrace } from './stepTrace.ts';

const WARM_UP = 2;
/** Steps in each session: the first and the later ones. */
const STEPS = 3;
const args = process.argv.slice(2);
const rounds = Math.max(1, Number(args.find(arg => /^\d+$/.test(arg)) ?? 20));
const folders = args.filter(arg => arg.includes('=')).map(arg => arg.split('=') as [string, string]);

/** Performs the step `STEPS` times in a fresh session on the page. Returns the time of each, in milliseconds. */
type Contestant = (step: MeasuredStep, url: string) => Promise<number[]>;

async function servePages(): Promise<{ url: string; port: number; close: () => void }> {
  const server = createServer((request, response) => {
    const { body, delayMs } = STEP_PAGES[request.url ?? ''] ?? { body: '', delayMs: 0 };
    response.setHeader('content-type', 'text/html; charset=utf-8');
    setTimeout(() => response.end(body), delayMs);
  });
  const listening = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', listening.resolve);
  await listening.promise;
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port, close: () => server.close() };
}

const served =
  ({ call }: ServedTree): Contestant =>
  async ({ path, target, value }, url) => {
    const { session_id } = await call('/session/start', {});
    const seen = await call('/env/observe', { session_id, url: url + path });
    const action_id = seen.space?.actions.find(action => action.name === target)?.id;
    if (action_id === undefined) throw new Error(`${target} is not listed on ${path}`);
    const times: number[] = [];
    for (let nth = 0; nth < STEPS; nth++) {
      const start = performance.now();
      await call('/env/step', { session_id, action_id, ...(value !== null && { value: `${value}${nth}` }) });
      times.push(performance.now() - start);
    }
    await call('/session/close', { session_id });
    return times;
  };

async function startBare(): Promise<{ run: Contestant; close: () => Promise<void> }> {
  const executablePath = findChromium(process.env.CHROMIUM_PATH)?.path ?? '';
  const browser = await chromium.launch({ executablePath, chromiumSandbox: false });
  const run: Contestant = async ({ path, target, role, value, awaits }, url) => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
    const page = await context.newPage();
    await page.goto(url + path);
    await page.ariaSnapshot({ mode: 'ai' });
    const times: number[] = [];
    for (let nth = 0; nth < STEPS; nth++) {
      const start = performance.now();
      const late = awaits?.(page);
      const element = page.getByRole(role, { name: target, exact: true });
      await (value === null ? element.click() : element.fill(`${value}${nth}`));
      await late;
      await page.ariaSnapshot({ mode: 'ai' });
      times.push(performance.now() - start);
    }
    await context.close();
    return times;
  };
  return { run, close: () => browser.close() };
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? Number.NaN;

async function compare(site: { readonly url: string; readonly port: number }): Promise<void> {
  const trees: [string, ServedTree][] = [['now', await serveTree(process.cwd(), site.port)]];
  for (const [name, folder] of folders) trees.push([name, await serveTree(resolve(folder), site.port)]);
  const bare = await startBare();
  const contestants: [string, Contestant][] = [
    ['bare', bare.run],
    ...trees.map(([name, tree]): [string, Contestant] => [name, served(tree)]),
  ];
  const times = new Map<string, number[][]>();
  for (let round = -WARM_UP; round < rounds; round++)
    for (const step of MEASURED_STEPS) {
      const turn = (round + WARM_UP) % contestants.length;
      for (const [name, run] of [...contestants.slice(turn), ...contestants.slice(0, turn)]) {
        const measured = await run(step, site.url);
        const key = `${step.name}/${name}`;
        if (round >= 0) times.set(key, [...(times.get(key) ?? []), measured]);
      }
    }
  console.log(
    `${rounds} rounds; medians in milliseconds: the first step of a session / later ones (ratio to bare)\n`,
  );
  const names = contestants.map(([name]) => name);
  console.log(`${''.padEnd(30)}${names.map(name => name.padStart(26)).join('')}`);
  for (const { name } of MEASURED_STEPS) {
    const of = (who: string) => {
      const all = times.get(`${name}/${who}`) ?? [];
      return { first: median(all.map(one => one[0] ?? 0)), later: median(all.flatMap(one => one.slice(1))) };
    };
    const base = of('bare');
    const cell = (who: string): string => {
      const { first, later } = of(who);
      const text = `${first.toFixed(0)} (${(first / base.first).toFixed(2)}) / ${later.toFixed(0)} (${(later / base.later).toFixed(2)})`;
      return text.padStart(26);
    };
    console.log(`${name.padEnd(30)}${names.map(cell).join('')}`);
  }
  for (const [, tree] of trees) await tree.close();
  await bare.close();
}

await buildInjectedScripts();
const site = await servePages();
if (args.includes('--trace')) await printTrace(process.cwd(), site);
else await compare(site);
site.close();
