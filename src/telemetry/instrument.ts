/** Measures and traces the calls of a port. */
import { isFailure } from '../domain/failure/failures.ts';
import { isTracing, type SpanAttributes, type SpanKind, traced } from './tracing.ts';

/** The calls to measure. */
export interface Instrumentation {
  /** First part of the names of the spans: `store` in `store.commit`. Null: the calls are only measured. */
  readonly prefix: string | null;
  /** The methods to measure; each returns a promise. */
  readonly methods: readonly string[];
  readonly kind?: SpanKind;
  /** Returns attributes of the span of a call. */
  readonly attributes?: (method: string, args: readonly unknown[]) => SpanAttributes;
  /** Called after each call. @param outcome `done` or the code of the failure */
  readonly onEnd?: (method: string, outcome: string, seconds: number) => void;
}

type Method = (...args: unknown[]) => Promise<unknown>;

/** Returns `target` with some of its methods measured and traced. Everything else passes through unchanged. */
export function instrument<Target extends object>(target: Target, options: Instrumentation): Target {
  const wrapped = new Map(options.methods.map(name => [name, wrap(target, name, options)]));
  const boundMethods = new WeakMap<object, unknown>();
  return new Proxy(target, {
    get(_target, name) {
      const method = typeof name === 'string' ? wrapped.get(name) : undefined;
      if (method !== undefined) return method;
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      // A method of a class with private fields needs the object itself, not the proxy.
      const bound = boundMethods.get(value) ?? value.bind(target);
      boundMethods.set(value, bound);
      return bound;
    },
  });
}

function wrap(target: object, name: string, options: Instrumentation): Method {
  const { prefix, kind, attributes, onEnd } = options;
  const method = Reflect.get(target, name, target) as Method;
  return async (...args) => {
    const startedAt = performance.now();
    let outcome = 'done';
    try {
      if (prefix === null || !isTracing()) return await method.apply(target, args);
      const spanOptions = {
        ...(kind !== undefined && { kind }),
        ...(attributes !== undefined && { attributes: attributes(name, args) }),
      };
      return await traced(`${prefix}.${name}`, spanOptions, () => method.apply(target, args));
    } catch (error) {
      outcome = isFailure(error) ? error.code : 'INTERNAL';
      throw error;
    } finally {
      onEnd?.(name, outcome, (performance.now() - startedAt) / 1_000);
    }
  };
}
