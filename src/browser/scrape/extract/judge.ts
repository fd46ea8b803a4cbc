/** What was read, judged by the caller's schema: both are a stranger's, and a schema can ask for any amount of work. */
import { type ExtractSchema, faultyExtract } from '../../../domain/extractSchema.ts';
import type { ExtractError, Json } from '../../../domain/page.ts';
import { inThread, ThreadFailed } from '../inThread.ts';
import { schemaErrors } from './schemaErrors.ts';

/** An honest schema takes a few; most of the time is the thread's start. Milliseconds. */
const PATIENCE_MS = 3_000;
const MEMORY_MB = 256;

/**
 * Judged at once where the schema says only what takes no time; in a thread where it has patterns, references or choices.
 * @throws Failure VALIDATION_ERROR when the schema asks for more work than anybody waits for; the signal's reason
 */
export async function judge(
  { validator, quick }: ExtractSchema,
  schema: Json,
  value: Json,
  signal: AbortSignal,
  patienceMs = PATIENCE_MS,
): Promise<readonly ExtractError[]> {
  if (quick) return schemaErrors(validator, value);
  const late = AbortSignal.timeout(patienceMs);
  const module = new URL('./judgeThread.ts', import.meta.url);
  const bounds = { memoryMb: MEMORY_MB, signal: AbortSignal.any([signal, late]) };
  try {
    return await inThread(module, { schema, value }, bounds);
  } catch (cause) {
    if (signal.aborted || !(late.aborted || cause instanceof ThreadFailed)) throw cause;
    throw faultyExtract([{ path: '', message: TOO_MUCH }], cause);
  }
}

const TOO_MUCH =
  'takes too long to judge what the page has: a pattern that can match in very many ways, or references that multiply';
