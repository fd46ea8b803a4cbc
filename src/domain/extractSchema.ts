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
}

/**
 * Whether its selectors are CSS only a browser can tell; all else is judged here.
 * @param schema JSON Schema whose parts may have `selector`, `label` and `attribute`
 * @throws Failure VALIDATION_ERROR with the path of the fault, below `extract`
 */
export function extractSchema(schema: Json): ExtractSchema {
  try {
    const plan = planOf(schema);
    return { plan, validator: validatorOf(validationSchema(schema)) };
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
