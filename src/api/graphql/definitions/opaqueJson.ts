/** JSON values of pages and callers, as the executor can return them. */

/**
 * Returns the value; if it has a field `then`, in an object that is written as the same JSON. The executor takes every object with such a
 * field for a promise, and both pages and callers choose the names of fields.
 */
export function opaqueJson(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('then' in value)) return value;
  return { toJSON: () => value };
}
