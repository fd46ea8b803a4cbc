/** Async iterables that can be ended while they wait. */

/**
 * A generator's own `return()` waits for the value that it waits for, which may never come.
 * This one first ends what the generator waits for.
 * @param end makes the generator's source end; called once or more
 */
export function endable<Value>(
  generator: AsyncGenerator<Value, void, undefined>,
  end: () => void,
): AsyncIterableIterator<Value> {
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next: () => generator.next(),
    return: () => {
      end();
      return generator.return();
    },
    throw: error => {
      end();
      return generator.throw(error);
    },
  };
}

/** The iterable's values, each put through `map`; a promise that it answers is waited for. */
export function mapped<Value, Mapped>(
  source: AsyncIterable<Value>,
  map: (value: Value) => Mapped | Promise<Mapped>,
): AsyncIterableIterator<Mapped> {
  const values = source[Symbol.asyncIterator]();
  const over: IteratorReturnResult<undefined> = { done: true, value: undefined };
  const step = async (result: Promise<IteratorResult<Value>>): Promise<IteratorResult<Mapped>> => {
    const { done, value } = await result;
    return done ? over : { done: false, value: await map(value) };
  };
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next: () => step(values.next()),
    return: async () => (values.return ? step(values.return()) : over),
    throw: async error => {
      if (values.throw) return step(values.throw(error));
      throw error;
    },
  };
}
