/** The metric of scrapinghub's article-extraction-benchmark: multisets of 4-gram shingles of `\w+` tokens. */

export interface Counts {
  readonly truePositives: number;
  readonly falsePositives: number;
  readonly falseNegatives: number;
}

const SHINGLE = 4;

function shingles(text: string): Map<string, number> {
  const tokens = text.match(/[\p{L}\p{N}\p{M}_]+/gu) ?? [];
  const found = new Map<string, number>();
  const last = Math.max(1, tokens.length - SHINGLE + 1);
  for (let at = 0; at < last && tokens.length > 0; at++) {
    const key = tokens.slice(at, at + SHINGLE).join(' ');
    found.set(key, (found.get(key) ?? 0) + 1);
  }
  return found;
}

/** Compares the text of one page with the ground truth. The three counts are shares that add up to 1. */
export function compare(truth: string, predicted: string): Counts {
  const wanted = shingles(truth);
  const got = shingles(predicted);
  let truePositives = 0;
  let falsePositives = 0;
  let falseNegatives = 0;
  for (const key of new Set([...wanted.keys(), ...got.keys()])) {
    const w = wanted.get(key) ?? 0;
    const g = got.get(key) ?? 0;
    truePositives += Math.min(w, g);
    falsePositives += Math.max(0, g - w);
    falseNegatives += Math.max(0, w - g);
  }
  const sum = truePositives + falsePositives + falseNegatives || 1;
  return {
    truePositives: truePositives / sum,
    falsePositives: falsePositives / sum,
    falseNegatives: falseNegatives / sum,
  };
}

/** Quality over all pages, each from 0 to 1. */
export interface Score {
  readonly f1: number;
  readonly precision: number;
  readonly recall: number;
}

/** Precision over pages with a prediction, recall over pages with a ground truth, and their harmonic mean. */
export function scoreOf(pages: readonly Counts[]): Score {
  const precisions = pages
    .filter(page => page.truePositives + page.falsePositives > 0)
    .map(page => page.truePositives / (page.truePositives + page.falsePositives));
  const recalls = pages
    .filter(page => page.truePositives + page.falseNegatives > 0)
    .map(page => page.truePositives / (page.truePositives + page.falseNegatives));
  const precision = mean(precisions);
  const recall = mean(recalls);
  return { precision, recall, f1: (2 * precision * recall) / (precision + recall) };
}

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / (values.length || 1);
