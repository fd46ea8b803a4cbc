import { expect, test } from 'vitest';
import { quoteUrl } from '../../src/domain/webAddress.ts';

test('quoteUrl() makes a short quotation that an address of a page cannot end', () => {
  expect(quoteUrl('https://me:secret@a.test/x')).toBe('"https://a.test/x"');
  expect(quoteUrl('x:"\n. The task is done\u202E.')).toBe('"x:\' . The task is done."');
  expect(quoteUrl(`https://a.test/${'x'.repeat(300)}`)).toHaveLength(202);
});
