/** Async iterables that can be ended while they wait for their next value. */

/**
 * Wraps a generator so that `return()` ends it at once. The generator's own `return()` first waits for the pending value,
 * which may never come.
 * @param cancel ends the source that the generator waits for; called one or more times
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

/** The iterable's values, each put through `map`; a promise that it answers is waited for. */
export function mapIterable<Value, Mapped>(
  source: AsyncIterable<Value>,
  map: (value: Value) => Mapped | Promise<Mapped>,
): AsyncIterableIterator<Mapped> {
  const values = source[Symbol.asyncIterator]();
  const finished: IteratorReturnResult<undefined> = { done: true, value: undefined };
  const step = async (result: Promise<IteratorResult<Value>>): Promise<IteratorResult<Mapped>> => {
    const { done, value } = await result;
    return done ? finished : { done: false, value: await map(value) };
  };
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next: () => step(values.next()),
    return: async () => (values.return ? step(values.return()) : finished),
    throw: async error => {
      if (values.throw) return step(values.throw(error));
      throw error;
    },
  };
}
