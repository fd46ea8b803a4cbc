import { describe, expect, it } from 'vitest';
import {
  isBoilerplateLine,
  isBylineOrDate,
  isReferralLine,
} from '../../../../src/browser/injected/scrape/article/boilerplate.ts';
import { isBoilerplateName } from '../../../../src/browser/injected/signals/nameGroups.ts';

describe('Names of an element', () => {
  it.each(['related', 'newsletter-form', 'post__recommended_list', 'article-meta', 'ad-300x250', 'sr-only'])(
    '"%s" are those of boilerplate',
    names => {
      expect(isBoilerplateName(names)).toBe(true);
    },
  );

  it.each(['article', 'adapted', 'unrelated', 'author', 'readable', ''])('"%s" are not', names => {
    expect(isBoilerplateName(names)).toBe(false);
  });
});

describe('A line that belongs to the page', () => {
  it.each(['Advertisement', '12 comments', 'Share this article:'])('is "%s"', line => {
    expect(isBoilerplateLine(line)).toBe(true);
  });

  it.each([
    'Advertisement has changed since radio.',
    'Anzeige gegen unbekannt',
    'Mehr Licht',
    'Quelle der Kraft',
    'Publicité mensongère',
    '广告的历史',
  ])('is not "%s"', line => {
    expect(isBoilerplateLine(line)).toBe(false);
  });
});

describe('A line that points to another article', () => {
  it.each(['Read also: The harbour', 'Photo-illustration: Ann Lee', 'Don’t miss: The harbour'])(
    'is "%s"',
    line => {
      expect(isReferralLine(line)).toBe(true);
    },
  );

  it.each(['Reading: a history', 'Photographers: who they are', 'Voir: un verbe'])('is not "%s"', line => {
    expect(isReferralLine(line)).toBe(false);
  });
});

describe('A byline', () => {
  it.each(['By Ann Lee'])('is "%s"', line => {
    expect(isBylineOrDate(line)).toBe(true);
  });

  it.each([
    'Bystanders saw the boat.',
    'Publisher of the year',
    'От Москвы до самых до окраин',
    'Автор не согласен',
    'Auteur theory was never more alive.',
    'Vonnegut wrote it',
  ])('is not "%s"', line => {
    expect(isBylineOrDate(line)).toBe(false);
  });
});
