/** The errors of a step that the console of the page would show: logged errors, exceptions that no script caught, requests that failed. */
export interface ConsoleErrors {
  readonly errors: number;
  /** The first of them, on one line. */
  readonly first: string;
}
