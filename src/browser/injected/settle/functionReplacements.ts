/** Replaces functions of the page's window for a while, and puts the page's own back. */

export type Callback = (...args: unknown[]) => unknown;

/** One function of the page, and what stands in for it. */
export interface FunctionReplacement {
  /** The object that has the function as its own property. */
  readonly holder: object;
  readonly name: string;
  readonly original: Callback;
  readonly replacement: Callback;
  /** True if it is the getter of a property of that name. */
  readonly isGetter?: true;
}

export class FunctionReplacements {
  readonly #functions: readonly FunctionReplacement[];

  /** Ignores null, which stands for a function that the document does not have. */
  constructor(functions: readonly (FunctionReplacement | null)[]) {
    this.#functions = functions.filter(one => one !== null);
  }

  /** Replaces each function that is still the original one. */
  replace(): void {
    for (const each of this.#functions) put(each, each.original, each.replacement);
  }

  /** Puts each original back, except where the page has put a function of its own meanwhile. */
  restore(): void {
    for (const each of this.#functions) put(each, each.replacement, each.original);
  }
}

/** Replaces one function by another, and keeps the property's flags, so that it looks as before. */
function put({ holder, name, isGetter }: FunctionReplacement, present: Callback, next: Callback): void {
  const key = isGetter === true ? 'get' : 'value';
  const descriptor = Object.getOwnPropertyDescriptor(holder, name);
  if (descriptor?.configurable !== true || descriptor[key] !== present) return;
  Object.defineProperty(holder, name, { ...descriptor, [key]: next });
}

/** @param call performs each call in the place of the original */
export function replacedWith(
  holder: object | null,
  name: string,
  call: (original: Callback, self: unknown, args: unknown[]) => unknown,
): FunctionReplacement | null {
  const original = holder === null ? undefined : (holder as Record<string, Callback>)[name];
  if (holder === null || original === undefined) return null;
  return { holder, name, original, replacement: new Proxy(original, { apply: call }) };
}

/** @param called receives the object, the result and the arguments of each call */
export const replaced = (
  holder: object | null,
  name: string,
  called: (source: unknown, result: unknown, args: readonly unknown[]) => void,
): FunctionReplacement | null =>
  replacedWith(holder, name, (original, self, args) => {
    const result = Reflect.apply(original, self, args);
    called(self, result, args);
    return result;
  });

/** @param wrap returns what is passed on in the place of the function that the page has passed */
export const replacedCallback = (
  holder: object | null,
  name: string,
  wrap: (callback: Callback) => Callback,
): FunctionReplacement | null =>
  replacedWith(holder, name, (original, self, [callback, ...rest]) => {
    const passed = typeof callback === 'function' ? wrap(callback as Callback) : callback;
    return Reflect.apply(original, self, [passed, ...rest]);
  });

/** @param created receives each object that the page creates */
export function replacedConstructor(
  name: string,
  created: (source: EventTarget) => void,
): FunctionReplacement | null {
  const original = (window as unknown as Record<string, Callback>)[name];
  if (original === undefined) return null;
  const replacement: Callback = new Proxy(original, {
    construct(target, args: unknown[], newTarget): object {
      const result: object = Reflect.construct(target, args, newTarget === replacement ? target : newTarget);
      if (result instanceof EventTarget) created(result);
      return result;
    },
  });
  return { holder: window, name, original, replacement };
}

/** Returns the prototype of an interface that some documents do not have. */
export function prototypeOf(interfaceName: string): object | null {
  const found = (window as unknown as Record<string, { readonly prototype?: object } | undefined>)[
    interfaceName
  ];
  return found?.prototype ?? null;
}
