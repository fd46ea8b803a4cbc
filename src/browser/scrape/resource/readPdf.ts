/** Reads the text of a PDF in a worker. */
import { Failure } from '../../../domain/failure/failures.ts';
import { runInWorker, WorkerFailed } from '../runInWorker.ts';

export interface PdfText {
  /** The text of each page, as a list of blocks. */
  readonly pages: readonly (readonly string[])[];
  /** The URLs of the links (http, https, mailto) without duplicates. */
  readonly links: readonly string[];
  readonly title: string | null;
  readonly author: string | null;
  /** When the PDF was created, as ISO 8601; null if it does not say. */
  readonly created: string | null;
  readonly language: string | null;
  /** True if a limit cut the text or the links. */
  readonly isTruncated: boolean;
}

/** Maximum memory of the worker, in megabytes. A page of a usual paper takes a few. */
const WORKER_MEMORY_MB = 512;

const UNREADABLE_DETAIL =
  'The URL returned a PDF that could not be read: it is broken, encrypted or too large.';

/** @throws Failure NAVIGATION_FAILED when the file cannot be read; the signal's reason, which also terminates the worker */
export async function readPdf(body: Uint8Array, signal: AbortSignal): Promise<PdfText> {
  try {
    return await runInWorker(new URL('./pdfWorker.ts', import.meta.url), body, {
      memoryMb: WORKER_MEMORY_MB,
      signal,
    });
  } catch (cause) {
    throw cause instanceof WorkerFailed
      ? new Failure('NAVIGATION_FAILED', UNREADABLE_DETAIL, { cause })
      : cause;
  }
}
