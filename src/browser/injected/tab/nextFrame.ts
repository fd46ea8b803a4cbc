/**
 * Resolves after an animation frame and the tasks after it, or after `timeoutMs` in a hidden page, which draws no frames.
 * @returns true if the frame has come
 */
export function nextFrame(timeoutMs: number): Promise<boolean> {
  return new Promise(resolve => {
    const timer = setTimeout(() => resolve(false), timeoutMs);
    requestAnimationFrame(() =>
      setTimeout(() => {
        clearTimeout(timer);
        resolve(true);
      }, 0),
    );
  });
}
