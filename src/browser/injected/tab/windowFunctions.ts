/** Replaces functions of the page's window for a while, and puts the page's own back. */

export type Callback = (...args: unknown[]) => unknown;

/** One function of the page, and what stands in for it. */
export interface FunctionReplacement {
  /** The object that has the function as its own property. */
  readonly holder: Record<string, Callback>;
  readonly name: string;
  readonly original: Callback;
  readonly replacement: Callback;
  /** True if it is the getter of a property of that name. */
  readonly isGetter?: true;
}

export class WindowFunctions {
  readonly #functions: readonly FunctionReplacement[];

  constructor(functions: readonly FunctionReplacement[]) {
    this.#functions = functions;
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
  if (isGetter !== true && holder[name] !== present) return;
  const descriptor = Object.getOwnPropertyDescriptor(holder, name);
  if (descriptor?.configurable !== true) return;
  if (isGetter !== true) Object.defineProperty(holder, name, { ...descriptor, value: next });
  else if (descriptor.get === present) Object.defineProperty(holder, name, { ...descriptor, get: next });
}
