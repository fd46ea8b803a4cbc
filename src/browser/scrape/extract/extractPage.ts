/** Reads values from a page by a caller's JSON Schema. */

import { extractSchemaFailure, parseExtractSchema } from '../../../domain/content/extractSchema.ts';
import type { ExtractError } from '../../../domain/content/scrape.ts';
import type { Json } from '../../../domain/json.ts';
import { wellFormedJson } from '../../../domain/space/pageText.ts';
import type { IsolatedWorld } from '../../cdp/isolatedWorld.ts';
import type { ExtractResponse } from '../../injected/scrape/pageScraper.ts';
import { addClosedRoots, callScraper, installScraper } from '../callScraper.ts';
import { coerce } from './coerce.ts';
import { notFoundErrors } from './notFoundErrors.ts';
import { validateExtracted } from './validateExtracted.ts';

export interface ExtractResult {
  /** The values in the schema's shape; null for a value that was not found. */
  readonly value: Json;
  readonly errors: readonly ExtractError[];
  readonly isTruncated: boolean;
}

/** Maximum nesting of closed shadow roots whose content is read. */
const MAX_CLOSED_ROOT_DEPTH = 4;

/**
 * Reads from a page the values that a caller's schema describes, including values in shadow roots and in frames of the
 * same process. Makes one call to the page, and more only for closed shadow roots.
 * @param schema JSON Schema whose parts may have `selector` (CSS, inside the parent part's element), `label` (text
 * beside the value) and `attribute`: `{"price": {"type": "number", "selector": ".price"}}`. A list is `{"type":
 * "array", "selector": ".row", "items": …}`
 * @throws Failure VALIDATION_ERROR when the schema is invalid or takes too long to validate; OPERATION_TIMEOUT, BROWSER_CRASHED
 */
export async function extractPage(
  world: IsolatedWorld,
  schema: Json,
  signal: AbortSignal,
): Promise<ExtractResult> {
  const parsed = parseExtractSchema(schema);
  const { plan } = parsed;
  await installScraper(world);
  const read = async (again: boolean) =>
    JSON.parse(wellFormedJson(await callScraper(world, 'extractValues', plan, again))) as ExtractResponse;
  let response = await read(false);
  for (let left = MAX_CLOSED_ROOT_DEPTH; response.hostCount > 0 && left > 0; left--) {
    if (!(await addClosedRoots(world, response.hostCount))) break;
    response = await read(true);
  }
  if (response.invalidSelectors.length > 0)
    throw extractSchemaFailure(
      response.invalidSelectors.map(path => ({
        path: joinPath(path, 'selector'),
        message: 'is not a CSS selector',
      })),
    );
  const value = coerce(response.value, plan);
  const invalid = await validateExtracted(parsed, schema, value, signal);
  // A limit leaves values out that the page may have.
  const missing = response.isTruncated ? [] : notFoundErrors(plan, value);
  const known = new Set(invalid.map(({ path }) => path));
  return {
    value,
    errors: [
      ...invalid,
      ...missing.filter(({ path }) => !known.has(path)),
      ...response.hidden
        .filter(path => !known.has(path))
        .map(path => ({ path, message: 'is in an element that the page does not show' })),
    ],
    isTruncated: response.isTruncated,
  };
}

const joinPath = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);
