/** Measures the quality of the main content of pages of seven types whose content is known. */
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { scrapePage } from '../../src/browser/scrape/scrapePage.ts';
import { PAGE_PARTS, type PagePart } from '../../src/domain/content/contentParts.ts';
import type { ContentSelection } from '../../src/domain/content/scrape.ts';
import { benchmarkPages } from '../support/benchmarkPages.ts';
import { scorePage } from '../support/contentScore.ts';
import { eachBenchmarkPage } from '../support/eachBenchmarkPage.ts';
import { mainFrameWorld } from '../support/mainFrameWorld.ts';
import { scoreTable } from '../support/scoreTable.ts';

/** Nothing but the text of the main content. */
const REQUEST: ContentSelection = {
  ...(Object.fromEntries(PAGE_PARTS.map(part => [part, false])) as Record<PagePart, false>),
  onlyMainContent: true,
  text: true,
};

const SCRAPER = fileURLToPath(new URL('../../src/browser/injected/scrape/main.ts', import.meta.url));
const HALF = fileURLToPath(new URL('../training/half', import.meta.url));

/**
 * Returns the scraper with the models that learnt from the seen half alone (`npm run train:content`). The shipped ones learnt from both
 * halves, so that no page of either tells their quality on other pages.
 */
async function scraperOfHalf(): Promise<string> {
  const bundle = await build({
    entryPoints: [SCRAPER],
    bundle: true,
    format: 'iife',
    target: 'chrome120',
    write: false,
    plugins: [
      {
        name: 'models of the seen half',
        setup: ({ onResolve }) => {
          onResolve({ filter: /\/(contentNetworks|pageTypeModel)\.ts$/ }, ({ path }) => ({
            path: join(HALF, basename(path)),
          }));
        },
      },
    ],
  });
  return bundle.outputFiles[0]?.text ?? '';
}

/** Scrapes each page of a folder and prints a table for each half; prints a line if the folder is not there. */
export async function printPageTypes(folder: string): Promise<void> {
  const pages = benchmarkPages(folder);
  if (pages.length === 0) {
    console.log(`No pages in ${folder}: nothing to measure by type.`);
    return;
  }
  const scraper = await scraperOfHalf();
  const began = performance.now();
  const texts = await eachBenchmarkPage(
    folder,
    pages.map(({ id }) => id),
    async page => {
      const world = await mainFrameWorld(page);
      await world.evaluate(`globalThis.__pagespaceScripts = { scrape() { ${scraper} } }`);
      return (await scrapePage(world, REQUEST)).text ?? '';
    },
  );
  const scores = pages.map(page => ({ ...page, score: scorePage(page, texts.get(page.id) ?? '') }));
  console.log(
    scoreTable(
      'Half that the models of this run learnt from',
      scores.filter(({ isSeen }) => isSeen),
    ),
  );
  console.log(
    scoreTable(
      'Half that was only measured (the shipped models learnt from both halves)',
      scores.filter(({ isSeen }) => !isSeen),
    ),
  );
  const empty = scores.filter(({ id }) => texts.get(id) === '').map(({ id }) => id);
  console.log(`pages without text: ${empty.length} ${empty.join(' ')}`);
  console.log(`${Math.round((performance.now() - began) / 1000)} s`);
}
