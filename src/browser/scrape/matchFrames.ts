/** Assigns the worlds of child frames to the frame elements in the parent's document. */
import type { IsolatedWorld } from '../cdp/isolatedWorld.ts';
import type { OutOfProcessFrame } from '../injected/scrape/pageScraper.ts';
import { callScraper, installScraper } from './callScraper.ts';

/**
 * Returns the isolated worlds of child frames by the `key` of their `OutOfProcessFrame`. Finds a frame by its index in
 * `window.frames`, or by its URL if it has no index. A frame that is not found is left out.
 */
export async function matchFrames(
  parent: IsolatedWorld,
  frames: readonly OutOfProcessFrame[],
): Promise<ReadonlyMap<number, IsolatedWorld>> {
  const children = (await parent.children()).filter(child => /^(https?|about|blob|data):/.test(child.url));
  const indexes = await Promise.allSettled(
    children.map(async child => {
      await installScraper(child);
      return callScraper(child, 'indexInParent');
    }),
  );
  const unmatched = new Set(children);
  const matched = new Map<number, IsolatedWorld>();
  const match = (frame: OutOfProcessFrame, child: IsolatedWorld | undefined) => {
    if (child === undefined || !unmatched.delete(child)) return;
    matched.set(frame.key, child);
  };
  for (const frame of frames) {
    const position = indexes.findIndex(index => index.status === 'fulfilled' && index.value === frame.index);
    if (frame.index >= 0) match(frame, children[position]);
  }
  for (const frame of frames)
    if (frame.index < 0)
      match(
        frame,
        [...unmatched].find(child => isSameUrl(child.url, frame.src)),
      );
  return matched;
}

const isSameUrl = (a: string, b: string): boolean => a.split('#')[0] === b.split('#')[0];
