/** Structured data of a page by a caller's schema. */
import type { z } from 'zod';
import { extractSchema, faultyExtract } from '../../../domain/extractSchema.ts';
import { issueInWords } from '../../../domain/issueInWords.ts';
import type { ExtractError, Json } from '../../../domain/page.ts';
import { inPageScript } from '../../inPageScript.ts';
import type { World } from '../../world.ts';
import type { ExtractAnswer } from '../answer.ts';
import { adoptClosedTrees } from '../closedTrees.ts';
import { coerce } from './coerce.ts';

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
 * @throws Failure VALIDATION_ERROR when the schema is none; OPERATION_TIMEOUT, BROWSER_CRASHED
 */
export async function extractPage(world: World, schema: Json): Promise<Extracted> {
  const { plan, validator } = extractSchema(schema);
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
  return { value, errors: errorsOf(validator, value), cut: answer.cut };
}

const below = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** A part that was not found and is not required is no error. */
function errorsOf(validator: z.ZodType, value: Json): ExtractError[] {
  const checkedValue = validator.safeParse(withoutNulls(value));
  if (checkedValue.success) return [];
  return checkedValue.error.issues.map(issue => ({
    path: issue.path.join('.'),
    message: issueInWords(issue),
  }));
}

function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(withoutNulls);
  if (value === null || typeof value !== 'object') return value;
  const kept = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutNulls(inner)]));
}
