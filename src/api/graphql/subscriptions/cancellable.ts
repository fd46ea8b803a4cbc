/** Async iterables that can be ended while they wait. */

/**
 * A generator's own `return()` waits for the value that it waits for, which may never come.
 * This one first ends what the generator waits for.
 * @param cancel makes the generator's source end; called once or more
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
