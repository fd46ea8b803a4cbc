/** Structured data of a page by a caller's schema. */
import { extractSchemaFailure, parseExtractSchema } from '../../../domain/extractSchema.ts';
import type { Json } from '../../../domain/json.ts';
import type { ExtractError } from '../../../domain/scrapedData.ts';
import { injectedScript } from '../../cdp/injectedScript.ts';
import type { IsolatedWorld } from '../../cdp/isolatedWorld.ts';
import type { ExtractResponse } from '../../injected/scrape/scraperProtocol.ts';
import { adoptClosedRoots } from '../adoptClosedRoots.ts';
import { coerce } from './coerce.ts';
import { validateExtracted } from './validateExtracted.ts';

export interface ExtractResult {
  /** What was found, in the schema's shape; what was not found is null. */
  readonly value: Json;
  /** Empty when the value is what the schema says. */
  readonly errors: readonly ExtractError[];
  /** Whether the page had more values than are read. */
  readonly truncated: boolean;
}

const CALL_EXTRACT = '(plan, again) => globalThis.__pagespaceScrape.extract(plan, again)';
/** Closed shadow trees in closed shadow trees are read this deep. */
const MAX_CLOSED_ROOT_DEPTH = 4;

/**
 * Reads the page by the schema, in one call. Looks into shadow trees and the frames of the same process.
 * @param schema JSON Schema whose parts may have `selector` (CSS, inside the part's parent), `label` (words beside the value)
 *   and `attribute`; `{"price": {"type": "number", "selector": ".price"}}`; a list is `{"type": "array", "selector": ".row", "items": …}`
 * @param signal ends the judging early
 * @throws Failure VALIDATION_ERROR when the schema is none or takes too long to judge by; OPERATION_TIMEOUT, BROWSER_CRASHED
 */
export async function extractPage(
  world: IsolatedWorld,
  schema: Json,
  signal: AbortSignal,
): Promise<ExtractResult> {
  const parsed = parseExtractSchema(schema);
  const { plan } = parsed;
  await world.install('scrape', injectedScript('scrape'));
  const read = async (again: boolean) =>
    JSON.parse(await world.call<string>(CALL_EXTRACT, plan as unknown as Json, again)) as ExtractResponse;
  let response = await read(false);
  for (let left = MAX_CLOSED_ROOT_DEPTH; response.closedRootHosts > 0 && left > 0; left--) {
    if (!(await adoptClosedRoots(world, response.closedRootHosts))) break;
    response = await read(true);
  }
  if (response.invalidSelectors.length > 0)
    throw extractSchemaFailure(
      response.invalidSelectors.map(path => ({
        path: joinPath(path, 'selector'),
        message: 'is no CSS selector',
      })),
    );
  const value = coerce(response.value, plan);
  return {
    value,
    errors: await validateExtracted(parsed, schema, value, signal),
    truncated: response.truncated,
  };
}

const joinPath = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);
