/** Replaces functions of the page's window for a while, and puts the page's own back. */

export type Callback = (...args: unknown[]) => unknown;
/** Performs a call in the place of the original function. */
type Call = (original: Callback, self: unknown, args: unknown[]) => unknown;

/** The replacement of one function of the page. */
export interface FunctionReplacement {
  /** Replaces the function, if it is still the original one. */
  replace(): void;
  /** Puts the original back, except where the page has put a function of its own meanwhile. */
  restore(): void;
}

/** A stand-in for a function that pages keep in a variable before a step. It has been in its place since the document began. */
export interface Relay {
  readonly original: Callback;
  /** Its `apply` gets every call of the stand-in. */
  readonly handler: { apply?: Call };
}

/** The stand-ins of a document since it began. */
export interface DocumentStart {
  /** By the names of functions of the window. */
  readonly relays: Readonly<Record<string, Relay>>;
  /** `enter` is called before the observers of positions and sizes are. */
  readonly observed: { enter?: () => void };
}

/** @param key `get` if the functions are the getter of a property of that name */
export function swapped(
  holder: object,
  name: string,
  original: Callback,
  replacement: Callback,
  key: 'value' | 'get' = 'value',
): FunctionReplacement {
  /** Keeps the property's flags, so that it looks as before. */
  const put = (present: Callback, next: Callback): void => {
    const descriptor = Object.getOwnPropertyDescriptor(holder, name);
    if (descriptor?.configurable !== true || descriptor[key] !== present) return;
    Object.defineProperty(holder, name, { ...descriptor, [key]: next });
  };
  return { replace: () => put(original, replacement), restore: () => put(replacement, original) };
}

/** Returns null for a function that the document does not have. */
export function replacedWith(holder: object | null, name: string, call: Call): FunctionReplacement | null {
  const original = holder === null ? undefined : (holder as Record<string, Callback>)[name];
  if (holder === null || original === undefined) return null;
  return swapped(holder, name, original, new Proxy(original, { apply: call }));
}

/** Replaces a function of the window also where the page has kept it. */
export function relayed(start: DocumentStart | null, name: string, call: Call): FunctionReplacement | null {
  const handler = start?.relays[name]?.handler;
  if (handler === undefined) return replacedWith(window, name, call);
  return {
    replace() {
      handler.apply = call;
    },
    restore() {
      delete handler.apply;
    },
  };
}

/** @param called receives the object, the result and the arguments of each call */
export const observing =
  (called: (source: unknown, result: unknown, args: readonly unknown[]) => void): Call =>
  (original, self, args) => {
    const result = Reflect.apply(original, self, args);
    called(self, result, args);
    return result;
  };

/** @param called see `observing` */
export const replaced = (
  holder: object | null,
  name: string,
  called: Parameters<typeof observing>[0],
): FunctionReplacement | null => replacedWith(holder, name, observing(called));

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
  return swapped(window, name, original, replacement);
}

/** Returns the prototype of an interface that some documents do not have. */
export function prototypeOf(interfaceName: string): object | null {
  const found = (window as unknown as Record<string, { readonly prototype?: object } | undefined>)[
    interfaceName
  ];
  return found?.prototype ?? null;
}
