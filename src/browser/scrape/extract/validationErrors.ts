/** Compares extracted values with the caller's schema. */

import type { z } from 'zod';
import type { ExtractError } from '../../../domain/content/scrape.ts';
import { issueMessage } from '../../../domain/failure/issueMessage.ts';
import type { Json } from '../../../domain/json.ts';
import { cutText } from '../../../domain/space/pageText.ts';

const MAX_ERRORS = 1_000;
const MAX_ERROR_CHARACTERS = 1_000;

/** Returns one error for each value that does not match the schema. A null value (not found) is an error only if the schema requires it. */
export function validationErrors(validator: z.ZodType, value: Json): readonly ExtractError[] {
  const result = validator.safeParse(withoutNulls(value));
  if (result.success) return [];
  return result.error.issues.slice(0, MAX_ERRORS).map(issue => ({
    path: issue.path.join('.'),
    message: cutText(issueMessage(issue), MAX_ERROR_CHARACTERS),
  }));
}

function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(withoutNulls);
  if (value === null || typeof value !== 'object') return value;
  const kept = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutNulls(inner)]));
}
