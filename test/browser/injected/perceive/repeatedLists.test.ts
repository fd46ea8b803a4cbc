import { describe, expect, it } from 'vitest';
import { observerHarness } from '../../../support/observerHarness.ts';

const { openHtml } = observerHarness();

describe('the list of a document that was listed before', () => {
  it('makes no style object a second time', async () => {
    const page = await openHtml(
      '<style>li::before { content: "No. " }</style><h1>Shop</h1><ul><li><a href="/1">One <b>new</b></a></li><li><button>Two</button></li></ul>',
    );
    const before = await page.lines();
    await page.evaluate(
      'globalThis.made = 0; const make = getComputedStyle; globalThis.getComputedStyle = (...of) => { made++; return make(...of); };',
    );
    expect(await page.lines()).toEqual(before);
    expect(await page.evaluate('made')).toBe(0);
  });

  it('reads no text again to tell the rows of equal actions apart, until the document changes', async () => {
    const row = (name: string) => `<li><span>${name}</span> <button>Edit</button></li>`;
    const page = await openHtml(`<ul>${row('Ann')}${row('Ben')}</ul>`);
    const before = await page.lines();
    await page.evaluate(
      'globalThis.walks = 0; const walk = Document.prototype.createTreeWalker; Document.prototype.createTreeWalker = function(...of) { walks++; return walk.apply(this, of); };',
    );
    expect(await page.lines()).toEqual(before);
    expect(await page.evaluate('walks')).toBe(0);
    await page.page.evaluate(() => document.querySelector('span')?.replaceChildren('Cleo'));
    expect(await page.lines()).toEqual(['button "Edit", in "Cleo"', 'button "Edit", in "Ben"']);
    expect(await page.evaluate('walks > 0')).toBe(true);
  });

  it('has what style rules show and generate by now, in an unchanged tree', async () => {
    const page = await openHtml(
      '<style id="rules">.more { display: none }</style><p><button>Save</button><button class="more">More</button></p>',
    );
    expect(await page.lines()).toEqual(['button "Save"']);
    await page.page.evaluate(() => {
      const { sheet } = document.querySelector('style') as HTMLStyleElement;
      sheet?.insertRule('.more { display: inline ! important }');
      sheet?.insertRule('.more::before { content: "Even " }');
    });
    expect(await page.lines()).toEqual(['button "Save"', 'button "Even More"']);
  });
});
