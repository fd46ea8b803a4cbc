import { describe, expect, it } from 'vitest';
import { isBoilerplateName } from '../../../../src/browser/injected/scrape/article/boilerplateNames.ts';

describe('Names of an element', () => {
  it.each([
    'related',
    'Sign-Up',
    'signup',
    'newsletter-form',
    'post__recommended_list',
    'article-meta',
    'author-biography',
    'ad-300x250',
    'col-6 sr-only',
    'mw-editsection',
    'about-the-author',
  ])('"%s" are those of boilerplate', names => {
    expect(isBoilerplateName(names)).toBe(true);
  });

  it.each([
    'article',
    'print:hidden',
    'toc-See_also',
    'sign',
    'adapted',
    'unrelated',
    'author',
    'readable',
    '',
  ])('"%s" are not', names => {
    expect(isBoilerplateName(names)).toBe(false);
  });
});
