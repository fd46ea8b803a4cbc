/** Converts HTML to Markdown, including tables. Converts long HTML in a worker. */
import { Failure } from '../../domain/failure/failures.ts';
import { htmlToMarkdownSync } from './htmlToMarkdownSync.ts';
import { runInWorker, WorkerFailed } from './runInWorker.ts';

/**
 * Maximum length of HTML that is converted on the main thread. A million characters take about 12 ms there; the start of a worker takes
 * 50 ms of processor time, but longer HTML would delay every session.
 */
const MAX_CHARACTERS_ON_MAIN_THREAD = 1_000_000;
const WORKER_MEMORY_MB = 1_024;

/**
 * Converts HTML to Markdown, in a worker if the HTML is long.
 * @param html sanitized, with absolute URLs
 * @param signal ends the conversion in the worker
 * @throws Failure NAVIGATION_FAILED when the conversion fails; the signal's reason
 */
export async function htmlToMarkdown(html: string, signal: AbortSignal): Promise<string> {
  if (html.length <= MAX_CHARACTERS_ON_MAIN_THREAD) return htmlToMarkdownSync(html);
  const module = new URL('./htmlToMarkdownWorker.ts', import.meta.url);
  try {
    return await runInWorker(module, html, { memoryMb: WORKER_MEMORY_MB, signal });
  } catch (cause) {
    throw cause instanceof WorkerFailed
      ? new Failure('NAVIGATION_FAILED', 'The page could not be converted to Markdown.', { cause })
      : cause;
  }
}
