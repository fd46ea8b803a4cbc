/** A PDF's text, read in a thread of its own. */
import { Failure } from '../../../domain/failures.ts';
import { inThread, ThreadFailed } from '../inThread.ts';

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
  readonly cut: boolean;
}

/** Memory of the thread, in megabytes: a page of a usual paper takes a few. */
const MEMORY_MB = 512;

const UNREADABLE = 'The address answered a PDF that could not be read: it is broken, encrypted or too large.';

/** @throws Failure NAVIGATION_FAILED when the file cannot be read; the signal's reason */
export async function readPdf(body: Uint8Array, signal: AbortSignal): Promise<PdfText> {
  try {
    return await inThread(new URL('./pdfThread.ts', import.meta.url), body, { memoryMb: MEMORY_MB, signal });
  } catch (cause) {
    throw cause instanceof ThreadFailed ? new Failure('NAVIGATION_FAILED', UNREADABLE, { cause }) : cause;
  }
}
