/** Clean markup to Markdown, in a thread where it is long. */
import { Failure } from '../../domain/failures.ts';
import { inThread, ThreadFailed } from './inThread.ts';
import { markdownOf } from './markdownOf.ts';

/** Ten million characters take most of a second, and all sessions would wait. Characters. */
const MOST_AT_ONCE = 500_000;
const MEMORY_MB = 1_024;

/**
 * @param html sanitised, with absolute addresses
 * @throws Failure NAVIGATION_FAILED when it cannot be done; the signal's reason
 */
export async function toMarkdown(html: string, signal: AbortSignal): Promise<string> {
  if (html.length <= MOST_AT_ONCE) return markdownOf(html);
  const module = new URL('./markdownThread.ts', import.meta.url);
  try {
    return await inThread(module, html, { memoryMb: MEMORY_MB, signal });
  } catch (cause) {
    throw cause instanceof ThreadFailed
      ? new Failure('NAVIGATION_FAILED', 'No Markdown could be made of the page.', { cause })
      : cause;
  }
}
