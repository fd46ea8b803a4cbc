import { expect, it } from 'vitest';
import { runInWorker, WorkerFailed } from '../../../src/browser/scrape/runInWorker.ts';

const module = (source: string) => new URL(`data:text/javascript,${encodeURIComponent(source)}`);
const limits = { memoryMb: 64, signal: new AbortController().signal };

it('runInWorker ends a worker that exceeds its memory, in values or in buffers', async () => {
  const values = 'const kept = []; for (;;) kept.push(new Array(10_000).fill(0.5));';
  const buffers =
    'const kept = []; for (let left = 40; left > 0; left--) kept.push(new Uint8Array(10_000_000).fill(1)); for (;;);';
  for (const source of [values, buffers])
    await expect(runInWorker(module(source), null, limits)).rejects.toBeInstanceOf(WorkerFailed);
});

it('runInWorker returns the message of the worker', async () => {
  const source = `import { parentPort, workerData } from 'node:worker_threads'; parentPort.postMessage(workerData + 1)`;
  expect(await runInWorker(module(source), 1, limits)).toBe(2);
});
