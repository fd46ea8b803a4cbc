/** Makes replacements of functions of a page. */
import type { Callback, FunctionReplacement } from './windowFunctions.ts';

/** @param wrap returns what is passed on in the place of the function that the page has passed */
export function replacedCallback(
  prototype: object | null,
  name: string,
  wrap: (callback: Callback) => Callback,
): FunctionReplacement | null {
  const holder = prototype as Record<string, Callback>;
  const original = prototype === null ? undefined : holder[name];
  if (original === undefined) return null;
  const replacement = new Proxy(original, {
    apply(target, self, [callback, ...rest]: unknown[]) {
      const passed = typeof callback === 'function' ? wrap(callback as Callback) : callback;
      return Reflect.apply(target, self, [passed, ...rest]);
    },
  });
  return { holder, name, original, replacement };
}

/** @param called receives the object, the result and the arguments of each call */
export function replaced(
  prototype: object | null,
  name: string,
  called: (source: unknown, result: unknown, args: readonly unknown[]) => void,
): FunctionReplacement | null {
  const holder = prototype as Record<string, Callback>;
  const original = prototype === null ? undefined : holder[name];
  if (original === undefined) return null;
  const replacement = new Proxy(original, {
    apply(target, self, args: unknown[]) {
      const result = Reflect.apply(target, self, args);
      called(self, result, args);
      return result;
    },
  });
  return { holder, name, original, replacement };
}

/** @param created receives each object that the page creates */
export function replacedConstructor(
  name: string,
  created: (source: EventTarget) => void,
): FunctionReplacement | null {
  const holder = window as unknown as Record<string, Callback>;
  const original = holder[name];
  if (original === undefined) return null;
  const replacement: Callback = new Proxy(original, {
    construct(target, args: unknown[], newTarget): object {
      const result: object = Reflect.construct(target, args, newTarget === replacement ? target : newTarget);
      if (result instanceof EventTarget) created(result);
      return result;
    },
  });
  return { holder, name, original, replacement };
}
