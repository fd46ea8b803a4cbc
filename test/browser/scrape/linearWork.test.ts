import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scrapePage } from '../../../src/browser/scrape/scrapePage.ts';
import { countDomCalls, domCalls, totalOf } from '../../support/countDomCalls.ts';
import { ALL_PARTS, ScrapeHarness } from '../../support/scrapeHarness.ts';

let harness: ScrapeHarness;
beforeAll(async () => {
  harness = await ScrapeHarness.start();
});
afterAll(() => harness[Symbol.asyncDispose]());

const SENTENCE = 'A sentence with enough words, commas, and clauses, that a reader takes it for prose. ';
const repeat = (count: number, item: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => item(at)).join('\n');
const PAGES: Readonly<Record<string, (size: number) => string>> = {
  'a table': size =>
    `<table><tr><th>Name</th><th>Price</th></tr>${repeat(size, at => `<tr><td>Row ${at}</td><td>${at}</td></tr>`)}</table>`,
  'a table with links': size =>
    `<table><tr><th>Name</th><th>Price</th></tr>${repeat(size, at => `<tr><td><a href="/${at}">Row ${at}</a></td><td>${at}</td></tr>`)}</table>`,
  'lists of choices': size =>
    `<form>${repeat(size, at => `<label>Choice ${at} <select name="s${at}">${repeat(10, nth => `<option>Option ${nth}</option>`)}</select></label>`)}</form>`,
  'a list of links': size => `<ul>${repeat(size, at => `<li><a href="/${at}">Link ${at}</a></li>`)}</ul>`,
  'an article': size =>
    `<article><h1>Title</h1>${repeat(size, at => `<p>${SENTENCE}<b>${at}</b> ${SENTENCE}</p>`)}</article>`,
  cards: size =>
    repeat(
      size,
      at => `<div><h3><a href="/${at}">Card ${at}</a></h3><img src="/i.png"><button>Add</button></div>`,
    ),
};

async function callsOf(markup: string): Promise<{ calls: Record<string, number>; elements: number }> {
  const url = harness.serve('/counted', `<title>Counted</title><main>${markup}</main>`);
  return harness.visit(url, async (world, page) => {
    const elements = await page.locator('*').count();
    await countDomCalls(world);
    await scrapePage(world, { ...ALL_PARTS, onlyMainContent: true });
    return { calls: await domCalls(world), elements };
  });
}

describe.each(Object.entries(PAGES))('A scrape of %s', (_, markup) => {
  it('asks for the box, the visibility and the style of each element at most once', async () => {
    const { calls, elements } = await callsOf(markup(40));
    for (const name of ['getBoundingClientRect', 'checkVisibility', 'getComputedStyle'])
      expect(calls[name] ?? 0, name).toBeLessThanOrEqual(elements);
    expect(calls.checkVisibility).toBeGreaterThan(40);
  });

  it('calls the DOM at most 11 times as often if the page has 10 times the elements', async () => {
    const total = async (size: number) => totalOf((await callsOf(markup(size))).calls);
    expect(await total(200)).toBeLessThanOrEqual(11 * (await total(20)));
  });
});
