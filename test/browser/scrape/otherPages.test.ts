/** Sections of other texts on the page of one text. The pages are written for these tests. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ScrapeHarness } from '../../support/scrapeHarness.ts';

let harness: ScrapeHarness;
beforeAll(async () => {
  harness = await ScrapeHarness.start();
});
afterAll(async () => {
  await harness[Symbol.asyncDispose]();
});

const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);
const sentence = (about: string): string =>
  `The ${about} held up well over the winter, and after three months of daily use I would still choose it again.`;
const MENU = `<header><nav><ul>${numbers(8)
  .map(number => `<li><a href="/part/${number}">Part ${number}</a></li>`)
  .join('')}</ul></nav></header>`;
const own = (count: number): string =>
  numbers(count)
    .map(number => `<p>Verse ${number}: ${sentence('old boat')}</p>`)
    .join('');
const OTHERS = numbers(12)
  .map(
    number =>
      `<div><h4>Elsewhere ${number}</h4><p>${sentence(`harbour ${number}`).repeat(3)} <a href="/${number}">Continue</a></p></div>`,
  )
  .join('');

const textOf = async (body: string, head = ''): Promise<string> =>
  (
    await harness.scrapeMarkup(
      `<!doctype html><html><head><title>The old boat</title>${head}</head><body>${MENU}${body}</body></html>`,
    )
  ).text ?? '';

describe('Main content leaves out other texts', () => {
  test('in a section that is most of the page', async () => {
    const text = await textOf(
      `<main><div><h1>The old boat</h1>${own(4)}</div><section><h3>Você pode gostar...</h3>${OTHERS}</section></main>`,
    );
    expect(text).toContain('Verse 4');
    expect(text).not.toContain('Elsewhere');
  });

  test.each([
    ['in a section of an article', `<section><h2>Ähnliche Beiträge</h2>${OTHERS}</section>`],
    ['below a heading in an article', `<h2>Related articles</h2>${OTHERS}`],
  ])('%s', async (_where, section) => {
    const article = `<article><h1>The old boat</h1>${own(20)}${section}</article>`;
    const text = await textOf(article, '<meta property="og:type" content="article">');
    expect(text).toContain('Verse 20');
    expect(text).not.toContain('Elsewhere');
  });
});

describe('Main content keeps the texts below such a heading', () => {
  test('if the page begins with them', async () => {
    const text = await textOf(
      `<main><h1>Texts</h1><section><h2>Recommended for you</h2>${OTHERS}</section></main>`,
    );
    expect(text).toContain('Elsewhere 12');
  });

  test('if they are no other pages', async () => {
    const answers = `<h2>Other questions</h2><p>Answers: ${sentence('mast')}</p>`;
    const text = await textOf(
      `<article><h1>The old boat</h1>${own(20)}${answers}</article>`,
      '<meta property="og:type" content="article">',
    );
    expect(text).toContain('Answers');
  });
});
