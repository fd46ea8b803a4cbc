/** JSON and other texts, read at once where they are short. */
import { Failure } from '../../../domain/failures.ts';
import type { ScrapeRequest } from '../../../domain/page.ts';
import { inThread, ThreadFailed } from '../inThread.ts';
import type { Parts } from './parts.ts';
import { MOST_TEXT_BYTES, type Text, textParts } from './textParts.ts';

/** A longer text is read in a thread: to go through ten million characters takes tenths of a second. Bytes. */
const MOST_AT_ONCE = 500_000;
const MEMORY_MB = 1_024;

/**
 * @param json whether it is called JSON
 * @throws Failure NAVIGATION_FAILED when the text cannot be read; the signal's reason
 */
export async function readText(
  { contentType, body }: Text,
  json: boolean,
  request: ScrapeRequest,
  signal: AbortSignal,
): Promise<Parts> {
  if (body.length <= MOST_AT_ONCE) return textParts({ contentType, body }, json, request);
  // One byte more than is read tells that there was more.
  const source: Text = { contentType, body: body.subarray(0, MOST_TEXT_BYTES + 1) };
  const module = new URL('./textThread.ts', import.meta.url);
  try {
    return await inThread(module, { source, json, request }, { memoryMb: MEMORY_MB, signal });
  } catch (cause) {
    throw cause instanceof ThreadFailed
      ? new Failure('NAVIGATION_FAILED', 'The address answered a text that could not be read.', { cause })
      : cause;
  }
}
