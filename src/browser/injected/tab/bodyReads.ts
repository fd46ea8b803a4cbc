/** Counts the bodies of responses that the page reads now. */
import { replaced } from './replacedFunctions.ts';
import type { Callback, FunctionReplacement } from './windowFunctions.ts';

/** The functions that read a body, by their interfaces. */
const READERS: readonly (readonly [object, string])[] = [
  [Response.prototype, 'json text arrayBuffer blob formData bytes'],
  [ReadableStreamDefaultReader.prototype, 'read'],
  [ReadableStreamBYOBReader.prototype, 'read'],
  [ReadableStream.prototype, 'pipeTo'],
];

export class BodyReads {
  #open = 0;
  readonly replacements: readonly FunctionReplacement[];

  constructor() {
    const then = Promise.prototype.then as Callback;
    const ended = (): void => {
      this.#open--;
    };
    const read = (_source: unknown, result: unknown): void => {
      if (!(result instanceof Promise)) return;
      this.#open++;
      Reflect.apply(then, result, [ended, ended]);
    };
    this.replacements = READERS.flatMap(([holder, names]) =>
      names.split(' ').flatMap(name => replaced(holder, name, read) ?? []),
    );
  }

  /** True while a promise of such a function is not settled. */
  get isReading(): boolean {
    return this.#open > 0;
  }
}
