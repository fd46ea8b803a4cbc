/** JSON that callers send. */
import { Failure } from '../../domain/failures.ts';

/** Lists and objects within each other: much of what reads them calls itself for each level. */
const MAX_JSON_DEPTH = 100;

/**
 * @param what stands in the words of the refusal
 * @throws Failure INVALID_JSON; VALIDATION_ERROR where it is nested too deeply
 */
export function parseJson(text: string, what = 'The body'): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new Failure('INVALID_JSON', `${what} is not JSON: ${(cause as Error).message}`, { cause });
  }
  assertJsonDepth(value);
  return value;
}

/** @throws Failure VALIDATION_ERROR where lists and objects are nested too deeply */
export function assertJsonDepth(value: unknown): void {
  let level = [value].filter(isContainer);
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === MAX_JSON_DEPTH)
      throw new Failure('VALIDATION_ERROR', `JSON may be nested ${MAX_JSON_DEPTH} levels deep.`);
    level = level.flatMap(nest => Object.values(nest).filter(isContainer));
  }
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;
