/** Work on what a stranger wrote, in a thread of its own: however long it takes, nobody else waits. */
import { Worker } from 'node:worker_threads';

/** What the thread may take. */
export interface ThreadBounds {
  /** Memory of its values, in megabytes. */
  readonly memoryMb: number;
  /** Ends the thread early. */
  readonly signal: AbortSignal;
}

/** The thread ended without an answer: it threw, or its memory was used up. */
export class ThreadFailed extends Error {
  constructor(cause: unknown) {
    super('The thread gave no answer.', { cause });
    this.name = 'ThreadFailed';
  }
}

/**
 * Starts a module as a thread, and gives the one message that it posts. The thread has ended when this settles.
 * @param module gets `data` as its `workerData`
 * @throws ThreadFailed; the signal's reason
 */
export async function inThread<Answer>(
  module: URL,
  data: unknown,
  { memoryMb, signal }: ThreadBounds,
): Promise<Answer> {
  signal.throwIfAborted();
  const worker = new Worker(module, {
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    stdout: true,
    stderr: true,
  });
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  worker.once('message', resolve);
  worker.once('error', cause => reject(new ThreadFailed(cause)));
  worker.once('exit', code => reject(new ThreadFailed(`exit ${code}`)));
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', abort);
    await worker.terminate();
  }
}
