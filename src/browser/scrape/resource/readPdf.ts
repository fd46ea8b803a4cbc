/** A PDF's text, read in a thread of its own. */
import { Worker } from 'node:worker_threads';
import { Failure } from '../../../domain/failures.ts';

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

/**
 * The thread ends with the reading or with the signal, whichever comes first.
 * @throws Failure NAVIGATION_FAILED when the file cannot be read; the signal's reason
 */
export async function readPdf(body: Uint8Array, signal: AbortSignal): Promise<PdfText> {
  signal.throwIfAborted();
  const worker = new Worker(new URL('./pdfThread.ts', import.meta.url), {
    workerData: body,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    stdout: true,
    stderr: true,
  });
  const { promise, resolve, reject } = Promise.withResolvers<PdfText>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  worker.once('message', resolve);
  worker.once('error', cause => reject(new Failure('NAVIGATION_FAILED', UNREADABLE, { cause })));
  worker.once('exit', code =>
    reject(new Failure('NAVIGATION_FAILED', UNREADABLE, { cause: `exit ${code}` })),
  );
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', abort);
    await worker.terminate();
  }
}
