/** Computes where the documents of frames are drawn on the page. */
import type { Deadline } from '../../../domain/ports/clock.ts';
import {
  ON_TOP,
  type Placement,
  placedAround,
  placedIn,
  toDocument,
} from '../../../domain/space/placement.ts';
import { agentFunction, type IsolatedWorld } from '../../cdp/isolatedWorld.ts';
import type { FrameAround } from '../element/elementContext.ts';

export interface PlacedDocument {
  readonly world: IsolatedWorld;
  readonly placement: Placement;
}

/** Maximum number of frames around a frame that is placed. */
const MAX_DEPTH = 8;

/** Returns the documents, each after the one around it. @param prepare absent to leave out frames that were not observed */
export const placedDocuments = (
  top: IsolatedWorld,
  deadline: Deadline,
  prepare: (world: IsolatedWorld) => Promise<unknown> = async () => {},
): Promise<readonly PlacedDocument[]> => placedBelow({ world: top, placement: ON_TOP }, deadline, prepare, 0);

async function placedBelow(
  placed: PlacedDocument,
  deadline: Deadline,
  prepare: (world: IsolatedWorld) => Promise<unknown>,
  depth: number,
): Promise<readonly PlacedDocument[]> {
  const { world, placement } = placed;
  const children = depth < MAX_DEPTH ? await world.children() : [];
  const inner = await Promise.all(
    children.map(async child => {
      const place = await placeOf(world, child.context.frameId, deadline);
      if (place === null) return [];
      // A frame that is gone tells nothing.
      await prepare(child).catch(() => {});
      const inner = { world: child, placement: placedIn(placement, place) };
      return placedBelow(inner, deadline, prepare, depth + 1);
    }),
  );
  return [placed, ...inner.flat()];
}

/** Returns where a frame is drawn in the document that contains it; null if the frame is gone, or the document was not observed. */
async function placeOf(world: IsolatedWorld, frameId: string, deadline: Deadline): Promise<Placement | null> {
  const { channel, context } = world;
  try {
    const { backendNodeId } = await channel.send('DOM.getFrameOwner', { frameId }, deadline);
    const node = { backendNodeId, executionContextId: context.contextId };
    const { object } = await channel.send('DOM.resolveNode', node, deadline);
    const { objectId } = object;
    if (objectId === undefined) return null;
    try {
      return await world.callWith<Placement>(agentFunction('drawnPlace'), [{ objectId }]);
    } finally {
      channel.sendNoReply('Runtime.releaseObject', { objectId });
    }
  } catch (error) {
    if (deadline.signal.aborted) throw error;
    return null;
  }
}

/**
 * Returns where the document in the innermost of some frames is drawn, from the outermost frame on; null if one is gone or has no size.
 * @param at the point of the document around which it must be exact, in a frame of the page that is turned in space
 */
export async function placementIn(
  frames: readonly FrameAround[],
  at: Parameters<typeof toDocument>[1] | null = null,
): Promise<Placement | null> {
  const places = await Promise.all(frames.map(({ owner, index }) => owner.callAgent('framePlace', index)));
  let placement = ON_TOP;
  for (const found of places) {
    if (found === null) return null;
    placement = placedIn(placement, found.place);
  }
  const [frame, inner] = frames;
  const size = places[0]?.sizeInSpace ?? null;
  if (frame !== undefined && inner === undefined && size !== null && at !== null) {
    const corners = await cornersOf(frame);
    if (corners === null) return null;
    placement = placedAround(corners, size, at);
  }
  const [a, b, c, d] = placement;
  const area = a * d - b * c;
  return Number.isFinite(area) && area !== 0 ? placement : null;
}

/** Returns the corners of the document of a frame, as they are drawn on the page; null if the frame is gone or not rendered. */
async function cornersOf({ owner, index }: FrameAround): Promise<readonly number[] | null> {
  const objectId = await owner.agentHandle('frameElement', index);
  if (objectId === null) return null;
  try {
    const { model } = await owner.channel.send('DOM.getBoxModel', { objectId }, owner.deadline);
    return model.content;
  } catch (error) {
    if (owner.deadline.signal.aborted) throw error;
    return null;
  }
}

/** Returns true if nothing in the documents around the frames lies over them at a point of the page. */
export async function isReachedThrough(
  frames: readonly FrameAround[],
  point: { readonly x: number; readonly y: number },
): Promise<boolean> {
  for (const [depth, { owner, index }] of frames.entries()) {
    const outer = await placementIn(frames.slice(0, depth));
    if (outer === null) return false;
    const { x, y } = toDocument(outer, point);
    if (!(await owner.callAgent('isFrameAt', index, x, y))) return false;
  }
  return true;
}

/** Returns where the document of a frame is drawn on the page; null if it is gone. */
export async function placementOf(
  top: IsolatedWorld,
  { context }: IsolatedWorld,
  deadline: Deadline,
): Promise<Placement | null> {
  const placed = await placedDocuments(top, deadline);
  return placed.find(({ world }) => world.context.uniqueId === context.uniqueId)?.placement ?? null;
}
