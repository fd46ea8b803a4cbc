/** Awaited between parts of work that can wait: resolves when no session needs the processor. */
export type Pause = () => Promise<void>;

/** Does not pause: for work that a session waits for. */
export const noPause: Pause = async () => {};
