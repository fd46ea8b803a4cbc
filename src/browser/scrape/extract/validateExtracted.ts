/** Validates extracted values by the caller's schema. Both are untrusted, and a hostile schema can need endless time. */
import { type ExtractSchema, extractSchemaFailure } from '../../../domain/content/extractSchema.ts';
import type { ExtractError } from '../../../domain/content/scrape.ts';
import type { Json } from '../../../domain/json.ts';
import { runInWorker, WorkerFailed } from '../runInWorker.ts';
import { validationErrors } from './validationErrors.ts';

/** Maximum processor time of a validation in a worker that has started, in milliseconds. A usual schema takes a few. */
const VALIDATION_TIMEOUT_MS = 3_000;
const WORKER_MEMORY_MB = 256;

/**
 * Returns one error for each extracted value that is missing or does not match the caller's schema. Validates on the main
 * thread if the schema needs only linear time; in a worker if it has patterns, references or choices.
 * @param timeoutMs maximum processor time in the worker, without its start; it may take ten times as long
 * @throws Failure VALIDATION_ERROR when the worker takes longer or fails; the signal's reason
 */
export async function validateExtracted(
  { validator, isLinear }: ExtractSchema,
  schema: Json,
  value: Json,
  signal: AbortSignal,
  timeoutMs = VALIDATION_TIMEOUT_MS,
): Promise<readonly ExtractError[]> {
  if (isLinear) return validationErrors(validator, value);
  const module = new URL('./validationWorker.ts', import.meta.url);
  try {
    return await runInWorker(module, { schema, value }, { memoryMb: WORKER_MEMORY_MB, signal, timeoutMs });
  } catch (cause) {
    if (signal.aborted || !(cause instanceof WorkerFailed)) throw cause;
    throw extractSchemaFailure([{ path: '', message: TOO_SLOW }], cause);
  }
}

const TOO_SLOW =
  'takes too long to validate the values of the page: simplify a pattern that backtracks, or references that multiply';
