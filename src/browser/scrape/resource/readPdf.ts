/** Reads the text of a PDF in a worker. */
import { Failure } from '../../../domain/failures.ts';
import { runInWorker, WorkerFailed } from '../runInWorker.ts';

/** The text and metadata of a PDF. */
export interface PdfText {
  /** The text of each page, as a list of blocks. */
  readonly pages: readonly (readonly string[])[];
  /** Absolute URLs without duplicates. */
  readonly links: readonly string[];
  readonly title: string | null;
  readonly author: string | null;
  /** ISO 8601. */
  readonly created: string | null;
  readonly language: string | null;
  /** True if a limit cut the text or the links. */
  readonly isTruncated: boolean;
}

/** A page of a usual paper takes a few megabytes. */
const WORKER_MEMORY_MB = 512;

const UNREADABLE_DETAIL =
  'The URL returned a PDF that could not be read: it is broken, encrypted or too large.';

/** @throws Failure NAVIGATION_FAILED when the file cannot be read; the signal's reason */
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
