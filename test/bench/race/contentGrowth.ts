import { markdownTable } from 'markdown-table';
import { median } from '../statistics.ts';
import type { Contestant } from './contestant.ts';

/** A kind of page that grows by ten. */
interface GrowingPage {
  readonly path: string;
  readonly sizes: readonly [small: number, large: number];
  /** @param size one of the sizes */
  readonly name: (size: string) => string;
}

const PAGES: readonly GrowingPage[] = [
  { path: 'links', sizes: [1_000, 10_000], name: size => `${size} links` },
  { path: 'table', sizes: [500, 5_000], name: size => `a table of ${size} rows` },
];
const ROUNDS = 5;

/** Takes the content of a fresh document. @returns milliseconds */
async function contentTime(contestant: Contestant, url: string): Promise<number> {
  await contestant.start();
  try {
    await contestant.open(url);
    const start = performance.now();
    await contestant.content();
    return performance.now() - start;
  } finally {
    await contestant.end();
  }
}

/** Writes a table of how much longer the content of a page takes that has ten times the elements. */
export async function contentGrowth(contestant: Contestant, site: string): Promise<string> {
  const rows: string[][] = [];
  for (const { path, sizes, name } of PAGES) {
    const medians: number[] = [];
    for (const size of sizes) {
      const times: number[] = [];
      for (let round = 0; round < ROUNDS; round++)
        times.push(await contentTime(contestant, `${site}/${path}?n=${size}`));
      medians.push(median(times));
    }
    const [small = Number.NaN, large = Number.NaN] = medians;
    const names = sizes.map(size => name(size.toLocaleString('en')));
    rows.push([names.join(', then '), small.toFixed(0), large.toFixed(0), (large / small).toFixed(1)]);
  }
  const head = ['Content of ten times the page, as Markdown', 'ms', 'ms of ten times', 'times (aim: ≤ 11)'];
  return markdownTable([head, ...rows], { align: ['l', 'r', 'r', 'r'], alignDelimiters: false });
}
