import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { extractPage, parseNumber } from '../../../../src/browser/scrape/extract/extractPage.ts';
import type { Json } from '../../../../src/domain/json.ts';
import { ScrapeHarness } from '../../../support/scrapeHarness.ts';

let harness: ScrapeHarness;
beforeAll(async () => {
  harness = await ScrapeHarness.start();
});
afterAll(() => harness[Symbol.asyncDispose]());

async function extract(markup: string, schema: Json) {
  const signal = new AbortController().signal;
  return harness.visit(harness.serve('/shop/page.html', markup), world => extractPage(world, schema, signal));
}

const SHOP = `<meta name="sku" content="T-1"><h1 class="name">Green tea</h1><p class="price">€ 1.299,50</p><p class="stock">In stock</p>
<ul><li class="size"><b class="label">Small</b><a href="s">buy</a></li><li class="size"><b class="label">Large</b><a href="/l">buy</a></li></ul>
<dl><dt>Weight:</dt><dd>250 g</dd><dt>Country of origin</dt><dd>Japan</dd></dl>`;

describe('extractPage finds a value', () => {
  it('by its selector, and converts it to the type of the schema', async () => {
    const schema = {
      name: { type: 'string', selector: '.name' },
      price: { type: 'number', selector: '.price' },
      stock: { type: 'boolean', selector: '.stock' },
    };
    expect(await extract(SHOP, schema)).toEqual({
      value: { name: 'Green tea', price: 1299.5, stock: true },
      errors: [],
      isTruncated: false,
    });
  });

  it('in each element of a list, by the selector of the list', async () => {
    const item = {
      type: 'object',
      properties: {
        label: { type: 'string', selector: '.label' },
        url: { type: 'string', selector: 'a', attribute: 'href' },
      },
    };
    const { value, errors } = await extract(SHOP, {
      sizes: { type: 'array', selector: '.size', items: item },
    });
    expect(errors).toEqual([]);
    expect(value).toEqual({
      sizes: [
        { label: 'Small', url: harness.address('/shop/s') },
        { label: 'Large', url: harness.address('/l') },
      ],
    });
  });

  it('in a list of plain values', async () => {
    const { value } = await extract(SHOP, {
      labels: { type: 'array', items: { type: 'string', selector: '.label' } },
    });
    expect(value).toEqual({ labels: ['Small', 'Large'] });
  });

  it('beside the text of its label, or of its property name', async () => {
    const { value } = await extract(SHOP, {
      weight: { type: 'number' },
      origin: { type: 'string', label: 'Country of origin' },
    });
    expect(value).toEqual({ weight: 250, origin: 'Japan' });
  });

  it('in the head of the page', async () => {
    expect((await extract(SHOP, { sku: { type: 'string', selector: 'meta[name=sku]' } })).value).toEqual({
      sku: 'T-1',
    });
  });

  it('in an open shadow root', async () => {
    const markup = `<div id="h"></div><script>h.attachShadow({ mode: 'open' }).innerHTML = '<b class="in">inside</b>'</script>`;
    expect((await extract(markup, { x: { type: 'string', selector: '.in' } })).value).toEqual({
      x: 'inside',
    });
  });

  it('in a list of up to 1,000 items, and reports a longer list as truncated', async () => {
    const { value, isTruncated } = await extract('<i>x</i>'.repeat(1_001), {
      all: { items: { selector: 'i' } },
    });
    expect((value as { all: Json[] }).all).toHaveLength(1_000);
    expect(isTruncated).toBe(true);
  });

  it('in a closed shadow root', async () => {
    const markup = `<x-price id="h"></x-price><script>h.attachShadow({ mode: 'closed' }).innerHTML = '<b class="in">12 €</b>'</script>`;
    expect((await extract(markup, { x: { type: 'number', selector: '.in' } })).value).toEqual({ x: 12 });
  });

  it('in a form control, with its current value', async () => {
    const markup = '<label for="n">Name</label><input id="n"><script>n.value = "typed"</script>';
    expect((await extract(markup, { name: { type: 'string' } })).value).toEqual({ name: 'typed' });
  });
});

const PRICES = `<table><thead><tr><th>Item</th><th>Price</th><th>Stock</th></tr></thead><tbody>
<tr><th scope="row">Tea</th><td>4.50</td><td><input value="3"></td></tr><tr><th scope="row">Milk</th><td>1.20</td><td><input id="m" value="7"></td></tr></tbody></table>
<script>m.value = '8'</script>`;

