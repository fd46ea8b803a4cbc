/**
 * Learns the models of the page type and of the content of blocks: `npm run train:content -- [pages] [articles] [--seed 1]`.
 * Learns three times: from all pages but those of some sites, to measure by cross-validation; from the seen half, for the figures of
 * `bench:scrape`; from all pages, for the models that the scraper has. The same seed gives the same models.
 * MEASURED_PAGES names a file that keeps the measures of the pages for the next run.
 */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { BLOCK_FEATURES } from '../../src/browser/injected/scrape/blocks/blockFeatures.ts';
import { readNetworks } from '../../src/browser/injected/scrape/blocks/contentShares.ts';
import { benchmarkPages } from '../support/benchmarkPages.ts';
import { scorePage } from '../support/contentScore.ts';
import { scoreTable } from '../support/scoreTable.ts';
import { contentText, type LearntModels, learnModels } from './learnModels.ts';
import { modelFile } from './packModel.ts';
import { predictLeftOut } from './siteFolds.ts';
import { readSamples, type Sample } from './trainingSamples.ts';

const SCRAPER = 'src/browser/injected/scrape';
/** The models of the seen half, with which `bench:scrape` measures the other half. */
const HALF = 'test/training/half';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string', default: '1' } },
});
const folder = resolve(positionals[0] ?? '../shared/data/pages');
const articles = resolve(positionals[1] ?? '../shared/data/articles');
const seed = Number(values.seed);

function report(name: string, samples: readonly Sample[], texts: readonly string[]): void {
  const scores = samples.map((one, at) => ({ ...one, score: scorePage(one, texts[at] ?? '') }));
  console.log(
    scoreTable(
      name,
      scores.filter(({ weight }) => weight === 1),
    ),
  );
}

function write({ types, networks }: LearntModels, typeFile: string, folder: string): void {
  const typeModel = 'the model of the type of a page, read by `pageTypeShares`';
  writeFileSync(typeFile, modelFile('PAGE_TYPE_MODEL', typeModel, types));
  const networkModel = 'the networks of the share of a block that is content';
  writeFileSync(join(folder, 'contentNetworks.ts'), modelFile('CONTENT_NETWORKS', networkModel, networks));
}

function contentTexts(models: LearntModels, samples: readonly Sample[]): string[] {
  const networks = readNetworks(models.networks, BLOCK_FEATURES);
  return samples.map(one => contentText(models, networks, one));
}

const seconds = (): number => Math.round(performance.now() / 1_000);

async function main(): Promise<void> {
  if (benchmarkPages(folder).length === 0) {
    console.log(`No pages in ${folder}: nothing to learn from.`);
    return;
  }
  const samples = await readSamples(folder, articles, process.env.MEASURED_PAGES ?? null);
  write(learnModels(samples, seed), 'src/browser/injected/signals/pageTypeModel.ts', `${SCRAPER}/blocks`);
  console.log(`the models are written, ${seconds()} s`);
  const seen = samples.filter(({ isSeen }) => isSeen);
  const half = learnModels(seen, seed);
  write(half, `${HALF}/pageTypeModel.ts`, HALF);
  const unseen = samples.filter(({ isSeen }) => !isSeen);
  report('learnt from the seen half, unseen half, blocks alone', unseen, contentTexts(half, unseen));
  let fold = 0;
  const texts = predictLeftOut(samples, (training, left) => {
    const found = contentTexts(learnModels(training, seed), left);
    console.log(`cross-validation: part ${++fold}, ${left.length} pages, ${seconds()} s`);
    return found;
  });
  report('cross-validated by site, blocks alone', [...texts.keys()], [...texts.values()]);
}

await main();
