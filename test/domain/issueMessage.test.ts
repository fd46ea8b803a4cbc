import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { issueMessage } from '../../src/domain/failure/issueMessage.ts';

const messages = (schema: z.ZodType, value: unknown): string[] =>
  schema.safeParse(value).error?.issues.map(issueMessage) ?? [];

describe('issueMessage()', () => {
  it.each<[z.ZodType, unknown, string]>([
    [z.int().max(10_000), 20_000, 'must be at most 10,000'],
    [z.int().min(1), 0, 'must be at least 1'],
    [z.number().gt(0), 0, 'must be above 0'],
    [z.number().lt(30), 30, 'must be below 30'],
    [z.int(), 2.5, 'must be a whole number'],
    [z.number().multipleOf(5), 3, 'must be a multiple of 5'],
    [z.number(), '5', 'must be a number, not a string'],
    [z.string(), 5, 'must be a string, not a number'],
    [z.string(), null, 'must be a string, not null'],
    [z.boolean(), 'yes', 'must be a boolean, not a string'],
    [z.strictObject({}), [], 'must be an object, not an array'],
    [z.string(), undefined, 'is required'],
    [z.string().max(3), 'long', 'must have at most 3 characters'],
    [z.string().length(2), 'long', 'must have exactly 2 characters'],
    [z.array(z.string()).min(1), [], 'must have at least 1 item'],
    [z.enum(['a', 'b']), 'c', 'must be one of "a", "b"'],
    [z.literal(5), 6, 'must be 5'],
    [z.iso.datetime(), 'soon', 'must be a time such as 2026-01-31T12:00:00Z'],
    [z.string().regex(/^a/), 'b', 'must match pattern /^a/'],
    [z.string().startsWith('a'), 'b', 'must start with "a"'],
    [
      z.union([z.string(), z.number()]),
      true,
      'must be a string, not a boolean, or must be a number, not a boolean',
    ],
    [z.strictObject({}), { a: 1 }, 'has no field "a"'],
    [z.custom(() => false), 1, 'is not valid'],
  ])('explains a Zod issue in plain English: %#', (schema, value, expected) => {
    expect(messages(schema, value)).toEqual([expected]);
  });

  it('returns the custom message of a schema', () => {
    expect(messages(z.string().min(1, 'must not be empty'), '')).toEqual(['must not be empty']);
  });
});
