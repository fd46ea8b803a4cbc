/** Measures the blocks of benchmark pages in Chromium, with the scraper's own code. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { eachBenchmarkPage } from '../support/eachBenchmarkPage.ts';
import { mainFrameWorld } from '../support/mainFrameWorld.ts';
import type { MeasuredPage } from './pageEntry.ts';

/**
 * Returns the measures of the pages `ids` of a folder.
 * @param cache file that keeps the measures for the next run; null for none
 */
export async function measurePages(
  folder: string,
  ids: readonly string[],
  cache: string | null,
): Promise<Map<string, MeasuredPage>> {
  if (cache !== null && existsSync(cache)) return new Map(JSON.parse(readFileSync(cache, 'utf8')));
  const bundle = await build({
    entryPoints: [fileURLToPath(new URL('./pageEntry.ts', import.meta.url))],
    bundle: true,
    format: 'iife',
    target: 'chrome120',
    write: false,
  });
  const script = bundle.outputFiles[0]?.text ?? '';
  const pages = await eachBenchmarkPage(folder, ids, async page => {
    const world = await mainFrameWorld(page);
    await world.evaluate(script);
    return JSON.parse(await world.call<string>('() => globalThis.__pagespaceMeasure()')) as MeasuredPage;
  });
  if (cache !== null) writeFileSync(cache, JSON.stringify([...pages]));
  return pages;
}
