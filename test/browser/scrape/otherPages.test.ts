/** Sections of other texts on the page of one text. The pages are written for these tests. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { numbers, sentence } from '../../support/pageProse.ts';
import { ScrapeHarness } from '../../support/scrapeHarness.ts';

let harness: ScrapeHarness;
beforeAll(async () => {
  harness = await ScrapeHarness.start();
});
afterAll(async () => {
  await harness[Symbol.asyncDispose]();
});

const MENU = `<header><nav><ul>${numbers(8)
  .map(number => `<li><a href="/part/${number}">Part ${number}</a></li>`)
  .join('')}</ul></nav></header>`;
const own = (count: number): string =>
  numbers(count)
    .map(number => `<p>Verse ${number}: ${sentence('old boat')}</p>`)
    .join('');
const others = (count: number): string =>
  numbers(count)
    .map(
      number =>
        `<div><h4>Elsewhere ${number}</h4><p>${sentence(`harbour ${number}`).repeat(3)} <a href="/${number}">Continue</a></p></div>`,
    )
    .join('');
const LINKS = '<ul><li><a href="/1">Elsewhere 1</a></li><li><a href="/2">Elsewhere 2</a></li></ul>';
const ARTICLE = '<meta property="og:type" content="article">';

const textOf = async (body: string, head = ''): Promise<string> =>
  (
    await harness.scrapeMarkup(
      `<!doctype html><html><head><title>The old boat</title>${head}</head><body>${MENU}${body}</body></html>`,
    )
  ).text ?? '';

describe('Main content leaves out other texts', () => {
  test('in a section that is most of the page', async () => {
    const text = await textOf(
      `<main><div><h1>The old boat</h1>${own(4)}</div><section><h3>Você pode gostar...</h3>${others(12)}</section></main>`,
    );
    expect(text).toContain('Verse 4');
    expect(text).not.toContain('Elsewhere');
  });

  test.each([
    ['in a section of an article', `<section><h2>Artigos relacionados</h2>${others(12)}</section>`],
    ['below a heading in an article', `<h2>Related articles</h2>${others(4)}`],
    [
      'below a heading in an article, up to the next heading',
      `<h3>Related articles</h3>${others(4)}<h2>The end</h2><div><p>Coda: ${sentence('sail')}</p>${own(4)}</div>`,
    ],
    [
      'in a box within an article, which goes on',
      `<h4>Related articles</h4>${LINKS}<p>Coda: ${sentence('sail')} See <a href="/x">the sail</a>.</p><p>${sentence('rope')}</p>`,
    ],
    [
      'at the beginning of a part of an article',
      `<div><h4>Related articles</h4>${LINKS}<p>Coda: ${sentence('sail')} See <a href="/x">the sail</a>.</p>${own(8)}</div>`,
    ],
  ])('%s', async (_where, section) => {
    const text = await textOf(`<article><h1>The old boat</h1>${own(20)}${section}</article>`, ARTICLE);
    expect(text).toContain('Verse 20');
    expect(text).not.toContain('Elsewhere');
    expect(text.includes('Coda')).toBe(section.includes('Coda'));
  });
});

describe('Main content keeps the texts below such a heading', () => {
  test('if the page begins with them', async () => {
    const text = await textOf(
      `<main><h1>Texts</h1><section><h2>Recommended for you</h2>${others(12)}</section></main>`,
    );
    expect(text).toContain('Elsewhere 12');
  });

  test('if they are most of the page, which begins with a short text', async () => {
    const text = await textOf(
      `<main><div><h1>The old boat</h1>${own(2)}</div><section><h3>Related stories</h3>${others(12)}</section></main>`,
    );
    expect(text).toContain('Elsewhere 12');
  });

  test('if they are most of an article, and in no section of their own', async () => {
    const text = await textOf(
      `<article><h1>The old boat</h1>${own(20)}<h2>Related articles</h2>${others(12)}</article>`,
      ARTICLE,
    );
    expect(text).toContain('Elsewhere 12');
  });

  test.each([
    ['no other pages', `<p>Answers: ${sentence('mast')}</p>`],
    ['one other page', `<ul><li>Answers: ${sentence('mast')} <a href="/mast">The mast</a></li></ul>`],
    [
      'places of the same page',
      `<div>Answers: ${sentence('mast')} <a href="#a">One</a> <a href="#b">Two</a></div>`,
    ],
  ])('if they link to %s', async (_links, answers) => {
    const text = await textOf(
      `<article><h1>The old boat</h1>${own(20)}<h2>Related topics</h2>${answers}</article>`,
      ARTICLE,
    );
    expect(text).toContain('Answers');
  });
});

test('Main content of an article keeps words of its sentences that are also lines of a page', async () => {
  const text = await textOf(
    `<article><h1>Das alte Boot</h1>${own(20)}<p>Wir wollen <strong>mehr</strong> Wasser aus der <a href="/q">Quelle</a> des Flusses.</p>${own(20)}</article>`,
    ARTICLE,
  );
  expect(text).toContain('Wir wollen mehr Wasser aus der Quelle des Flusses.');
});

test('Main content leaves out labels with headlines, advertisement marks in bold, teasers and links to networks', async () => {
  const parts = [
    '<p>Trending:</p><p><a href=/1>The council votes against UNWANTED quay</a> <a href=/2>Why it will never sail</a></p>',
    `<p><b>The oars</b></p><p>${sentence('oar')}</p><p><b>Advertisement</b></p><p>${sentence('rope')}</p>`,
    '<div><a href=/3>Download our UNWANTED guide and learn how ten thousand people save money every day.</a></div>',
    '<p>Get the app for your phone</p><p><a href=//a.example>UNWANTED</a> <a href=//b.example>Shop</a></p>',
  ];
  const text = await textOf(
    `<article><h1>The old boat</h1>${parts.map(part => own(4) + part).join('')}</article>`,
    ARTICLE,
  );
  expect(text).not.toMatch(/UNWANTED|Advertisement/);
});

test('Main content of a page without an article keeps steps and answers that tell to log in', async () => {
  const lines = ['You must log in to add', 'You must be logged in to write'];
  const text = await textOf(
    `<main><h1>Domains</h1><ol><li><p>${lines[0]} <a href=/d>a domain</a>.</p></li></ol><h2>Why not?</h2><p>${lines[1]} a review; <a href=/in>log in</a>.</p></main>`,
  );
  for (const line of lines) expect(text).toContain(line);
});
