/** The learning of the content model: labels, trees, and the choice of blocks. */
import { describe, expect, test } from 'vitest';
import { BLOCK_FEATURES } from '../../src/browser/injected/scrape/blocks/blockFeatures.ts';
import { chooseBlocks, withoutRepetitions } from '../../src/browser/injected/scrape/blocks/chooseBlocks.ts';
import { CONTENT_NETWORKS } from '../../src/browser/injected/scrape/blocks/contentNetworks.ts';
import { networkOdds, readNetworks } from '../../src/browser/injected/scrape/blocks/contentShares.ts';
import { PAGE_TYPE_MODEL } from '../../src/browser/injected/signals/pageTypeModel.ts';
import {
  type LearntPageTypes,
  PAGE_EVIDENCE,
  pageTypeShares,
} from '../../src/browser/injected/signals/pageTypeShares.ts';
import { PAGE_TYPES } from '../../src/browser/injected/signals/pageTypes.ts';
import { blockLabels } from './blockLabels.ts';
import { emptyGradients, pageGradients } from './networkGradients.ts';
import { packNetworks } from './packNetworks.ts';
import { predictLeftOut } from './siteFolds.ts';
import { trainNetwork } from './trainNetwork.ts';
import { trainPageTypes } from './trainPageTypes.ts';

describe('the learnt models', () => {
  test('use only features that the page computes', () => {
    expect(readNetworks(JSON.parse(CONTENT_NETWORKS), BLOCK_FEATURES).weights.length).toBeGreaterThan(0);
    const { weights } = JSON.parse(PAGE_TYPE_MODEL) as LearntPageTypes;
    expect(weights.map(({ length }) => length)).toEqual(PAGE_TYPES.map(() => PAGE_EVIDENCE.length + 1));
    expect(new Set(BLOCK_FEATURES).size).toBe(BLOCK_FEATURES.length);
  });

  test('are smaller than 200 kB together', () => {
    expect(CONTENT_NETWORKS.length + PAGE_TYPE_MODEL.length).toBeLessThan(200_000);
  });

  test('cannot be read if they use a feature that does not exist', () => {
    expect(() => readNetworks(JSON.parse(CONTENT_NETWORKS), ['characters'])).toThrow('unknown feature');
  });
});

/** A page of eight blocks: the first feature tells the content of this page, the second nothing. */
const PAGE = {
  rows: Float32Array.of(1, 0.3, -1, 0.1, 1, -0.7, 1, 0.2, -1, 0.9, -1, -0.2, 1, -0.4, -1, 0.5),
  words: [9, 4, 30, 12, 6, 20, 3, 8],
  labels: [1, 0, 1, 1, 0, 0, 1, 0],
  weight: 1,
};
const NETWORK = { units: 4, epochs: 150, learningRate: 0.02, decay: 0, dropout: 0, seed: 3 };

describe('networks', () => {
  test('learn which blocks of a page are content', () => {
    const odds = networkOdds(trainNetwork([PAGE, PAGE, PAGE, PAGE], NETWORK), PAGE);
    expect(odds.map(one => one > 0)).toEqual(PAGE.labels.map(label => label === 1));
  });

  test('go down the slope of the loss', () => {
    const weights = trainNetwork([PAGE, PAGE, PAGE, PAGE], { ...NETWORK, epochs: 3 });
    const gradients = emptyGradients(2, NETWORK.units);
    pageGradients(weights, PAGE, 0, () => 0.5, gradients);
    const step = 0.01;
    const lossAt = (by: number): number => {
      const moved = { ...weights, second: weights.second.map((one, at) => one + (at === 5 ? by : 0)) };
      return lossOf(networkOdds(moved, PAGE));
    };
    expect((lossAt(step) - lossAt(-step)) / (2 * step)).toBeCloseTo(gradients.second[5] ?? 0, 3);
  });

  test('predict the same after they are written and read', () => {
    const weights = trainNetwork([PAGE, PAGE, PAGE, PAGE], NETWORK);
    const packed = packNetworks([weights], ['a', 'b'], { middles: [0, 0], deviations: [1, 1] });
    const read = readNetworks(JSON.parse(JSON.stringify(packed)), ['a', 'b']).weights[0] ?? weights;
    for (const [at, odds] of networkOdds(read, PAGE).entries())
      expect(Math.abs(odds - (networkOdds(weights, PAGE)[at] ?? 0))).toBeLessThan(0.5);
  });
});

