/** JSON and other texts, read at once where they are short. */
import { Failure } from '../../../domain/failures.ts';
import type { ScrapeRequest } from '../../../domain/scrapeRequest.ts';
import { runInWorker, WorkerFailed } from '../runInWorker.ts';
import { MAX_TEXT_BYTES, parseTextResource, type TextSource } from './parseTextResource.ts';
import type { ResourceContent } from './resourceContent.ts';

/** A longer text is read in a thread: to go through ten million characters takes tenths of a second. Bytes. */
const MAX_BYTES_ON_MAIN_THREAD = 500_000;
const WORKER_MEMORY_MB = 1_024;

/**
 * @param json whether it is called JSON
 * @throws Failure NAVIGATION_FAILED when the text cannot be read; the signal's reason
 */
export async function readTextResource(
  { contentType, body }: TextSource,
  json: boolean,
  request: ScrapeRequest,
  signal: AbortSignal,
): Promise<ResourceContent> {
  if (body.length <= MAX_BYTES_ON_MAIN_THREAD) return parseTextResource({ contentType, body }, json, request);
  // One byte more than is read tells that there was more.
  const source: TextSource = { contentType, body: body.subarray(0, MAX_TEXT_BYTES + 1) };
  const module = new URL('./textThread.ts', import.meta.url);
  try {
    return await runInWorker(module, { source, json, request }, { memoryMb: WORKER_MEMORY_MB, signal });
  } catch (cause) {
    throw cause instanceof WorkerFailed
      ? new Failure('NAVIGATION_FAILED', 'The address answered a text that could not be read.', { cause })
      : cause;
  }
}
