import { describe, expect, it } from 'vitest';
import { validateExtracted } from '../../../../src/browser/scrape/extract/extractPage.ts';
import { parseExtractSchema } from '../../../../src/domain/content/extractSchema.ts';
import type { Json } from '../../../../src/domain/json.ts';

const validate = (keywords: Json, value: string, signal = new AbortController().signal) => {
  const schema = { a: { type: 'string', selector: 'p', ...(keywords as object) } };
  return validateExtracted(parseExtractSchema(schema), schema, { a: value }, signal);
};

/** Backtracks through every way to split the letters. */
const ENDLESS = { pattern: '^(a+)+$' };
const LETTERS = `${'a'.repeat(40)}!`;

/** Each definition uses the next one twice: the last is evaluated 2⁴⁰ times. */
const MULTIPLYING = {
  $ref: '#/$defs/d0',
  $defs: Object.fromEntries(
    Array.from({ length: 40 }, (_, nth) => {
      const next = { $ref: `#/$defs/d${nth + 1}` };
      return [`d${nth}`, nth === 39 ? { type: 'string' } : { allOf: [next, next] }];
    }),
  ),
};

describe('validateExtracted', () => {
  it.each([
    ['its pattern', ENDLESS, LETTERS],
    ['references that multiply', MULTIPLYING, 'x'],
  ])('fails with VALIDATION_ERROR when validation takes too long: %s', async (_, keywords, value) => {
    const whole = { type: 'object', properties: { a: { type: 'string', selector: 'p', ...keywords } } };
    const schema = '$defs' in keywords ? { ...whole, $defs: keywords.$defs } : whole;
    const validating = validateExtracted(
      parseExtractSchema(schema),
      schema,
      { a: value },
      new AbortController().signal,
      1_000,
    );
    await expect(validating).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringMatching(/extract takes too long to validate/),
    });
  });

  it('stops when the caller aborts', async () => {
    const caller = new AbortController();
    const validating = validate(ENDLESS, LETTERS, caller.signal);
    caller.abort(new Error('aborted'));
    await expect(validating).rejects.toThrow('aborted');
  });

  it('reports values that do not match a pattern', async () => {
    expect(await validate({ pattern: '^T-\\d+$' }, 'T-12')).toEqual([]);
    expect(await validate({ pattern: '^T-\\d+$' }, 'none')).toEqual([
      { path: 'a', message: expect.stringContaining('pattern') },
    ]);
  });
});

describe('parseExtractSchema', () => {
  it('rejects a schema longer than 50,000 characters', () => {
    const schema = { a: { enum: Array.from({ length: 10_000 }, (_, nth) => `choice ${nth}`) } };
    expect(() => parseExtractSchema(schema)).toThrow(/longer than 50,000 characters/);
  });
});
