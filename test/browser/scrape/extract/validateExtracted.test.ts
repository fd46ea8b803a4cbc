import { describe, expect, it } from 'vitest';
import { validateExtracted } from '../../../../src/browser/scrape/extract/validateExtracted.ts';
import { parseExtractSchema } from '../../../../src/domain/extractSchema.ts';
import type { Json } from '../../../../src/domain/json.ts';

const judged = (words: Json, value: string, signal = new AbortController().signal, patienceMs?: number) => {
  const schema = { a: { type: 'string', selector: 'p', ...(words as object) } };
  return validateExtracted(parseExtractSchema(schema), schema, { a: value }, signal, patienceMs);
};

/** Tries each way to part thirty letters. */
const ENDLESS = { pattern: '^(a+)+$' };
const LETTERS = `${'a'.repeat(40)}!`;

/** Each definition twice the next: the last is met 2⁴⁰ times. */
const MULTIPLYING = {
  $ref: '#/$defs/d0',
  $defs: Object.fromEntries(
    Array.from({ length: 40 }, (_, nth) => {
      const next = { $ref: `#/$defs/d${nth + 1}` };
      return [`d${nth}`, nth === 39 ? { type: 'string' } : { allOf: [next, next] }];
    }),
  ),
};

describe('a schema that asks for more work than anybody waits for', () => {
  it.each([
    ['by its pattern', ENDLESS, LETTERS],
    ['by references that multiply', MULTIPLYING, 'x'],
  ])('is refused in words, %s', async (_, words, value) => {
    const whole = { type: 'object', properties: { a: { type: 'string', selector: 'p', ...words } } };
    const schema = '$defs' in words ? { ...whole, $defs: words.$defs } : whole;
    const judging = validateExtracted(
      parseExtractSchema(schema),
      schema,
      { a: value },
      new AbortController().signal,
      1_000,
    );
    await expect(judging).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringMatching(/extract takes too long to validate/),
    });
  });

  it('holds nobody up: whoever asked can still take it back', async () => {
    const asking = new AbortController();
    const judging = judged(ENDLESS, LETTERS, asking.signal);
    asking.abort(new Error('taken back'));
    await expect(judging).rejects.toThrow('taken back');
  });

  it('is refused unread where it is longer than any that says where things stand', () => {
    const schema = { a: { enum: Array.from({ length: 10_000 }, (_, nth) => `choice ${nth}`) } };
    expect(() => parseExtractSchema(schema)).toThrow(/longer than 50,000 characters/);
  });
});

describe('a schema with a pattern, as people write them', () => {
  it('is judged by', async () => {
    expect(await judged({ pattern: '^T-\\d+$' }, 'T-12')).toEqual([]);
    expect(await judged({ pattern: '^T-\\d+$' }, 'none')).toEqual([
      { path: 'a', message: expect.stringContaining('pattern') },
    ]);
  });
});
