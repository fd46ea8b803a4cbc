import { describe, expect, it } from 'vitest';
import { Failure } from '../../src/domain/failure/failures.ts';
import { SecretMask } from '../../src/domain/secretMask.ts';
import { MASK } from '../../src/domain/space/pageText.ts';

const maskOf = (...secrets: string[]): SecretMask => {
  const mask = new SecretMask();
  for (const secret of secrets) mask.add(secret);
  return mask;
};

describe('The mask of a session', () => {
  const secret = 'p"a s&s*7%25<w>_é';

  it.each([
    ['as it is', secret],
    ['in capitals', secret.toUpperCase()],
    ['in an address', encodeURIComponent(secret)],
    ['in a query', new URLSearchParams({ p: secret }).toString().slice(2)],
    ['in HTML', 'p&quot;a s&amp;s*7%25&lt;w&gt;_&#233;'],
    ['in JSON', JSON.stringify(secret).slice(1, -1)],
    ['in Markdown', 'p"a s&s\\*7%25\\<w\\>\\_é'],
    ['in a quotation', "p'a s&s*7%25<w>_é"],
    ['in the name of a file', 'p_a s&s_7%25_w__é'],
    ['on two lines', 'p"a\n  s&s*7%25<w>_é'],
  ])('finds a secret %s', (_where, form) => {
    expect(maskOf(secret).mask(`before ${form} after`)).toBe(`before ${MASK} after`);
  });

  it.each([
    ['You typed correct-ho…', `You typed ${MASK}…`],
    ['…tery-staple', `…${MASK}`],
    ['Took correct-', `Took ${MASK}`],
    ['correct-horse-battery-staX', `${MASK}X`],
    ['The correct horse', 'The correct horse'],
    ['Ends in y-staple.', `Ends in ${MASK}.`],
    ['Ends in y%2Dstaple', `Ends in ${MASK}`],
    ['re-staple a staple', 're-staple a staple'],
  ])('finds a part of a secret where a text is cut: %s', (text, masked) => {
    expect(maskOf('correct-horse-battery-staple').mask(text)).toBe(masked);
  });

  const password = 'kestrel-4711-Umbrella';
  const symbols = 'p@$$w0rd!';
  const card = '4111 1111 1234 9876';
  it.each([password, symbols, 'K7$m!x#Q9&z%'])(
    'finds all of a secret in the forms that pages give it: %s',
    value => {
      const mask = maskOf(value);
      const all = [...value];
      const reverse = all.toReversed().join('');
      expect(mask.mask(`before ${reverse} after`)).toMatch(/^before \W*•{8}\W* after$/);
      for (const form of [all, [...value.toUpperCase()]])
        for (const gap of [' ', '\u200b'])
          expect(mask.mask(`before ${form.join(gap)} after`)).toMatch(/^before \W*•{8}\W* after$/);
      const elements = all.map(one => `<i class="a">${one}</i>`).join('\n');
      expect(mask.mask(elements).replace(/<[^<>]*>/g, '')).toMatch(/^\W*•{8}\W*$/);
      expect(mask.mask(`before ${btoa(value)} after`)).toMatch(/^before •{8}.?=* after$/);
      // The first and the last character of Base64 within that of a longer text depend on what stands beside them.
      expect(mask.mask(`before ${btoa(`user:${value}!`)} after`)).toBe(
        `before ${btoa(`user:${value}!`).replace(/^(.{7}).*?(..)$/, `$1${MASK}$2`)} after`,
      );
      expect(mask.mask(`before ${Buffer.from(value).toString('hex')} after`)).toBe(`before ${MASK} after`);
    },
  );

  it.each([
    ['ends in Umbrella', `ends in ${MASK}`],
    ['strel 4711', MASK],
    ['4111-1111', MASK],
    [
      'begins with 4111, ends in 9876, 41112 of 98765',
      `begins with ${MASK}, ends in ${MASK}, 41112 of 98765`,
    ],
    ['6789 4321', MASK],
    ['The kestrels of Umbria', 'The kestrels of Umbria'],
    ['strong umbrage, 47 x 11', 'strong umbrage, 47 x 11'],
    ['spike street 4 7 1', 'spike street 4 7 1'],
    ['of $$w0rd!, @$$w0r and 0 r d ! $', `of ${MASK}, ${MASK} and 0 r d ! $`],
  ])(
    'finds parts of a value of the vault that are more than letters, its ends, and no other words: %s',
    (text, masked) => {
      const mask = new SecretMask();
      for (const value of [password, symbols]) mask.addVaulted(value, 'password');
      mask.addVaulted(card, 'card_number');
      expect(mask.mask(text)).toBe(masked);
    },
  );

  it('finds no part of a user name, a name or a note, and takes only a whole value for one that a page shows', () => {
    const mask = new SecretMask();
    mask.addVaulted('support@example.com', 'username');
    mask.addVaulted('MyPassword1', 'password');
    mask.addVaulted(card, 'card_number');
    const words = 'Support: your Password at docs.example.com';
    expect(mask.mask(words)).toBe(words);
    expect(mask.mask('Hello support@example.com')).toBe(`Hello ${MASK}`);
    for (const text of [words, 'Card ending in 9876', 'assword1', '4111 11'])
      expect(mask.holdsVaulted(text)).toBe(false);
    for (const text of [
      'Hello support@example.com',
      '1drowssaPyM',
      '4111-1111-1234-9876',
      '41111111 12349876',
    ])
      expect(mask.holdsVaulted(text)).toBe(true);
  });

  it.each(['4 8 1 5 9 2', '4 | 8 | 1 | 5 | 9 | 2', '4\n8\n1\n5\n9\n2'])(
    'finds a code whose characters are apart: %j',
    form => {
      const mask = maskOf('481592');
      expect(mask.mask(`before ${form} after`)).toBe(`before ${MASK} after`);
      expect(mask.mask('14 8 1 5 9 2')).toBe('14 8 1 5 9 2');
      expect(mask.mask('4 8 1 5 9 27')).toBe('4 8 1 5 9 27');
    },
  );

  it('takes no common word with a sign for the end of a secret', () => {
    const text = 'Your e-mail, log-in, log-out, tax_id';
    expect(maskOf('please-e-mail', 'orange-log-in', 'orange log-out', 'my-tax_id').mask(text)).toBe(text);
    expect(maskOf('orange-log-in2').mask('log-in2')).toBe(MASK);
  });

  it('finds a short number as a whole word only, also with its characters apart', () => {
    expect(maskOf('2024').mask('PIN 2024, order 120245, ?pin=2024, 2 | 0 | 2 | 4, 20:24, 4202')).toBe(
      `PIN ${MASK}, order 120245, ?pin=${MASK}, ${MASK}, 20:24, 4202`,
    );
  });

  it('finds fewer than four characters only in quotes, in notes and failures', () => {
    const mask = maskOf('12');
    expect(mask.mask('12 items, "12"')).toBe('12 items, "12"');
    expect(mask.maskSentence('I1 did not keep "12"; 12 characters.')).toBe(
      `I1 did not keep "${MASK}"; 12 characters.`,
    );
  });

  it('leaves ids, kinds and names of parameters as they are, and everything where there is no secret', () => {
    const mask = maskOf('value', 'text', 'link', 'auth');
    const action = {
      id: 'text',
      kind: 'link',
      name: 'A link',
      params: [{ name: 'value', default: 'value' }],
    };
    expect(mask.maskAll({ category: 'auth', action, extracted: { id: 'text' } })).toEqual({
      category: 'auth',
      action: {
        id: 'text',
        kind: 'link',
        name: `A ${MASK}`,
        params: [{ name: 'value', default: MASK }],
      },
      extracted: { id: MASK },
    });
    const other = { texts: ['nothing'] };
    expect(mask.maskAll(other)).toBe(other);
  });

  it('removes a secret from a failure, its data, its cause and their stacks', () => {
    const cause = new Error('fill("hunter2") failed');
    const failure = new Failure('ACTION_BLOCKED', 'hunter2 was not kept.', {
      errors: [{ path: 'value', message: 'hunter2 is wrong' }],
      cause,
    });
    const masked = maskOf('hunter2').maskError(failure) as Failure;
    expect(masked).toMatchObject({ code: 'ACTION_BLOCKED', message: `${MASK} was not kept.` });
    const texts = [masked.stack, masked.context.errors?.[0]?.message, cause.message, cause.stack];
    for (const text of texts) expect(text).not.toContain('hunter2');
  });

  it('knows from the first character on that a secret stands in a field, not before', () => {
    const mask = new SecretMask();
    mask.add('••••');
    expect(mask.hasEntry).toBe(false);
    mask.addPageValue('4');
    expect(mask.hasEntry).toBe(true);
    expect(maskOf('123').hasEntry).toBe(true);
  });

  it('takes no mask of a page for a secret', () => {
    expect(maskOf('••••••', '****', '').mask('•••••• ****')).toBe('•••••• ****');
  });

  it('reads a long text with many secrets, also of a page that wants to keep it busy', () => {
    const many = Array.from({ length: 100 }, (_, nth) => nth);
    const mask = maskOf(...many.map(nth => `aaaa${nth}secret`));
    const text = 'aaaa '.repeat(100_000);
    expect(mask.mask(text)).toBe(text);
    const rest = (page: string, secret: (nth: number) => string) =>
      maskOf(...many.map(secret))
        .mask(page.repeat(1_000_000 / page.length))
        .replace(/[^a]/g, '');
    expect(rest('a.', nth => 'a'.repeat(901 + nth))).toBe('');
    expect(rest('aaaa…', nth => `${'a'.repeat(900)}${nth}`)).toBe('');
    expect(rest('a', nth => `${'a'.repeat(20)}${nth}b`)).toHaveLength(1_000_000);
  });
});
