/** Replaces functions of the page's window for a while, and puts the page's own back. */

export type Callback = (...args: unknown[]) => unknown;

/** One function of the page, and what stands in for it. */
export interface FunctionReplacement {
  /** The object that has the function as its own property. */
  readonly holder: Record<string, Callback>;
  readonly name: string;
  readonly original: Callback;
  readonly replacement: Callback;
}

export class WindowFunctions {
  readonly #functions: readonly FunctionReplacement[];

  constructor(functions: readonly FunctionReplacement[]) {
    this.#functions = functions;
  }

  /** Replaces each function that is still the original one. */
  replace(): void {
    for (const { holder, name, original, replacement } of this.#functions)
      if (holder[name] === original) put(holder, name, replacement);
  }

  /** Puts each original back, except where the page has put a function of its own meanwhile. */
  restore(): void {
    for (const { holder, name, original, replacement } of this.#functions)
      if (holder[name] === replacement) put(holder, name, original);
  }
}

/** Keeps the property's flags, so that it looks as before. */
function put(holder: Record<string, Callback>, name: string, value: Callback): void {
  const descriptor = Object.getOwnPropertyDescriptor(holder, name);
  if (descriptor?.configurable === true) Object.defineProperty(holder, name, { ...descriptor, value });
}
