/** Limits the depth of JSON values. */
import type { Json } from '../../../domain/json.ts';

/** Maximum depth of a JSON value in a result. Deeper values are skipped: serializing them would overflow the stack, and no real content is nested this deep. */
export const MAX_JSON_DEPTH = 64;

export function isWithinJsonDepth(value: Json | undefined, depth = MAX_JSON_DEPTH): boolean {
  if (value === null || typeof value !== 'object') return true;
  if (depth === 0) return false;
  return Object.values(value).every(inner => isWithinJsonDepth(inner, depth - 1));
}
