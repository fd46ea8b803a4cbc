/** A value that tests can refer to before it exists. */
export interface Deferred<Value extends object> {
  /** Stands for the value that was set last. */
  readonly value: Value;
  /** Sets the value. Call it in a hook. @returns the value itself */
  set(pending: Promise<Value>): Promise<Value>;
}

/** Creates a value that hooks set, once or before each test. */
export function deferred<Value extends object>(): Deferred<Value> {
  let current: Value | null = null;
  const value = new Proxy({} as Value, {
    get(_, name) {
      if (current === null) throw new Error('It is not started yet. Use it only in tests and hooks.');
      const found: unknown = Reflect.get(current, name, current);
      return typeof found === 'function' ? found.bind(current) : found;
    },
  });
  return {
    value,
    async set(pending) {
      current = await pending;
      return current;
    },
  };
}
