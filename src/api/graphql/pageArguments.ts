/** Arguments of Relay connections. */
import { z } from 'zod';
import { Failure } from '../../domain/failures.ts';
import { formatFieldErrors } from '../http/validationFailure.ts';

export const DEFAULT_PAGE_SIZE = 20;
export const MAX_PAGE_SIZE = 100;

/** Validates `first` and `last`: a whole number from 1 to MAX_PAGE_SIZE. */
export const pageSizeField = z
  .int('must be a whole number')
  .min(1, 'must be at least 1')
  .max(MAX_PAGE_SIZE, `must be at most ${MAX_PAGE_SIZE}`);

/**
 * Reads the arguments of a list: forwards by `first` and `after`, or backwards by `last` and `before`; `last` alone starts at the
 * end of the list.
 * @returns `limit`: number of items; `fromEnd`: true for `last` without `before`
 * @throws Failure VALIDATION_ERROR for any other combination
 */
export function parsePageArguments(args: {
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}): { limit: number; after: string | null; before: string | null; fromEnd: boolean } {
  const errors = [];
  if (args.first != null && args.last != null)
    errors.push({ path: 'last', message: 'must not be given together with first' });
  if (args.after != null && args.before != null)
    errors.push({ path: 'before', message: 'must not be given together with after' });
  if (args.last != null && args.after != null)
    errors.push({ path: 'last', message: 'must not be given together with after' });
  if (errors.length > 0) throw new Failure('VALIDATION_ERROR', formatFieldErrors(errors), { errors });
  return {
    limit: args.first ?? args.last ?? DEFAULT_PAGE_SIZE,
    after: args.after ?? null,
    before: args.before ?? null,
    fromEnd: args.last != null && args.before == null,
  };
}

/**
 * Parses a cursor of a list whose items have a number `seq`: the cursor is that number, as text.
 * @throws Failure VALIDATION_ERROR if it is not a whole number, or is below `min`
 */
export function parseSeqCursor(name: 'after' | 'before', text: string, min = 0): number {
  const seq = z.coerce.number().int().min(min).safeParse(text);
  if (seq.success) return seq.data;
  const errors = [{ path: name, message: 'must be a cursor that an earlier page returned' }];
  throw new Failure('VALIDATION_ERROR', `${name} is not a cursor of this list.`, { errors });
}
