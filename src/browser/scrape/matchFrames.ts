/** Which child world belongs at which place in the parent's document. */
import { inPageScript } from '../inPageScript.ts';
import type { World } from '../world.ts';
import type { ForeignFrame } from './answer.ts';

const INDEX = '() => globalThis.__pagespaceScrape.indexInParent()';

/** The child worlds by the key of their place: by their number among the parent's frames, else by address. */
export async function matchFrames(
  parent: World,
  frames: readonly ForeignFrame[],
): Promise<ReadonlyMap<number, World>> {
  const children = (await parent.children()).filter(child => /^(https?|about|blob|data):/.test(child.url));
  const indexes = await Promise.allSettled(
    children.map(async child => {
      await child.install('scrape', inPageScript('scrape'));
      return child.call<number>(INDEX);
    }),
  );
  const free = new Set(children);
  const places = new Map<number, World>();
  const place = (frame: ForeignFrame, child: World | undefined) => {
    if (child === undefined || !free.delete(child)) return;
    places.set(frame.key, child);
  };
  for (const frame of frames) {
    const at = indexes.findIndex(index => index.status === 'fulfilled' && index.value === frame.index);
    if (frame.index >= 0) place(frame, children[at]);
  }
  for (const frame of frames)
    if (frame.index < 0)
      place(
        frame,
        [...free].find(child => sameAddress(child.url, frame.src)),
      );
  return places;
}

const sameAddress = (a: string, b: string): boolean => a.split('#')[0] === b.split('#')[0];
