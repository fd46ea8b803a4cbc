/** A caller's schema for `extract`, judged before any page is opened. */
import { z } from 'zod';
import { type ExtractPlan, planOf, SchemaFault, validationSchema } from './extractPlan.ts';
import { Failure, type FieldFault } from './failures.ts';
import type { Json } from './page.ts';

export interface ExtractSchema {
  /** What the page reads. */
  readonly plan: ExtractPlan;
  /** Judges what was read. */
  readonly validator: z.ZodType;
  /** Whether judging takes time in proportion to what is judged, and no more. */
  readonly quick: boolean;
}

/** As JSON text. A schema of 300 parts has less; to read a megabyte of one takes a second. Characters. */
const LONGEST_SCHEMA = 50_000;

/**
 * Whether its selectors are CSS only a browser can tell; all else is judged here.
 * @param schema JSON Schema whose parts may have `selector`, `label` and `attribute`
 * @throws Failure VALIDATION_ERROR with the path of the fault, below `extract`
 */
export function extractSchema(schema: Json): ExtractSchema {
  try {
    if (JSON.stringify(schema).length > LONGEST_SCHEMA)
      throw new SchemaFault('', `is longer than ${LONGEST_SCHEMA.toLocaleString('en')} characters`);
    const plan = planOf(schema);
    const validation = validationSchema(schema);
    return { plan, validator: validatorOf(validation), quick: isQuick(validation) };
  } catch (cause) {
    if (!(cause instanceof SchemaFault)) throw cause;
    throw faultyExtract([{ path: cause.path, message: cause.message }], cause);
  }
}

/** The failure of a schema with these faults; their paths are the schema's own. */
export function faultyExtract(faults: readonly FieldFault[], cause?: unknown): Failure {
  const errors = faults.map(({ path, message }) => ({
    path: path === '' ? 'extract' : `extract.${path}`,
    message,
  }));
  const said = errors.map(({ path, message }) => `${path} ${message}`).join('; ');
  return new Failure('VALIDATION_ERROR', `The schema cannot be used: ${said}.`, { errors, cause });
}

function validatorOf(schema: Json): z.ZodType {
  try {
    return z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
  } catch (cause) {
    throw new SchemaFault('', cause instanceof Error ? cause.message : 'is no JSON Schema', cause);
  }
}

/** All else may hold a caller's pattern, refer to itself, or branch. */
const QUICK_WORDS = new Set(
  (
    'type format required title description default examples deprecated $schema $id $comment ' +
    'minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems minProperties maxProperties'
  ).split(' '),
);
const MOST_QUICK_CHOICES = 100;

function isQuick(schema: Json): boolean {
  if (schema === null || typeof schema !== 'object' || Array.isArray(schema)) return false;
  return Object.entries(schema).every(([word, said]: [string, Json]) => {
    if (word === 'items') return isQuick(said);
    if (word === 'properties') return Object.values(said ?? {}).every(isQuick);
    if (word === 'additionalProperties') return typeof said === 'boolean';
    if (word === 'enum') return Array.isArray(said) && said.length <= MOST_QUICK_CHOICES;
    return QUICK_WORDS.has(word);
  });
}
