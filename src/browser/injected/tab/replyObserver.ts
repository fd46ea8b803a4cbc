/** Receives the calls of the replaced functions. */
export interface ReplyObserver {
  /**
   * Called when the page has asked for something.
   * @param isGuess true if the page has sent no message yet, so that an answer is expected only as the first effect of the step
   * @returns a function to call with the event of an answer, which returns true if no more are expected; null if no operation waits for this
   * one, or waits already
   */
  asked(source: object, isGuess?: boolean): ((answer?: unknown) => boolean) | null;
  /** Called when the page has sent a message that may stay in the window: schedulers continue their own work so. */
  posted(): void;
}
