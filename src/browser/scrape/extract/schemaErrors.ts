/** Where what was read is not what the schema says. */
import type { z } from 'zod';
import { issueInWords } from '../../../domain/issueInWords.ts';
import type { ExtractError, Json } from '../../../domain/page.ts';

/** Errors beyond this many are not told, nor more of one than so many characters. */
const MOST_ERRORS = 1_000;
const LONGEST_ERROR = 1_000;

/** A part that was not found and is not required is no error. */
export function schemaErrors(validator: z.ZodType, value: Json): readonly ExtractError[] {
  const checkedValue = validator.safeParse(withoutNulls(value));
  if (checkedValue.success) return [];
  return checkedValue.error.issues.slice(0, MOST_ERRORS).map(issue => ({
    path: issue.path.join('.'),
    message: issueInWords(issue).slice(0, LONGEST_ERROR),
  }));
}

function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(withoutNulls);
  if (value === null || typeof value !== 'object') return value;
  const kept = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutNulls(inner)]));
}
