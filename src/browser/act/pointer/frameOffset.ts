/** Computes where the documents of frames are drawn on the page. */
import type { Deadline } from '../../../domain/ports/deadline.ts';
import type { IsolatedWorld } from '../../cdp/isolatedWorld.ts';
import type { Point } from './geometry.ts';

/** A document of the page, and the top left corner of its viewport in that of the page. CSS pixels. */
export interface PlacedDocument {
  readonly world: IsolatedWorld;
  readonly offset: Point;
}

/** Maximum number of frames around a frame that is placed. */
const MAX_DEPTH = 8;

/** Returns the top document and those of all frames in it, each after the document that contains it. */
export function placedDocuments(top: IsolatedWorld, deadline: Deadline): Promise<readonly PlacedDocument[]> {
  const origin = { x: 0, y: 0 };
  return placedIn({ world: top, offset: origin }, origin, deadline, 0);
}

/** @param root the offset of the CDP target, to which Chromium's coordinates of its frames relate */
async function placedIn(
  placed: PlacedDocument,
  root: Point,
  deadline: Deadline,
  depth: number,
): Promise<readonly PlacedDocument[]> {
  const { world } = placed;
  const children = depth < MAX_DEPTH ? await world.children() : [];
  const inner = await Promise.all(
    children.map(async child => {
      const corner = await cornerOf(world, child.context.frameId, deadline);
      if (corner === null) return [];
      const offset = { x: root.x + corner.x, y: root.y + corner.y };
      const childRoot = child.channel === world.channel ? root : offset;
      return placedIn({ world: child, offset }, childRoot, deadline, depth + 1);
    }),
  );
  return [placed, ...inner.flat()];
}

/** Returns the top left corner of a frame's content; null if the frame has no box or is gone. */
async function cornerOf(
  { channel }: IsolatedWorld,
  frameId: string,
  deadline: Deadline,
): Promise<Point | null> {
  try {
    const { backendNodeId } = await channel.send('DOM.getFrameOwner', { frameId }, deadline);
    const { model } = await channel.send('DOM.getBoxModel', { backendNodeId }, deadline);
    const [x = 0, y = 0] = model.content;
    return { x, y };
  } catch (error) {
    if (deadline.signal.aborted) throw error;
    return null;
  }
}
