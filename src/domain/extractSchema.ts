/** A caller's schema for `extract`, judged before any page is opened. */
import { z } from 'zod';
import { type ExtractPlan, ExtractSchemaError, parseExtractPlan, toValidationSchema } from './extractPlan.ts';
import { Failure, type FieldError } from './failures.ts';
import type { Json } from './json.ts';

export interface ExtractSchema {
  /** What the page reads. */
  readonly plan: ExtractPlan;
  /** Judges what was read. */
  readonly validator: z.ZodType;
  /** Whether judging takes time in proportion to what is judged, and no more. */
  readonly isLinear: boolean;
}

/** As JSON text. A schema of 300 parts has less; to read a megabyte of one takes a second. Characters. */
const MAX_SCHEMA_CHARACTERS = 50_000;

/**
 * Whether its selectors are CSS only a browser can tell; all else is judged here.
 * @param schema JSON Schema whose parts may have `selector`, `label` and `attribute`
 * @throws Failure VALIDATION_ERROR with the path of the fault, below `extract`
 */
export function parseExtractSchema(schema: Json): ExtractSchema {
  try {
    if (JSON.stringify(schema).length > MAX_SCHEMA_CHARACTERS)
      throw new ExtractSchemaError(
        '',
        `is longer than ${MAX_SCHEMA_CHARACTERS.toLocaleString('en')} characters`,
      );
    const plan = parseExtractPlan(schema);
    const validation = toValidationSchema(schema);
    return { plan, validator: toValidator(validation), isLinear: isLinear(validation) };
  } catch (cause) {
    if (!(cause instanceof ExtractSchemaError)) throw cause;
    throw extractSchemaFailure([{ path: cause.path, message: cause.message }], cause);
  }
}

/** The failure of a schema with these faults; their paths are the schema's own. */
export function extractSchemaFailure(faults: readonly FieldError[], cause?: unknown): Failure {
  const errors = faults.map(({ path, message }) => ({
    path: path === '' ? 'extract' : `extract.${path}`,
    message,
  }));
  const detail = errors.map(({ path, message }) => `${path} ${message}`).join('; ');
  return new Failure('VALIDATION_ERROR', `The schema cannot be used: ${detail}.`, { errors, cause });
}

function toValidator(schema: Json): z.ZodType {
  try {
    return z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
  } catch (cause) {
    throw new ExtractSchemaError('', cause instanceof Error ? cause.message : 'is no JSON Schema', cause);
  }
}

/** All else may hold a caller's pattern, refer to itself, or branch. */
const LINEAR_KEYWORDS = new Set(
  (
    'type format required title description default examples deprecated $schema $id $comment ' +
    'minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems minProperties maxProperties'
  ).split(' '),
);
const MAX_LINEAR_ENUM_VALUES = 100;

function isLinear(schema: Json): boolean {
  if (schema === null || typeof schema !== 'object' || Array.isArray(schema)) return false;
  return Object.entries(schema).every(([word, said]: [string, Json]) => {
    if (word === 'items') return isLinear(said);
    if (word === 'properties') return Object.values(said ?? {}).every(isLinear);
    if (word === 'additionalProperties') return typeof said === 'boolean';
    if (word === 'enum') return Array.isArray(said) && said.length <= MAX_LINEAR_ENUM_VALUES;
    return LINEAR_KEYWORDS.has(word);
  });
}
