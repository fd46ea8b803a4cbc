/** The operations that a caller can request on a session. */
export type Operation = 'start' | 'observe' | 'step' | 'scrape' | 'close';

/**
 * The `keep_alive` rule: returns true if the session ends after this operation. A session that the operation created ends
 * unless `keepAlive` is true. An existing session ends only if `keepAlive` is false.
 */
export function endsAfterOperation(
  operation: Operation,
  createdByOperation: boolean,
  keepAlive: boolean | null | undefined,
): boolean {
  if (operation === 'start') return false;
  if (operation === 'close') return true;
  return createdByOperation ? keepAlive !== true : keepAlive === false;
}
