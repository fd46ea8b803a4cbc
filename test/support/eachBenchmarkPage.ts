/** Opens the pages of a benchmark in one browser, several at once. */
import { type BrowserContext, chromium, type Page } from 'playwright';
import { findChromium } from '../../src/browser/launch/findChromium.ts';
import { serveBenchmark } from './benchmarkPages.ts';

/** Number of pages that are open at once. */
const TABS = 3;

/** Opens each page of a folder without its resources and returns the results of `read` by id. */
export async function eachBenchmarkPage<Result>(
  folder: string,
  ids: readonly string[],
  read: (page: Page) => Promise<Result>,
): Promise<Map<string, Result>> {
  const { origin, server } = await serveBenchmark(folder);
  const found = findChromium(process.env.CHROMIUM_PATH);
  const browser = await chromium.launch({
    ...(found === null ? {} : { executablePath: found.path }),
    chromiumSandbox: false,
  });
  const context = await browser.newContext();
  await onlyDocuments(context, origin);
  const results = new Map<string, Result>();
  const queue = [...ids];
  const work = async () => {
    for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
      const page = await context.newPage();
      await page.goto(`${origin}/${id}.html`, { waitUntil: 'load' });
      results.set(id, await read(page));
      await page.close();
    }
  };
  try {
    await Promise.all(Array.from({ length: TABS }, work));
  } finally {
    await browser.close();
    server.close();
  }
  return results;
}

const onlyDocuments = (context: BrowserContext, origin: string): Promise<unknown> =>
  context.route('**', route =>
    route.request().url().startsWith(`${origin}/`) && route.request().resourceType() === 'document'
      ? route.continue()
      : route.abort(),
  );
