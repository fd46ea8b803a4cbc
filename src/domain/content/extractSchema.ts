import { z } from 'zod';
import { Failure, type FieldError } from '../failure/failures.ts';
import type { Json } from '../json.ts';
import { type ExtractPlan, ExtractSchemaError, parseExtractPlan, toValidationSchema } from './extractPlan.ts';

export interface ExtractSchema {
  readonly plan: ExtractPlan;
  readonly validator: z.ZodType;
  /** True if validation takes time linear in the size of the values. Other schemas are validated in a worker thread. */
  readonly isLinear: boolean;
}

/** Maximum length of the schema as JSON, in UTF-16 units. A schema of 300 parts is shorter; parsing a megabyte takes a second. */
const MAX_SCHEMA_CHARACTERS = 50_000;

/** Parses the schema for `extract`, except the syntax of selectors. @throws Failure VALIDATION_ERROR with the path of the error, below `extract` */
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

/** Creates the failure VALIDATION_ERROR for a schema that is not valid. @param schemaErrors errors with paths relative to the schema */
export function extractSchemaFailure(schemaErrors: readonly FieldError[], cause?: unknown): Failure {
  const errors = schemaErrors.map(({ path, message }) => ({
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
    throw new ExtractSchemaError('', cause instanceof Error ? cause.message : 'is not a JSON Schema', cause);
  }
}

/** JSON Schema keywords that are validated in linear time. Any other keyword can contain a pattern, a reference or a choice. */
const LINEAR_KEYWORDS = new Set(
  (
    'type format required title description default examples deprecated $schema $id $comment ' +
    'minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems minProperties maxProperties'
  ).split(' '),
);
const MAX_LINEAR_ENUM_VALUES = 100;

function isLinear(schema: Json): boolean {
  if (schema === null || typeof schema !== 'object' || Array.isArray(schema)) return false;
  return Object.entries(schema).every(([keyword, value]: [string, Json]) => {
    if (keyword === 'items') return isLinear(value);
    if (keyword === 'properties') return Object.values(value ?? {}).every(isLinear);
    if (keyword === 'additionalProperties') return typeof value === 'boolean';
    if (keyword === 'enum') return Array.isArray(value) && value.length <= MAX_LINEAR_ENUM_VALUES;
    return LINEAR_KEYWORDS.has(keyword);
  });
}
