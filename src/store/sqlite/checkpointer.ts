/** Makes the checkpoints of the store in a thread, so that no commit waits for the disk. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Milliseconds after the opening of the store until the thread starts: a command that only reads a key does not need it. */
const START_DELAY_MS = 1_000;

/**
 * Starts the thread in a moment. If it fails, SQLite's own checkpoints go on in the thread of the writes.
 * @param path the SQLite file
 * @returns a function that ends the thread; idempotent
 */
export function startCheckpointer(path: string): () => Promise<void> {
  let worker: Worker | null = null;
  const timer = setTimeout(() => {
    worker = new Worker(new URL('./checkpointThread.ts', import.meta.url), { workerData: path });
    // The thread alone must not keep the process alive.
    worker.unref();
    worker.on('error', () => {});
  }, START_DELAY_MS);
  timer.unref();
  return async () => {
    clearTimeout(timer);
    const running = worker;
    worker = null;
    if (running === null || running.threadId === -1) return;
    const ended = once(running, 'exit');
    // Without this, a process with nothing else to do would end here.
    running.ref();
    running.postMessage('close');
    await ended;
  };
}
