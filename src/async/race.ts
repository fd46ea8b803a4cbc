/** The one way to stop waiting for a promise: after a time, on an abort signal, or on another event. */

/** Ends the wait with a result or an error. Only the first call has an effect. */
export interface Outcome<T> {
  resolve(value: T): void;
  reject(error: unknown): void;
}

/** A reason to stop waiting. Starts to watch for it. @returns a function that stops watching */
export type StopWhen<T> = (outcome: Outcome<T>) => () => void;

/**
 * Settles as `work` does, or as the first of `stops` if that happens earlier. A stop that has already happened wins
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

/** Waits until the first of `stops` happens. */
export const waitUntil = <T>(...stops: readonly StopWhen<T>[]): Promise<T> =>
  race(new Promise<never>(() => {}), ...stops);

/** Stops after `ms` milliseconds: with the value that `result` returns, or with the error that it throws. */
export function afterMs(ms: number): StopWhen<void>;
export function afterMs<T>(ms: number, result: () => T): StopWhen<T>;
export function afterMs(ms: number, result: () => unknown = () => {}): StopWhen<unknown> {
  return outcome => {
    const timer = setTimeout(() => settleWith(result, outcome), ms);
    return () => clearTimeout(timer);
  };
}

/**
 * Stops with an error when `signal` aborts, or immediately if it has already aborted.
 * @param error creates the error; default: the signal's reason
 * @param graceMs milliseconds between the abort and the stop; default 0
 */
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

/** Stops when the function that this adds to `listeners` is called. */
export const onCall =
  (listeners: Set<() => void>): StopWhen<void> =>
  ({ resolve }) => {
    listeners.add(resolve);
    return () => listeners.delete(resolve);
  };

/** Ends the wait with the value that `result` returns, or with the error that it throws. */
export function settleWith<T>(result: () => T, { resolve, reject }: Outcome<T>): void {
  try {
    resolve(result());
  } catch (error) {
    reject(error);
  }
}
