import { documentElement } from '../dom/domGetters.ts';

/** Maximum wait for the frame in which the observers of intersections are notified. Milliseconds. */
const INTERSECTIONS_TIMEOUT_MS = 1_000;

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

/**
 * Resolves when the observers of intersections of the document have been notified of the present positions, at the latest after
 * `INTERSECTIONS_TIMEOUT_MS`: one that is created now is notified together with those of the page.
 */
export function intersectionsNotified(): Promise<void> {
  return new Promise(resolve => {
    const end = (): void => {
      observer.disconnect();
      clearTimeout(timer);
      setTimeout(resolve, 0);
    };
    const observer = new IntersectionObserver(end);
    const timer = setTimeout(end, document.hidden ? 0 : INTERSECTIONS_TIMEOUT_MS);
    const root = documentElement(document);
    if (root === null) end();
    else observer.observe(root);
  });
}
