/** Structured data of a page by a caller's schema. */
import { extractSchema, faultyExtract } from '../../../domain/extractSchema.ts';
import type { ExtractError, Json } from '../../../domain/page.ts';
import { inPageScript } from '../../inPageScript.ts';
import type { World } from '../../world.ts';
import type { ExtractAnswer } from '../answer.ts';
import { adoptClosedTrees } from '../closedTrees.ts';
import { coerce } from './coerce.ts';
import { judge } from './judge.ts';

export interface Extracted {
  /** What was found, in the schema's shape; what was not found is null. */
  readonly value: Json;
  /** Empty when the value is what the schema says. */
  readonly errors: readonly ExtractError[];
  /** Whether the page had more values than are read. */
  readonly cut: boolean;
}

const EXTRACT = '(plan, again) => globalThis.__pagespaceScrape.extract(plan, again)';
/** Closed shadow trees in closed shadow trees are read this deep. */
const MOST_CLOSED_DEPTH = 4;

/**
 * Reads the page by the schema, in one call. Looks into shadow trees and the frames of the same process.
 * @param schema JSON Schema whose parts may have `selector` (CSS, inside the part's parent), `label` (words beside the value)
 *   and `attribute`; `{"price": {"type": "number", "selector": ".price"}}`; a list is `{"type": "array", "selector": ".row", "items": …}`
 * @param signal ends the judging early
 * @throws Failure VALIDATION_ERROR when the schema is none or takes too long to judge by; OPERATION_TIMEOUT, BROWSER_CRASHED
 */
export async function extractPage(world: World, schema: Json, signal: AbortSignal): Promise<Extracted> {
  const wanted = extractSchema(schema);
  const { plan } = wanted;
  await world.install('scrape', inPageScript('scrape'));
  const read = async (again: boolean) =>
    JSON.parse(await world.call<string>(EXTRACT, plan as unknown as Json, again)) as ExtractAnswer;
  let answer = await read(false);
  for (let left = MOST_CLOSED_DEPTH; answer.hosts > 0 && left > 0; left--) {
    if (!(await adoptClosedTrees(world, answer.hosts))) break;
    answer = await read(true);
  }
  if (answer.badSelectors.length > 0)
    throw faultyExtract(
      answer.badSelectors.map(path => ({ path: below(path, 'selector'), message: 'is no CSS selector' })),
    );
  const value = coerce(answer.value, plan);
  return { value, errors: await judge(wanted, schema, value, signal), cut: answer.cut };
}

const below = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);
