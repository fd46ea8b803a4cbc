/** Work on what a stranger wrote, in a thread of its own: however long it takes, nobody else waits. */
import { Worker } from 'node:worker_threads';
import { onAbort, race } from '../../async/race.ts';

/** What the thread may take. */
export interface WorkerLimits {
  /** Memory of its values and, as far as it is seen in time, of its buffers, in megabytes. */
  readonly memoryMb: number;
  /** Ends the thread early. */
  readonly signal: AbortSignal;
}

/** The limits of a thread do not count its buffers, in which a file of three megabytes unpacks to gigabytes. Milliseconds. */
const BUFFER_POLL_INTERVAL_MS = 100;

/** The thread ended without an answer: it threw, or its memory was used up. */
export class WorkerFailed extends Error {
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
export async function runInWorker<Answer>(
  module: URL,
  data: unknown,
  { memoryMb, signal }: WorkerLimits,
): Promise<Answer> {
  signal.throwIfAborted();
  const worker = new Worker(module, {
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    stdout: true,
    stderr: true,
  });
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  worker.once('message', resolve);
  worker.once('error', cause => reject(new WorkerFailed(cause)));
  worker.once('exit', code => reject(new WorkerFailed(`exit ${code}`)));
  const bufferPoll = setInterval(() => {
    worker.getHeapStatistics().then(
      ({ external_memory: buffers }) => {
        if (buffers > memoryMb * 1_000_000) reject(new WorkerFailed(`buffers of ${buffers} bytes`));
      },
      // It has ended, which tells itself.
      () => {},
    );
  }, BUFFER_POLL_INTERVAL_MS);
  try {
    return await race(promise, onAbort(signal));
  } finally {
    clearInterval(bufferPoll);
    await worker.terminate();
  }
}
