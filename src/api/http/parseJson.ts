/** Parses JSON from callers. */
import { Failure } from '../../domain/failure/failures.ts';
import type { HttpContext } from './httpContext.ts';

/**
 * Maximum nesting depth of lists and objects in JSON from callers. Code that reads JSON often recurses for each level.
 */
const MAX_JSON_DEPTH = 100;
/**
 * Maximum number of values in all lists and objects of JSON from callers. No request needs as many, and code that validates them takes
 * microseconds for each: those of a megabyte would hold up other callers for seconds.
 */
const MAX_JSON_VALUES = 10_000;

/** Matches escaped backslashes, and escapes of surrogates in JSON: pairs and halves. */
const SURROGATE_ESCAPES =
  /\\\\|\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u[dD][89a-fA-F][\da-fA-F]{2}/g;
const HALF_ESCAPE_LENGTH = 6;

/**
 * Returns JSON in which U+FFFD replaces each escape of half a surrogate pair, as decoding UTF-8 does for its bytes. No text of a caller
 * then has such halves, which strict parsers of our responses would refuse.
 */
export const replaceHalfCharacters = (json: string): string =>
  /\\u[dD][89a-fA-F]/.test(json)
    ? json.replace(SURROGATE_ESCAPES, found => (found.length === HALF_ESCAPE_LENGTH ? '\\ufffd' : found))
    : json;

/**
 * Parses JSON from a caller. Replaces halves of surrogate pairs.
 * @param name names the text in the detail of the failure
 * @throws Failure INVALID_JSON; VALIDATION_ERROR if the JSON is nested too deeply or has too many values
 */
export function parseJson(text: string, name = 'The body'): unknown {
  let value: unknown;
  try {
    value = JSON.parse(replaceHalfCharacters(text));
  } catch (cause) {
    throw new Failure('INVALID_JSON', `${name} is not JSON: ${(cause as Error).message}`, { cause });
  }
  assertJsonSize(value);
  return value;
}

/**
 * Checks the nesting depth and the number of values of JSON from a caller.
 * @throws Failure VALIDATION_ERROR if it exceeds a limit
 */
export function assertJsonSize(value: unknown): void {
  const error = jsonSizeError(value);
  if (error !== null) throw new Failure('VALIDATION_ERROR', error);
}

/**
 * Returns the limit that JSON from a caller exceeds, as a sentence; null if lists and objects are nested at most 100 levels deep and have
 * at most 10,000 values together.
 */
export function jsonSizeError(value: unknown): string | null {
  let level = [value].filter(isContainer);
  let values = 0;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === MAX_JSON_DEPTH) return `JSON may be nested ${MAX_JSON_DEPTH} levels deep.`;
    const inner: object[] = [];
    for (const container of level) {
      const own = Object.values(container);
      values += own.length;
      if (values > MAX_JSON_VALUES)
        return `The lists and objects in JSON may have ${MAX_JSON_VALUES.toLocaleString('en')} values together.`;
      for (const one of own) if (isContainer(one)) inner.push(one);
    }
    level = inner;
  }
  return null;
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
