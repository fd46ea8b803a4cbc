/** JSON that can be written out again. */
import type { Json } from '../../domain/json.ts';

/** Deeper values are left out: writing them overflows the stack, and nothing that is meant nests like this. */
export const MAX_JSON_DEPTH = 64;

/** Whether a value nests at most `depth` levels deep. */
export function isWithinJsonDepth(value: Json | undefined, depth = MAX_JSON_DEPTH): boolean {
  if (value === null || typeof value !== 'object') return true;
  if (depth === 0) return false;
  return Object.values(value).every(inner => isWithinJsonDepth(inner, depth - 1));
}
