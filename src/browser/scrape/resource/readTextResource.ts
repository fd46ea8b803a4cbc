/** Reads JSON and other text: short text on the main thread, long text in a worker. */

import type { ContentSelection } from '../../../domain/content/scrape.ts';
import { Failure } from '../../../domain/failure/failures.ts';
import { runInWorker, WorkerFailed } from '../runInWorker.ts';
import { MAX_TEXT_BYTES, parseTextResource, type TextSource } from './parseTextResource.ts';
import type { ResourceContent } from './resourceContent.ts';

/** Maximum size of text that is read on the main thread. Longer text is read in a worker: 10 million characters take tenths of a second. */
const MAX_BYTES_ON_MAIN_THREAD = 500_000;
const WORKER_MEMORY_MB = 1_024;

/**
 * Decodes JSON or other text and makes its content parts, in a worker if the text is long.
 * @throws Failure NAVIGATION_FAILED when the text cannot be read; the signal's reason
 */
export async function readTextResource(
  { contentType, body }: TextSource,
  isJson: boolean,
  request: ContentSelection,
  signal: AbortSignal,
): Promise<ResourceContent> {
  if (body.length <= MAX_BYTES_ON_MAIN_THREAD)
    return parseTextResource({ contentType, body }, isJson, request);
  // Send one byte more than the limit: it shows the worker that the text is longer.
  const source: TextSource = { contentType, body: body.subarray(0, MAX_TEXT_BYTES + 1) };
  const module = new URL('./textResourceWorker.ts', import.meta.url);
  try {
    return await runInWorker(module, { source, isJson, request }, { memoryMb: WORKER_MEMORY_MB, signal });
  } catch (cause) {
    throw cause instanceof WorkerFailed
      ? new Failure('NAVIGATION_FAILED', 'The URL returned text that could not be read.', { cause })
      : cause;
  }
}
