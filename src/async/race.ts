/** The one way to stop waiting for a promise: after a time, on an abort signal, or on another event. */

/** The functions that end a wait: with a result or with an error. Only the first call has an effect. */
export interface Outcome<T> {
  resolve(value: T): void;
  reject(error: unknown): void;
}

/** A condition that ends a wait, such as a timeout. Call it to watch for the condition. @returns a function that stops watching */
export type StopWhen<T> = (outcome: Outcome<T>) => () => void;

/**
 * Waits for `work`, but only until the first of `stops` happens. Settles as whichever comes first. A stop that has already happened wins
 * over finished work. `work` itself is not cancelled; its later error is ignored.
 * @example await race(page.title(), onAbort(signal), afterMs(5_000, () => ''))
 */
export async function race<T, S>(work: PromiseLike<T>, ...stops: readonly StopWhen<S>[]): Promise<T | S> {
  const { promise, resolve, reject } = Promise.withResolvers<T | S>();
  const watching = stops.map(stop => stop({ resolve, reject }));
  work.then(resolve, reject);
  try {
    return await promise;
  } finally {
    for (const stopWatching of watching) stopWatching();
  }
}

export const waitUntil = <T>(...stops: readonly StopWhen<T>[]): Promise<T> =>
  race(new Promise<never>(() => {}), ...stops);

/** Ends the wait after `ms` milliseconds: with the value that `result` returns, or with the error that it throws. */
export function afterMs(ms: number): StopWhen<void>;
export function afterMs<T>(ms: number, result: () => T): StopWhen<T>;
export function afterMs(ms: number, result: () => unknown = () => {}): StopWhen<unknown> {
  return outcome => {
    const timer = setTimeout(() => settleWith(result, outcome), ms);
    return () => clearTimeout(timer);
  };
}

/** Ends the wait with `error` (default: the signal's reason) `graceMs` after `signal` aborts, or at once if it has already aborted. */
export const onAbort =
  (signal: AbortSignal, error: () => unknown = () => signal.reason, graceMs = 0): StopWhen<never> =>
  ({ reject }) => {
    let timer: NodeJS.Timeout | undefined;
    const stop = () => {
      if (graceMs > 0) timer = setTimeout(() => reject(error()), graceMs);
      else reject(error());
    };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    return () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    };
  };

/** Adds a function to `listeners`, and ends the wait when that function is called. Removes it after the wait. */
export const onCall =
  (listeners: Set<() => void>): StopWhen<void> =>
  ({ resolve }) => {
    listeners.add(resolve);
    return () => listeners.delete(resolve);
  };

/** Calls `result` and ends a wait with the value that it returns, or with the error that it throws. */
export function settleWith<T>(result: () => T, { resolve, reject }: Outcome<T>): void {
  try {
    resolve(result());
  } catch (error) {
    reject(error);
  }
}

/** Returns whether `work` resolves. Never rejects. */
export const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );

const PING_INTERVAL_MS = 50;
/** Time between an answer of something and the next question to it. Milliseconds. */
const SILENCE_CHECK_INTERVAL_MS = 200;

/**
 * Ends a wait after `ms` milliseconds, of which the last `graceMs` pass only while the page answers. A page that answers no question is
 * left to `ScriptWatch` and to the deadline of the operation.
 * @param ping resolves or rejects when the page answers
 */
export const afterPageMs =
  <T>(ping: () => Promise<unknown>, ms: number, graceMs: number, result: () => T): StopWhen<T> =>
  outcome => {
    let left = graceMs;
    let isOver = false;
    const ask = (): void => {
      if (isOver) return;
      if (left <= 0) settleWith(result, outcome);
      else ping().then(answered, answered);
    };
    const answered = (): void => {
      left -= PING_INTERVAL_MS;
      if (!isOver) timer = setTimeout(ask, PING_INTERVAL_MS);
    };
    let timer = setTimeout(ask, Math.max(PING_INTERVAL_MS, ms - graceMs));
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  };

/** Ends a wait when `ask` has not answered for `ms` milliseconds in which the page answers `ping`. */
export const whenSilent =
  <T>(ask: () => Promise<unknown>, ping: () => Promise<unknown>, ms: number, result: () => T): StopWhen<T> =>
  outcome => {
    let isOver = false;
    let stopWaiting = (): void => {};
    const watch = (): void => {
      stopWaiting = afterPageMs(ping, ms, ms, result)(outcome);
      ask().then(answered, answered);
    };
    const answered = (): void => {
      stopWaiting();
      if (!isOver) timer = setTimeout(watch, SILENCE_CHECK_INTERVAL_MS);
    };
    let timer = setTimeout(watch, SILENCE_CHECK_INTERVAL_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
      stopWaiting();
    };
  };
