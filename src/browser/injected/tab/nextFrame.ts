/** Resolves after an animation frame and the tasks after it, or after `timeoutMs` in a hidden page, which draws no frames. */
export function nextFrame(timeoutMs: number): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, timeoutMs);
    requestAnimationFrame(() =>
      setTimeout(() => {
        clearTimeout(timer);
        resolve();
      }, 0),
    );
  });
}
