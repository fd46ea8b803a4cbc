/** Runs work on untrusted input in a worker thread, so that it cannot block the service or use up its memory. */
import { Worker } from 'node:worker_threads';
import { afterMs, onAbort, type StopWhen, waitUntil } from '../../async/race.ts';

export interface WorkerLimits {
  /** Maximum size of the heap, and also of the buffers outside of the heap, in megabytes. */
  readonly memoryMb: number;
  readonly signal: AbortSignal;
  /**
   * Maximum processor time of the work itself, in milliseconds; the work may take ten times as long. The worker posts a message of any
   * kind when it has loaded its modules, and both times count from then: on a busy machine a thread can need seconds to start, and its
   * result seconds to be received. Without it, only `signal` limits the time.
   */
  readonly timeoutMs?: number;
}

/**
 * Time between two checks of the size of a worker's buffers. Node's resource limits do not count buffers, and a file of
 * 3 MB can unpack to gigabytes of them.
 */
const BUFFER_POLL_INTERVAL_MS = 100;

/**
 * Maximum size of the part of a worker's heap in which objects begin, in megabytes. Node ends a worker at its limit, but the whole process if one
 * collection moves more than 16 MB beyond it; the default size of this part is 32 MB or more.
 */
const YOUNG_GENERATION_MB = 8;

/** Maximum time of the work, as a multiple of its processor time: others can take the processors meanwhile. */
const MAX_TIMES_AS_LONG = 10;
/** Minimum time between two checks of the processor time of a worker, in milliseconds. */
const MIN_CHECK_INTERVAL_MS = 10;

/** Thrown if a worker ended without a result: it threw, or it exceeded its memory or its time. */
export class WorkerFailed extends Error {
  constructor(cause: unknown) {
    super('The worker returned no result.', { cause });
    this.name = 'WorkerFailed';
  }
}

/**
 * Starts a module as a worker thread and returns the one message that it posts; with `timeoutMs`, the second. When the promise
 * settles, the worker has ended.
 * @param module the module to run; it receives `data` as its `workerData`
 * @throws WorkerFailed; the signal's reason
 */
export async function runInWorker<Result>(
  module: URL,
  data: unknown,
  { memoryMb, signal, timeoutMs }: WorkerLimits,
): Promise<Result> {
  signal.throwIfAborted();
  const worker = new Worker(module, {
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    stdout: true,
    stderr: true,
  });
  try {
    return await waitUntil<Result>(
      ...(timeoutMs === undefined
        ? [onResult<Result>(worker, 1)]
        : [onResult<Result>(worker, 2), onTimeLimit(worker, timeoutMs)]),
      onAbort(signal),
      onBufferLimit(worker, memoryMb * 1_000_000),
    );
  } finally {
    await worker.terminate();
  }
}

/** @param last the number of the message that is the result */
const onResult =
  <Result>(worker: Worker, last: number): StopWhen<Result> =>
  ({ resolve, reject }) => {
    let messages = 0;
    worker.on('message', message => {
      messages += 1;
      if (messages === last) resolve(message);
    });
    worker.once('error', cause => reject(new WorkerFailed(cause)));
    worker.once('exit', code => reject(new WorkerFailed(`exit ${code}`)));
    // The listeners are removed with the worker.
    return () => {};
  };

const onTimeLimit =
  (worker: Worker, timeoutMs: number): StopWhen<never> =>
  outcome => {
    let stops: readonly (() => void)[] = [];
    const start = (): void => {
      const totalMs = timeoutMs * MAX_TIMES_AS_LONG;
      const total = afterMs(totalMs, () => {
        throw new WorkerFailed(`more than ${totalMs} ms`);
      });
      stops = [total(outcome), onProcessorTime(worker, timeoutMs)(outcome)];
    };
    worker.once('message', start);
    return () => {
      worker.off('message', start);
      for (const stop of stops) stop();
    };
  };

/** Ends the wait when the worker has used this much processor time from now on, in milliseconds. */
const onProcessorTime =
  (worker: Worker, maxMs: number): StopWhen<never> =>
  ({ reject }) => {
    let stop = (): void => {};
    let hasStopped = false;
    const check = async (before?: NodeJS.CpuUsage): Promise<void> => {
      const { user, system } = await worker.cpuUsage(before);
      const leftMs = before === undefined ? maxMs : maxMs - (user + system) / 1_000;
      if (leftMs <= 0) reject(new WorkerFailed(`more than ${maxMs} ms of processor time`));
      else if (!hasStopped) {
        const next = () => checkAgain(before ?? { user, system });
        stop = afterMs(Math.max(leftMs, MIN_CHECK_INTERVAL_MS), next)({ resolve: () => {}, reject });
      }
    };
    // The worker has already ended, and its exit event reports that.
    const checkAgain = (before?: NodeJS.CpuUsage): void => void check(before).catch(() => {});
    checkAgain();
    return () => {
      hasStopped = true;
      stop();
    };
  };

const onBufferLimit =
  (worker: Worker, maxBytes: number): StopWhen<never> =>
  ({ reject }) => {
    const poll = setInterval(() => {
      worker.getHeapStatistics().then(
        ({ external_memory: bytes }) => {
          if (bytes > maxBytes) reject(new WorkerFailed(`buffers of ${bytes} bytes`));
        },
        // The worker has already ended, and its exit event reports that.
        () => {},
      );
    }, BUFFER_POLL_INTERVAL_MS);
    return () => clearInterval(poll);
  };
