import { describe, expect, it } from 'vitest';
import {
  OTHER_PAGES,
  REVIEWS,
  SPECIFICATION,
} from '../../../../src/browser/injected/signals/sectionHeadings.ts';

const HEADINGS: Readonly<Record<string, readonly [{ test(text: string): boolean }, readonly string[]]>> = {
  'other pages': [
    OTHER_PAGES,
    [
      'You may also like',
      'Related products:',
      'Customers who bought this item also bought',
      'You might like',
      'More from this seller',
      'Goes well with',
      'Read next',
      'Das könnte dich auch interessieren',
      'Diese Produkte könnten Ihnen auch gefallen',
      'Ähnliche Artikel',
      'Zuletzt angesehen',
      'Vous aimerez aussi…',
      'Articles similaires',
      'Sur le même sujet',
      'También te puede interesar',
      'Productos relacionados',
      'Você pode gostar...',
      'Você também pode gostar de',
      'Quem viu, comprou também',
      'Potrebbe interessarti anche',
      'Prodotti correlati',
      'Misschien vind je dit ook leuk',
      'Gerelateerde producten',
      'Podobne produkty',
      'Zobacz również',
      'Похожие товары',
      'С этим товаром покупают',
      'Вам может понравиться',
      'Benzer ürünler',
      'İlgili yazılar',
      'İLGİLİ YAZILAR',
      'Sizin İçin Önerilenler',
      'You’ll also love',
      '이런 상품은 어떠세요?',
      '関連商品',
      'この商品を見た人はこんな商品も見ています',
      '猜你喜欢',
      '您可能感兴趣的商品',
      '相關文章',
      '관련 상품',
      '함께 본 상품',
    ],
  ],
  reviews: [REVIEWS, ['Customer reviews (1,204)', 'What our customers say about us']],
  'a specification': [SPECIFICATION, ['Product specifications', "What's in the box"]],
};

describe.each(Object.entries(HEADINGS))('The heading of %s', (kind, [phrases, headings]) => {
  it.each(headings)('%s', heading => {
    expect(phrases.test(heading)).toBe(true);
  });

  const others = Object.entries(HEADINGS).filter(([name]) => name !== kind);
  it.each(others)('is not that of %s', (_name, [, theirs]) => {
    expect(theirs.filter(heading => phrases.test(heading))).toEqual([]);
  });

  it.each([
    'Related work and its limits',
    'More from less: an essay on the future of farming and of our forests',
    'Read the manual',
    'Reviews of three tents for the winter',
    'Dimensions of a just society',
    'Produktdaten verstehen',
    'Das könnte ein Anfang sein',
    'Bewertungen im Wandel der Zeit',
    'Articles de presse',
    'You will need',
    'People who trust us',
    'Recommended by dermatologists',
    'Works best with',
    'Other questions',
    'Chi ha visto il film lo sa',
    'Kunden, die uns vertrauen',
    'С этим товаром что-то не так',
    'Noticias',
    'Te puede costar caro',
    'Состав экипажа',
    '商品の歴史',
    '評価方法について',
  ])('is not "%s"', heading => {
    expect(phrases.test(heading)).toBe(false);
  });
});
