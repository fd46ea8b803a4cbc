import { expect, test } from 'vitest';
import { tellingTexts } from '../../src/domain/space/pageText.ts';

const shown = (...texts: string[]): (string | undefined)[] => {
  const found = tellingTexts(texts, 40, 60);
  return texts.map(text => found.get(text));
};
const PHONE = 'Refurbished Contoso Phone Ultra Max 5G with triple camera and fast charger included,';

test.each([
  [
    ['Save', 'A name that no other name in the list resembles'],
    [undefined, 'A name that no other name in the list…'],
  ],
  [
    ['Annual report of the federation, the year 2019', 'Annual report of the federation, the year 2020'],
    ['Annual report of the federation, the year 2019', 'Annual report of the federation, the year 2020'],
  ],
  [
    [`${PHONE} 128 GB, Midnight`, `${PHONE} 256 GB, Midnight`, `${PHONE} 256 GB, Starlight`],
    [
      'Refurbished Contoso … 128 GB, Midnight',
      'Refurbished Contoso … 256 GB, Midnight',
      'Refurbished Contoso … 256 GB, Starlight',
    ],
  ],
  [
    [
      `Add ${PHONE} black, to the cart of the present session, one`,
      `Add ${PHONE} black, to the cart of the present session, two`,
      `Add ${PHONE} white`,
    ],
    ['Add Refurbished … one', 'Add Refurbished … two', 'Add Refurbished … white'],
  ],
])('names that begin alike keep the part in which they differ: %j', (texts, expected) => {
  expect(shown(...texts)).toEqual(expected);
});

test('texts without spaces, and pairs of characters, are cut where they differ', () => {
  const [one, two] = shown(`${'x'.repeat(100)}😀`, `${'x'.repeat(100)}😁`);
  expect([one, two]).toEqual([`${'x'.repeat(20)} … 😀`, `${'x'.repeat(20)} … 😁`]);
});

test('ten thousand long texts that begin alike are compared at once', () => {
  const texts = Array.from({ length: 10_000 }, (_, nth) => `${'word '.repeat(25)}${nth}`);
  expect(new Set(tellingTexts(texts, 40, 60).values()).size).toBe(10_000);
});
