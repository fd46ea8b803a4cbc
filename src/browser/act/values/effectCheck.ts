/** Notices that a gesture changed nothing, so that the answer says it. */
import type { IsolatedWorld } from '../../cdp/isolatedWorld.ts';
import { nullIfGone } from './keptCheck.ts';

/** Returns a sentence about the effect of a step, when the page has settled; null if there is nothing to say. */
export type EffectCheck = () => Promise<string | null>;

/**
 * Remembers the state of a document before a gesture.
 * @param key the key of the element on which the gesture starts; null for a point of the page
 * @param note the sentence for a gesture that changes nothing
 */
export async function effectCheck(
  world: IsolatedWorld,
  key: number | null,
  note: string,
): Promise<EffectCheck> {
  const { uniqueId } = world.context;
  await world.callAgent('rememberState', key).catch(nullIfGone);
  return async () => {
    const isSameDocument = world.worlds.find(world.context.frameId)?.uniqueId === uniqueId;
    if (!isSameDocument) return null;
    return (await world.callAgent('isUnchanged', key).catch(nullIfGone)) === true ? note : null;
  };
}

/**
 * Returns a check that says how far an element has moved since `effectCheck` was called for it: a drag to a point often changes
 * nothing else that a list tells.
 */
export const movedCheck =
  (world: IsolatedWorld, key: number, id: string): EffectCheck =>
  async () => {
    const way = await world.callAgent('movedBy', key).catch(nullIfGone);
    return way === null ? null : `${id} moved by ${way[0]},${way[1]} pixels.`;
  };
