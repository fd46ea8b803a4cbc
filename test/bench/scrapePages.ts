/** Measures the quality of the main content of pages of seven types whose content is known. */
import { scrapePage } from '../../src/browser/scrape/scrapePage.ts';
import { PAGE_PARTS, type PagePart } from '../../src/domain/contentParts.ts';
import type { ContentSelection } from '../../src/domain/scrapeRequest.ts';
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

/** Scrapes each page of a folder and prints a table for each half; prints a line if the folder is not there. */
export async function printPageTypes(folder: string): Promise<void> {
  const pages = benchmarkPages(folder);
  if (pages.length === 0) {
    console.log(`No pages in ${folder}: nothing to measure by type.`);
    return;
  }
  const began = performance.now();
  const texts = await eachBenchmarkPage(
    folder,
    pages.map(({ id }) => id),
    async page => {
      const world = await mainFrameWorld(page);
      return (await scrapePage(world, REQUEST, new AbortController().signal)).text ?? '';
    },
  );
  const scores = pages.map(page => ({ ...page, score: scorePage(page, texts.get(page.id) ?? '') }));
  console.log(
    scoreTable(
      'Half that the scraper was developed with',
      scores.filter(({ isSeen }) => isSeen),
    ),
  );
  console.log(
    scoreTable(
      'Half that was only measured',
      scores.filter(({ isSeen }) => !isSeen),
    ),
  );
  const empty = scores.filter(({ id }) => texts.get(id) === '').map(({ id }) => id);
  console.log(`pages without text: ${empty.length} ${empty.join(' ')}`);
  console.log(`${Math.round((performance.now() - began) / 1000)} s`);
}