/** The loss that `pageGradients` descends. */
function lossOf(odds: readonly number[]): number {
  const { words, labels } = PAGE;
  const sum = (of: (at: number) => number): number => words.reduce((total, _, at) => total + of(at), 0);
  const share = (at: number): number => 1 / (1 + Math.exp(-(odds[at] ?? 0)));
  const count = (at: number): number => words[at] ?? 0;
  const label = (at: number): number => labels[at] ?? 0;
  const hits = sum(at => count(at) * share(at) * label(at));
  const f1 = (2 * hits) / sum(at => count(at) * (share(at) + label(at)));
  const lengths = sum(at => (count(at) + 1) ** 0.8);
  const likelihood = (at: number): number => Math.log(label(at) === 1 ? share(at) : 1 - share(at));
  return 1 - f1 - 0.25 * sum(at => ((count(at) + 1) ** 0.8 / lengths) * likelihood(at));
}

describe('the model of the type of a page', () => {
  test('learns from the evidence', () => {
    const page = (type: 'forum' | 'product', at: number) => ({
      type,
      weight: 1,
      evidence: [at % 3, type === 'forum' ? 1 : 0],
    });
    const pages = [0, 1, 2, 3, 4, 5].flatMap(at => [page('forum', at), page('product', at)]);
    const model = trainPageTypes(pages);
    expect(pageTypeShares(model, [1, 1]).forum).toBeGreaterThan(0.6);
    expect(pageTypeShares(model, [1, 0]).product).toBeGreaterThan(0.6);
  });
});

describe('labels of blocks', () => {
  test('say which share of a block the true content has at its place', () => {
    const labels = blockLabels(
      ['Home', 'The first sentence of the text.', 'Advertisement', 'The second one, with the word Home.'],
      'The first sentence of the text. The second one, with the word Home.',
    );
    expect(labels).toEqual([0, 1, 0, 1]);
  });

  test('find content that stands elsewhere in the true content', () => {
    expect(
      blockLabels(
        ['one two three four five', 'six seven eight nine ten'],
        'six seven eight nine ten one two three four five',
      ),
    ).toEqual([1, 1]);
  });
});

describe('the choice of blocks', () => {
  test('keeps the blocks that raise the expected F1', () => {
    expect(chooseBlocks({ shares: [0.9, 0.1, 0.8], words: [50, 60, 40] })).toEqual([true, false, true]);
  });

  test('keeps something of a page about which the model is unsure', () => {
    expect(chooseBlocks({ shares: [0.2, 0.02], words: [30, 30] })).toEqual([true, false]);
  });

  test('keeps a long text once, unless it stands in a table or in code', () => {
    const long = 'One sentence that the page repeats';
    const texts = [long, 'Berlin', long.toUpperCase(), 'Berlin', long, long];
    const words = [6, 1, 6, 1, 6, 6];
    const mayRepeat = [false, false, false, false, true, false];
    expect(withoutRepetitions([true, true, true, true, true, false], { texts, words, mayRepeat })).toEqual([
      true,
      true,
      false,
      true,
      true,
      false,
    ]);
  });

  test('keeps the second of two equal texts if the first is left out', () => {
    const texts = ['One sentence that the page repeats', 'One sentence that the page repeats'];
    const kept = withoutRepetitions([false, true], { texts, words: [6, 6], mayRepeat: [false, false] });
    expect(kept).toEqual([false, true]);
  });
});

describe('cross-validation', () => {
  test('judges every page once, by models that learnt from no page of its site', () => {
    const pages = Array.from({ length: 40 }, (_, at) => ({ type: `${at % 3}`, site: `${at % 11}` }));
    const leaked: number[] = [];
    const predicted = predictLeftOut(pages, (training, left) =>
      left.map(({ site }) => leaked.push(training.filter(page => page.site === site).length)),
    );
    expect(predicted.size).toBe(40);
    expect(Math.max(...leaked)).toBe(0);
  });
});
