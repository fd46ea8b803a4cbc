import { INTERSECTIONS_MS } from '../../settle/policy.ts';
import { documentElement } from '../dom/domGetters.ts';

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
 * `INTERSECTIONS_MS`: one that is created now is notified together with those of the page.
 */
export function intersectionsNotified(): Promise<void> {
  return new Promise(resolve => {
    const end = (): void => {
      observer.disconnect();
      clearTimeout(timer);
      setTimeout(resolve, 0);
    };
    const observer = new IntersectionObserver(end);
    const timer = setTimeout(end, document.hidden ? 0 : INTERSECTIONS_MS);
    const root = documentElement(document);
    if (root === null) end();
    else observer.observe(root);
  });
}
