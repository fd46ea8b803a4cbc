/** Parses JSON from callers. */
import { Failure } from '../../domain/failures.ts';
import type { HttpContext } from './httpContext.ts';

/**
 * Maximum nesting depth of lists and objects in JSON from callers. Code that reads JSON often recurses for each level.
 */
const MAX_JSON_DEPTH = 100;

/**
 * Parses JSON from a caller.
 * @param name names the text in the detail of the failure
 * @throws Failure INVALID_JSON; VALIDATION_ERROR if the JSON is nested more than 100 levels deep
 */
export function parseJson(text: string, name = 'The body'): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new Failure('INVALID_JSON', `${name} is not JSON: ${(cause as Error).message}`, { cause });
  }
  assertJsonDepth(value);
  return value;
}

/**
 * Checks the nesting depth of a JSON value.
 * @throws Failure VALIDATION_ERROR if lists and objects are nested more than 100 levels deep
 */
export function assertJsonDepth(value: unknown): void {
  if (!hasAllowedJsonDepth(value))
    throw new Failure('VALIDATION_ERROR', `JSON may be nested ${MAX_JSON_DEPTH} levels deep.`);
}

/** Returns true if lists and objects of the value are nested at most 100 levels deep. */
export function hasAllowedJsonDepth(value: unknown): boolean {
  let level = [value].filter(isContainer);
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === MAX_JSON_DEPTH) return false;
    level = level.flatMap(container => Object.values(container).filter(isContainer));
  }
  return true;
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

/**
 * Requires that the Content-Type of a request is `application/json` or a type such as `application/graphql+json`.
 * @throws Failure UNSUPPORTED_MEDIA_TYPE
 */
export function assertJsonType({ headers }: Pick<HttpContext, 'headers'>): void {
  if (/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(headers['content-type'] ?? '')) return;
  throw new Failure(
    'UNSUPPORTED_MEDIA_TYPE',
    'Send the body as JSON, with "Content-Type: application/json".',
  );
}

/**
 * Reads and parses the body of a request as JSON.
 * @param maxBytes maximum size of the body; the limit of the server applies too
 * @throws Failure UNSUPPORTED_MEDIA_TYPE, BODY_TOO_LARGE, REQUEST_TIMEOUT, INVALID_JSON, VALIDATION_ERROR
 */
export async function readJsonBody(http: HttpContext, maxBytes?: number): Promise<unknown> {
  assertJsonType(http);
  return parseJson(await http.readText(maxBytes));
}
