import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ScrapeHarness } from '../../support/scrapeHarness.ts';

const folder = fileURLToPath(new URL('../../fixtures/scrape/', import.meta.url));
const named = (ending: string) =>
  readdirSync(folder)
    .filter(name => name.endsWith(ending))
    .map(name => name.slice(0, -ending.length));
const names = named('.html');

let bench: ScrapeHarness;
beforeAll(async () => {
  bench = await ScrapeHarness.start();
});
afterAll(() => bench[Symbol.asyncDispose]());

/** The server's port differs from run to run; the expected files say `http://site`. */
const withoutPort = (text: string) => text.replaceAll(bench.address(''), 'http://site');

it('no page and no Markdown in fixtures/scrape stands alone', () => {
  expect(named('.md')).toEqual(names);
});

describe('each page in fixtures/scrape becomes the Markdown beside it', () => {
  it.each(names)('%s', async name => {
    const expected = readFileSync(`${folder}${name}.md`, 'utf8');
    const { markdown } = await bench.scrapeMarkup(readFileSync(`${folder}${name}.html`, 'utf8'));
    expect(`${withoutPort(markdown ?? '')}\n`).toBe(expected);
  });
});
