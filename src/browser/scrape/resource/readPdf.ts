/** A PDF's text, read in a thread of its own. */
import { Failure } from '../../../domain/failures.ts';
import { runInWorker, WorkerFailed } from '../runInWorker.ts';

export interface PdfText {
  /** Blocks of text by page. */
  readonly pages: readonly (readonly string[])[];
  /** Absolute web addresses, each once. */
  readonly links: readonly string[];
  readonly title: string | null;
  readonly author: string | null;
  /** ISO 8601. */
  readonly created: string | null;
  readonly language: string | null;
  /** Whether there was more than is read. */
  readonly truncated: boolean;
}

/** Memory of the thread, in megabytes: a page of a usual paper takes a few. */
const WORKER_MEMORY_MB = 512;

const UNREADABLE_DETAIL =
  'The address answered a PDF that could not be read: it is broken, encrypted or too large.';

/** @throws Failure NAVIGATION_FAILED when the file cannot be read; the signal's reason */
export async function readPdf(body: Uint8Array, signal: AbortSignal): Promise<PdfText> {
  try {
    return await runInWorker(new URL('./pdfThread.ts', import.meta.url), body, {
      memoryMb: WORKER_MEMORY_MB,
      signal,
    });
  } catch (cause) {
    throw cause instanceof WorkerFailed
      ? new Failure('NAVIGATION_FAILED', UNREADABLE_DETAIL, { cause })
      : cause;
  }
}
