import { expect, test } from 'vitest';
import { spaceMarkdown } from '../../../src/domain/space/spaceMarkdown.ts';
import { pageHarness } from '../../support/pageHarness.ts';

const { agent, pages } = pageHarness({
  '/': (request, response) => {
    const body = new URL(request.url ?? '', 'http://x').searchParams.get('body') ?? '';
    response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      .end(`<!doctype html><title>t</title><body>${body}`);
  },
});

/** Returns the lines of the list of a page, without its head and the special actions. */
async function listed(body: string): Promise<readonly string[]> {
  await agent.observe(`${pages.url}/?body=${encodeURIComponent(body)}`);
  const { space } = agent.lastObservation;
  return space === null ? [] : spaceMarkdown(space).split('\n').slice(2, -1);
}

const PHONE = 'Refurbished Contoso Phone Ultra Max 5G with triple camera and fast charger included,';

test('names, headings and chosen values that begin alike keep the part in which they differ', async () => {
  const card = (model: string) =>
    `<div><a href="#${model}"><h3>${PHONE} ${model}</h3></a><button>Add to cart</button></div>`;
  const options = ['red', 'blue'].map(color => `<option>${PHONE} ${color}`).join('');
  expect(
    await listed(
      `${card('128 GB')}${card('256 GB')}<h2>Choice</h2><select aria-label="Color">${options}</select>`,
    ),
  ).toEqual([
    '## L1 "Refurbished Contoso … 128 GB"',
    'B1 "Add to cart"',
    '= L2 "Refurbished Contoso … 256 GB" B2',
    '## "Choice"',
    `I1 combobox "Color", value "Refurbished Contoso … red" ("${PHONE} red"|"${PHONE} blue")`,
  ]);
});
