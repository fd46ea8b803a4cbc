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

let harness: ScrapeHarness;
beforeAll(async () => {
  harness = await ScrapeHarness.start();
});
afterAll(() => harness[Symbol.asyncDispose]());

/** The server's port differs in each run; the expected files have `http://site`. */
const withoutPort = (text: string) => text.replaceAll(harness.address(''), 'http://site');

it('every page in test/fixtures/scrape has its expected Markdown, and the reverse', () => {
  expect(named('.md')).toEqual(names);
});

describe('scrapePage converts the page in test/fixtures/scrape to the Markdown beside it', () => {
  it.each(names)('%s', async name => {
    const expected = readFileSync(`${folder}${name}.md`, 'utf8');
    const { markdown } = await harness.scrapeMarkup(readFileSync(`${folder}${name}.html`, 'utf8'));
    expect(`${withoutPort(markdown ?? '')}\n`).toBe(expected);
  });
});
