/** Which child world belongs at which place in the parent's document. */
import { injectedScript } from '../cdp/injectedScript.ts';
import type { IsolatedWorld } from '../cdp/isolatedWorld.ts';
import type { OutOfProcessFrame } from '../injected/scrape/scraperProtocol.ts';

const CALL_INDEX_IN_PARENT = '() => globalThis.__pagespaceScrape.indexInParent()';

/** The child worlds by the key of their place: by their number among the parent's frames, else by address. */
export async function matchFrames(
  parent: IsolatedWorld,
  frames: readonly OutOfProcessFrame[],
): Promise<ReadonlyMap<number, IsolatedWorld>> {
  const children = (await parent.children()).filter(child => /^(https?|about|blob|data):/.test(child.url));
  const indexes = await Promise.allSettled(
    children.map(async child => {
      await child.install('scrape', injectedScript('scrape'));
      return child.call<number>(CALL_INDEX_IN_PARENT);
    }),
  );
  const unmatched = new Set(children);
  const matched = new Map<number, IsolatedWorld>();
  const match = (frame: OutOfProcessFrame, child: IsolatedWorld | undefined) => {
    if (child === undefined || !unmatched.delete(child)) return;
    matched.set(frame.key, child);
  };
  for (const frame of frames) {
    const at = indexes.findIndex(index => index.status === 'fulfilled' && index.value === frame.index);
    if (frame.index >= 0) match(frame, children[at]);
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
