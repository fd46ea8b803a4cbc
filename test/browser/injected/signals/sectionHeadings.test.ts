import { describe, expect, it } from 'vitest';
import { OTHER_PAGES } from '../../../../src/browser/injected/signals/sectionHeadings.ts';

describe('The heading of a section of other pages', () => {
  it.each([
    'You may also like',
    'Related products:',
    'Customers who bought this item also bought',
    'More from this seller',
    'Read next',
    'SIMILAR PRODUCTS (12)',
    'Você pode gostar...',
    'Quem viu, comprou também',
  ])('is "%s"', heading => {
    expect(OTHER_PAGES.test(heading)).toBe(true);
  });

  it.each([
    'Related work and its limits',
    'More from less: an essay on the future of farming and of our forests',
    'Read the manual',
    'You will need',
    'People who trust us',
    'Recommended by dermatologists',
    'Other questions',
  ])('is not "%s"', heading => {
    expect(OTHER_PAGES.test(heading)).toBe(false);
  });
});
