/** Awaited between parts of work that can wait: resolves when no session needs the processor. */
export type Pause = () => Promise<void>;

/** The pause of work that somebody waits for. */
export const noPause: Pause = async () => {};
