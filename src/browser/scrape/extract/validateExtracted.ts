/** What was read, judged by the caller's schema: both are a stranger's, and a schema can ask for any amount of work. */
import { type ExtractSchema, extractSchemaFailure } from '../../../domain/extractSchema.ts';
import type { Json } from '../../../domain/json.ts';
import type { ExtractError } from '../../../domain/scrapedData.ts';
import { runInWorker, WorkerFailed } from '../runInWorker.ts';
import { validationErrors } from './validationErrors.ts';

/** An honest schema takes a few; most of the time is the thread's start. Milliseconds. */
const VALIDATION_TIMEOUT_MS = 3_000;
const WORKER_MEMORY_MB = 256;

/**
 * Judged at once where the schema says only what takes no time; in a thread where it has patterns, references or choices.
 * @throws Failure VALIDATION_ERROR when the schema asks for more work than anybody waits for; the signal's reason
 */
export async function validateExtracted(
  { validator, isLinear }: ExtractSchema,
  schema: Json,
  value: Json,
  signal: AbortSignal,
  timeoutMs = VALIDATION_TIMEOUT_MS,
): Promise<readonly ExtractError[]> {
  if (isLinear) return validationErrors(validator, value);
  const timeout = AbortSignal.timeout(timeoutMs);
  const module = new URL('./judgeThread.ts', import.meta.url);
  const limits = { memoryMb: WORKER_MEMORY_MB, signal: AbortSignal.any([signal, timeout]) };
  try {
    return await runInWorker(module, { schema, value }, limits);
  } catch (cause) {
    if (signal.aborted || !(timeout.aborted || cause instanceof WorkerFailed)) throw cause;
    throw extractSchemaFailure([{ path: '', message: TOO_SLOW }], cause);
  }
}

const TOO_SLOW =
  'takes too long to judge what the page has: a pattern that can match in very many ways, or references that multiply';
