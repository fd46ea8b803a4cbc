import { afterEach, expect, it, vi } from 'vitest';
import { runInWorker, WorkerFailed } from '../../../src/browser/scrape/runInWorker.ts';

const module = (source: string) => new URL(`data:text/javascript,${encodeURIComponent(source)}`);
const limits = { memoryMb: 64, signal: new AbortController().signal };

afterEach(() => {
  vi.useRealTimers();
});

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

it('runInWorker counts the time of a worker from the message that it is ready', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const begin = new Int32Array(new SharedArrayBuffer(4));
  const source = `import { parentPort, workerData } from 'node:worker_threads';
    Atomics.wait(workerData, 0, 0);
    parentPort.postMessage('ready');
    parentPort.postMessage('done');`;
  const working = runInWorker(module(source), begin, { ...limits, timeoutMs: 1_000 });
  vi.advanceTimersByTime(60_000);
  Atomics.store(begin, 0, 1);
  Atomics.notify(begin, 0);
  expect(await working).toBe('done');
});

it('runInWorker does not count the time in which the worker does not run', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const steps = new Int32Array(new SharedArrayBuffer(8));
  const source = `import { parentPort, workerData } from 'node:worker_threads';
    parentPort.postMessage('ready');
    Atomics.store(workerData, 0, 1);
    Atomics.wait(workerData, 1, 0);
    parentPort.postMessage('done');`;
  const working = runInWorker(module(source), steps, { ...limits, timeoutMs: 1_000 });
  await expect.poll(() => Atomics.load(steps, 0)).toBe(1);
  for (let passedMs = 0; passedMs < 9_000; passedMs += 100) {
    await new Promise(resolve => setImmediate(resolve));
    vi.advanceTimersByTime(100);
  }
  Atomics.store(steps, 1, 1);
  Atomics.notify(steps, 1);
  expect(await working).toBe('done');
});

it('runInWorker ends a worker that exceeds its processor time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const usedMs = new Int32Array(new SharedArrayBuffer(4));
  const source = `import { parentPort, workerData } from 'node:worker_threads';
    parentPort.postMessage('ready');
    for (;;) Atomics.store(workerData, 0, process.threadCpuUsage().user / 1_000);`;
  const working = runInWorker(module(source), usedMs, { ...limits, timeoutMs: 100 });
  let hasEnded = false;
  const end = () => {
    hasEnded = true;
  };
  working.then(end, end);
  // The clock moves on by the time that the worker has used.
  for (let seenMs = 0; !hasEnded; ) {
    await new Promise(resolve => setImmediate(resolve));
    const now = Atomics.load(usedMs, 0);
    if (now < seenMs + 100) continue;
    seenMs = now;
    vi.advanceTimersByTime(100);
  }
  await expect(working).rejects.toMatchObject({
    name: 'WorkerFailed',
    cause: 'more than 100 ms of processor time',
  });
});

it('runInWorker ends a worker that does not run for ten times its processor time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const source = `import { parentPort, workerData } from 'node:worker_threads';
    parentPort.postMessage('ready');
    Atomics.wait(workerData, 0, 0);`;
  const begin = new Int32Array(new SharedArrayBuffer(4));
  const working = runInWorker(module(source), begin, { ...limits, timeoutMs: 1_000 });
  let hasEnded = false;
  const end = () => {
    hasEnded = true;
  };
  working.then(end, end);
  while (!hasEnded) {
    await new Promise(resolve => setImmediate(resolve));
    vi.advanceTimersByTime(1_000);
  }
  await expect(working).rejects.toMatchObject({ name: 'WorkerFailed', cause: 'more than 10000 ms' });
});