describe('extractPage finds a cell', () => {
  it('by the header of its column, in the row of the item', async () => {
    const properties = {
      item: { type: 'string' },
      price: { type: 'number' },
      left: { type: 'integer', label: 'Stock' },
    };
    const rows = { type: 'array', selector: 'tbody tr', items: { type: 'object', properties } };
    expect(await extract(PRICES, { rows })).toEqual({
      value: {
        rows: [
          { item: 'Tea', price: 4.5, left: 3 },
          { item: 'Milk', price: 1.2, left: 8 },
        ],
      },
      errors: [],
      isTruncated: false,
    });
  });

  it('by the header of its column or of its row, and a whole column', async () => {
    const schema = {
      first: { type: 'number', label: 'Price' },
      milk: { type: 'number', label: 'Milk' },
      all: { type: 'array', label: 'Price', items: { type: 'number' } },
    };
    expect((await extract(PRICES, schema)).value).toEqual({ first: 4.5, milk: 1.2, all: [4.5, 1.2] });
  });

  it('by the header of its column, beside an empty corner', async () => {
    const table =
      '<table><tr><td></td><th>2024</th><th>2025</th></tr><tr><th scope=row>North</th><td>1</td><td>2</td></tr></table>';
    expect((await extract(table, { year: { type: 'number', label: '2025' } })).value).toEqual({ year: 2 });
  });

  it('of a grid of roles, by the numbers of its columns', async () => {
    const cell = (role: string, column: number, text: string) =>
      `<div role="${role}" aria-colindex="${column}">${text}</div>`;
    const head = `<div role="row">${cell('columnheader', 2, 'Name')}${cell('columnheader', 4, 'City')}</div>`;
    const row = `<div role="row">${cell('gridcell', 2, 'Ann')}${cell('gridcell', 4, 'Rome')}</div>`;
    expect(
      (await extract(`<div role="grid">${head}${row}</div>`, { city: { type: 'string' } })).value,
    ).toEqual({
      city: 'Rome',
    });
  });
});

describe('extractPage returns an error with its path', () => {
  it('for a label that the page does not have', async () => {
    const { value, errors } = await extract(SHOP, {
      a: { type: 'string', label: 'Colour' },
      height: { type: 'number' },
    });
    expect(value).toEqual({ a: null, height: null });
    expect(errors).toEqual([
      { path: 'a', message: expect.stringContaining('"Colour"') },
      { path: 'height', message: expect.stringContaining('"height"') },
    ]);
  });

  it('for a required value that is missing', async () => {
    const { value, errors } = await extract(SHOP, {
      type: 'object',
      properties: { gone: { type: 'string', selector: '.gone' } },
      required: ['gone'],
    });
    expect(value).toEqual({ gone: null });
    expect(errors.map(error => error.path)).toEqual(['gone']);
  });

  // A null without an error would look like a page that has no such value, when the selector is out of date.
  it('for a missing value that is not required', async () => {
    const { value, errors } = await extract(SHOP, {
      gone: { type: 'string', selector: '.gone' },
      link: { type: 'string', selector: 'body', attribute: 'data-gone' },
      part: { type: 'object', selector: '.gone', properties: { name: { type: 'string', selector: 'b' } } },
    });
    expect(value).toEqual({ gone: null, link: null, part: null });
    expect(errors.map(({ path, message }) => `${path} ${message}`)).toEqual([
      'gone was not found: nothing matches the selector ".gone", or its value cannot be read',
      'link was not found: nothing matches the selector "body" and has the attribute "data-gone"',
      'part was not found: nothing matches the selector ".gone", or its value cannot be read',
    ]);
  });

  it('but none for a missing value that the schema calls nullable', async () => {
    expect(await extract(SHOP, { gone: { type: 'string', selector: '.gone', nullable: true } })).toEqual({
      value: { gone: null },
      errors: [],
      isTruncated: false,
    });
  });

  it('for text where the schema wants a number, and for a number out of range', async () => {
    const { value, errors } = await extract(SHOP, {
      a: { type: 'number', selector: '.name' },
      b: { type: 'number', selector: '.price', maximum: 10 },
    });
    expect(value).toEqual({ a: 'Green tea', b: 1299.5 });
    expect(errors.map(error => error.path).sort()).toEqual(['a', 'b']);
  });

  it.each([
    ['an unknown type', { a: { type: 'money' } }, 'extract.properties.a.type'],
    ['an array without items', { a: { type: 'array', selector: 'p' } }, 'extract.properties.a'],
    ['an invalid selector', { a: { type: 'string', selector: 'p[[' } }, 'extract.properties.a.selector'],
    ['a value that is not a schema', 'price', 'extract'],
  ])('fails with VALIDATION_ERROR for %s', async (_, schema, path) => {
    await expect(extract(SHOP, schema as Json)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      context: { errors: [{ path }] },
    });
  });
});

describe('parseNumber reads a number as people write it', () => {
  it.each([
    ['12', 12],
    ['1,299.00 €', 1299],
    ['1.299,00', 1299],
    ['1.250,– zzgl. Versand', 1250],
    ['1.759 €/l', 1.759],
    ['€ 1.759/l', 1.759],
    ['$3.459', 3.459],
    ['€0.035', 0.035],
    ['1.085 EUR = 1 GBP', 1.085],
    ['1,5', 1.5],
    ['12,345', 12345],
    ['1 234 567', 1234567],
    ["1'000.5", 1000.5],
    ['−3 °C', -3],
    ['$0.99', 0.99],
    ['.5 mm', 0.5],
    ['No.5', 5],
    ['about 2½ cups', 2.5],
    ['½ cup (120 ml)', 0.5],
    ['none', null],
  ])('%s', (text, number) => {
    expect(parseNumber(text)).toBe(number);
  });
});

