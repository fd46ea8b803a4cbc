/** Clean markup to Markdown, in a thread where it is long. */
import { Failure } from '../../domain/failures.ts';
import { htmlToMarkdownSync } from './htmlToMarkdownSync.ts';
import { runInWorker, WorkerFailed } from './runInWorker.ts';

/** Ten million characters take most of a second, and all sessions would wait. Characters. */
const MAX_CHARACTERS_ON_MAIN_THREAD = 500_000;
const WORKER_MEMORY_MB = 1_024;

/**
 * @param html sanitised, with absolute addresses
 * @throws Failure NAVIGATION_FAILED when it cannot be done; the signal's reason
 */
export async function htmlToMarkdown(html: string, signal: AbortSignal): Promise<string> {
  if (html.length <= MAX_CHARACTERS_ON_MAIN_THREAD) return htmlToMarkdownSync(html);
  const module = new URL('./markdownThread.ts', import.meta.url);
  try {
    return await runInWorker(module, html, { memoryMb: WORKER_MEMORY_MB, signal });
  } catch (cause) {
    throw cause instanceof WorkerFailed
      ? new Failure('NAVIGATION_FAILED', 'No Markdown could be made of the page.', { cause })
      : cause;
  }
}
