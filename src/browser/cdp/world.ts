/** One frame's isolated world: scripts of ours that share the document with the page but none of its JavaScript. */
import type { Json } from '../../domain/json.ts';

export interface World {
  /** URL of the frame's document when the world was found. */
  readonly url: string;
  /**
   * Evaluates an expression and gives its JSON value (promises are awaited).
   * @throws Failure OPERATION_TIMEOUT, BROWSER_CRASHED; Error when the expression throws or the document has gone
   */
  evaluate<T extends Json | undefined>(expression: string): Promise<T>;
  /**
   * Calls a function given as source text with JSON arguments, and gives its JSON result.
   * @example await world.call<number>('(a, b) => a + b', 1, 2)
   */
  call<T extends Json | undefined>(functionSource: string, ...args: Json[]): Promise<T>;
  /** Evaluates `script` once in this world's document, however often it is asked. */
  install(name: string, script: string): Promise<void>;
  /**
   * Hands the closed shadow roots of elements of this document to a function in it: no script can see them, Chromium
   * tells of them.
   * @param host the expression of each element that may have one; it may give null
   * @param adopt source of a function that takes the roots; not called when there are none
   * @returns how many there are
   */
  adoptClosedRoots(count: number, host: (index: number) => string, adopt: string): Promise<number>;
  /** The worlds of the child frames (same process or not) that are still there, in no order. */
  children(): Promise<readonly World[]>;
}