it('extractPage fails with VALIDATION_ERROR for a required name that is not a property', async () => {
  const schema = {
    type: 'object',
    properties: { title: { selector: '.name' } },
    required: ['title', 'nope'],
  };
  await expect(extract(SHOP, schema)).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    context: { errors: [{ path: 'extract.required', message: expect.stringContaining('"nope"') }] },
  });
});

describe('extractPage never gives the value of another cell or number', () => {
  it.each([
    ['de', ['1.250 €', '-0.125 €'], [1.25, -0.125]],
    ['de', ['€ 2.499', '12.500 kr', '1.759 €/l', '4.5'], [2499, 12500, 1.759, 4.5]],
    ['de', ['1.250 €/Tag', '1.250 €/m²', '1.759 €/Liter', '1.085 €/USD'], [1250, 1250, 1.759, 1.085]],
    ['en', ['1.759 €'], [1.759]],
    ['en', ['1.250 €', '12,50 €'], [1250, 12.5]],
    ['', ['1.250 €'], [1.25]],
  ])(
    'for a point before three digits: other prices or the language (%s) explain %j',
    async (lang, texts, numbers) => {
      const items = { type: 'number' };
      const { value } = await extract(
        `<html lang="${lang}">${texts.map(text => `<p>${text}</p>`).join('')}`,
        {
          prices: { type: 'array', selector: 'p', items },
        },
      );
      expect(value).toEqual({ prices: numbers });
    },
  );

  const string = { type: 'string' };
  const rowsOf = async (table: string, labels: readonly string[]) => {
    const properties = Object.fromEntries(labels.map(label => [label, { ...string, label }]));
    const { value } = await extract(table, {
      rows: { type: 'array', selector: 'tbody tr', items: { type: 'object', properties } },
    });
    return (value as { readonly rows: Json }).rows;
  };

  it('for cells that cover several rows or columns', async () => {
    const table =
      '<table><thead><tr><th>Day</th><th>Name</th><th>Time</th></tr></thead><tbody><tr><td rowspan=2>Monday</td><td>Ada</td><td>8:00</td></tr><tr><td>Otto</td><td>9:00</td></tr><tr><td>Tuesday</td><td colspan=2>closed</td></tr></tbody></table>';
    expect(await rowsOf(table, ['Day', 'Name', 'Time'])).toEqual([
      { Day: 'Monday', Name: 'Ada', Time: '8:00' },
      { Day: 'Monday', Name: 'Otto', Time: '9:00' },
      { Day: 'Tuesday', Name: 'closed', Time: 'closed' },
    ]);
  });

  it('for numbers whose currency stands in the header of their column', async () => {
    const table =
      '<html lang=de><table><tr><th>Car</th><th>Price (€)</th><th>€/l</th><th>Use</th></tr><tr><td>A</td><td>12.500</td><td>1.759</td><td>4.125</td></tr></table><table><tr><th>EUR/USD</th><td class=r>1.085</td></tr></table>';
    const number = { type: 'number' };
    const { value } = await extract(table, {
      price: { ...number, selector: 'td:nth-child(2)' },
      fuel: { ...number, label: '€/l' },
      use: { ...number, label: 'Use' },
      rate: { ...number, selector: '.r' },
    });
    expect(value).toEqual({ price: 12500, fuel: 1.759, use: 4.125, rate: 1.085 });
  });

  it('for two rows of headers', async () => {
    const table =
      '<table><thead><tr><th rowspan=2>Term</th><th colspan=2>Head</th></tr><tr><th>Name</th><th>Party</th></tr></thead><tbody><tr><td>2009</td><td>Ada</td><td>Green</td></tr></tbody></table>';
    expect(await rowsOf(table, ['Term', 'Party', 'Head Name'])).toEqual([
      { Term: '2009', Party: 'Green', 'Head Name': 'Ada' },
    ]);
  });

  it('for a price in pieces, which one hidden text says', async () => {
    const price =
      '<p><span class=price><span class=spoken style="position:absolute;left:-9999px">$24.99</span><span aria-hidden=true><span>$</span><span>24</span><span style="font-size:8px">99</span></span></span></p>';
    const { value, errors } = await extract(price, {
      price: { type: 'number', selector: '.price' },
      spoken: { ...string, selector: '.spoken' },
    });
    expect(value).toEqual({ price: 24.99, spoken: '$24.99' });
    expect(errors).toEqual([{ path: 'spoken', message: 'is in an element that the page does not show' }]);
  });

  it('for raised digits and fractions', async () => {
    const text =
      '<p class=a>10<sup>3</sup></p><p class=b>1<sup>1</sup>/<sub>2</sub> cups</p><p class=c>$12<sup>99</sup></p>';
    const schema = Object.fromEntries(
      ['a', 'b', 'c'].map(name => [name, { type: 'number', selector: `.${name}` }]),
    );
    expect((await extract(text, schema)).value).toEqual({ a: 1000, b: 1.5, c: 12.99 });
  });
});
