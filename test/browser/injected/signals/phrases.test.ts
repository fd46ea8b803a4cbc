import { describe, expect, it } from 'vitest';
import { OTHER_PAGES, Phrases } from '../../../../src/browser/injected/signals/sectionHeadings.ts';
import { expandPattern } from '../../../support/expandPattern.ts';

const ALL = { OTHER_PAGES };
const LANGUAGES = Object.entries(ALL).flatMap(([name, { table }]) =>
  Object.entries(table).map(([language, phrases]) => ({ name, language, phrases })),
);

describe('Phrases', () => {
  it.each(LANGUAGES)(
    '$name: each of language $language is found by its first word',
    ({ language, phrases }) => {
      const alone = new Phrases({ [language]: phrases }, '');
      const texts = [...new Set(expandPattern(phrases.pattern))];
      expect(texts.length).toBeGreaterThan(0);
      expect(texts.filter(text => !alone.test(text))).toEqual([]);
    },
  );

  it.each(LANGUAGES)('$name: each first word of language $language begins one', ({ phrases }) => {
    const texts = expandPattern(phrases.pattern);
    const unused = phrases.begins.split(' ').filter(word => !texts.some(text => text.includes(word)));
    expect(unused).toEqual([]);
  });

  it('are found in upper case, also with the letters I of Turkish', () => {
    const phrases = new Phrases({ tr: { begins: 'ilgili yazdır', pattern: 'ilgili|yazdır' } }, '$');
    const found = ['İlgili', 'ILGILI', 'YAZDIR', 'yazdır'].filter(text => phrases.test(text));
    expect(found).toHaveLength(4);
  });
});
