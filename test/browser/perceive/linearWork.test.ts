import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countDomCalls, domCalls, totalOf } from '../../support/countDomCalls.ts';
import { ScrapeHarness } from '../../support/scrapeHarness.ts';

let harness: ScrapeHarness;
beforeAll(async () => {
  harness = await ScrapeHarness.start();
});
afterAll(() => harness[Symbol.asyncDispose]());

const repeat = (count: number, item: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => item(at)).join('\n');
const OPTIONS = repeat(10, at => `<option>Option ${at}</option>`);
const PAGES: Readonly<Record<string, (size: number) => string>> = {
  'headings of equal text, each below two headings': size =>
    ['Hat', 'Shirt']
      .map(
        outer => `<h1>${outer}</h1>${repeat(size, at => `<h2>Options ${at}</h2><button>Add ${at}</button>`)}`,
      )
      .join(''),
  'a table with links': size =>
    `<table><tr><th>Name</th><th>Price</th></tr>${repeat(size, at => `<tr><td><a href="/${at}">Row ${at}</a></td><td>${at}</td></tr>`)}</table>`,
  'lists of choices': size => repeat(size, at => `<label>Choice ${at} <select>${OPTIONS}</select></label>`),
  'lists of choices without labels in one box': size => repeat(size, () => `<select>${OPTIONS}</select>`),
};

async function callsOf(markup: string, text: boolean): Promise<number> {
  const url = harness.serve('/counted', `<title>Counted</title><main>${markup}</main>`);
  return harness.visit(url, async world => {
    await countDomCalls(world);
    const options = { listenerTypes: [], top: true, text };
    await world.installAndCall('agent', () => world.callAgent('observe', options));
    return totalOf(await domCalls(world));
  });
}

describe.each(Object.entries(PAGES))('The list of %s', (_, markup) => {
  it.each([
    ['without', false],
    ['with', true],
  ])(
    '%s the text of the page calls the DOM at most 11 times as often if the page has 10 times the elements',
    async (_name, text) => {
      expect(await callsOf(markup(300), text)).toBeLessThanOrEqual(11 * (await callsOf(markup(30), text)));
    },
  );
});
