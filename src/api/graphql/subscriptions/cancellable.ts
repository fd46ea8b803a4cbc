/** Async iterables that can be ended while they wait for their next value. */

/**
 * Wraps a generator so that `return()` ends it immediately. The generator's own `return()` first waits for the pending
 * value, which may never arrive.
 * @param cancel ends the source of values for which the generator waits; can be called several times
 */
export function cancellable<Value>(
  generator: AsyncGenerator<Value, void, undefined>,
  cancel: () => void,
): AsyncIterableIterator<Value> {
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next: () => generator.next(),
    return: () => {
      cancel();
      return generator.return();
    },
    throw: error => {
      cancel();
      return generator.throw(error);
    },
  };
}
