import { describe, expect, it } from 'vitest';
import { observerHarness } from '../../../support/observerHarness.ts';

const { openHtml } = observerHarness();

describe('a section', () => {
  const categoriesOf = async (body: string) =>
    (await (await openHtml(body)).observe()).elements.map(({ category }) => category);
  const options = '<h3>Options</h3><button>Add</button>';

  it('whose heading has the same text as another one is named by the heading above it, too', async () => {
    expect(await categoriesOf(`<h1>Shop</h1><h2>Shirt</h2>${options}<h2>Hat</h2>${options}`)).toEqual([
      'Section "Shirt: Options"',
      'Section "Hat: Options"',
    ]);
  });

  it('whose heading has the text of the heading above it has that name only once', async () => {
    expect(
      await categoriesOf(
        `<h1>Hat</h1><h2>Hat</h2><button>Buy</button><h1>Shirt</h1><h2>Hat</h2><button>Add</button>`,
      ),
    ).toEqual(['Section "Hat"', 'Section "Shirt: Hat"']);
  });

  it('is named by its own heading if that is the only one, or if all have the same heading above them', async () => {
    expect(
      await categoriesOf(`<h2>Shirt</h2>${options}<h2>Hat</h2><h3>Care</h3><button>Wash</button>`),
    ).toEqual(['Section "Options"', 'Section "Care"']);
    expect(await categoriesOf(`<h1>Shop</h1>${options}${options}`)).toEqual([
      'Section "Options"',
      'Section "Options"',
    ]);
  });
});
