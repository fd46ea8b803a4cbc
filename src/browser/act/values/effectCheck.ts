/** Notices that a gesture changed nothing, so that the answer says it. */
import type { IsolatedWorld } from '../../cdp/isolatedWorld.ts';
import type { PageChange } from '../../injected/act/pageState.ts';
import { nullIfGone } from './keptCheck.ts';

/** Returns a sentence about the effect of a step, when the page has settled; null if there is nothing to say. */
export type EffectCheck = () => Promise<string | null>;

/**
 * Remembers the state of a document before a gesture. Returns a check that says `note` if the gesture changes nothing.
 * @param key the key of the element on which the gesture starts; null for a point of the page
 */
export async function effectCheck(
  world: IsolatedWorld,
  key: number | null,
  note: string,
): Promise<EffectCheck> {
  const change = await rememberedState(world, key);
  return async () => ((await change()) === 'nothing' ? note : null);
}

/** The input of `dragCheck`. */
export interface DragAspects {
  /** The id of the special action. */
  readonly id: string;
  /** The world in which the drag starts, and the one in which it ends. */
  readonly worlds: readonly IsolatedWorld[];
  /** The dragged element; null for a point of the page. */
  readonly source: { readonly key: number; readonly id: string } | null;
  /** True if the drag ends at a point that the caller gave: the note then says how far the element has moved. */
  readonly endsAtPoint: boolean;
  /** True if the drag ends on the dragged element, as one that draws. */
  readonly staysInside: boolean;
}

/**
 * Remembers the state of the documents before a drag. Returns a check that says what the drag has not done (nothing moved, or not the dragged
 * element), that its effect cannot be compared, and how far the element has moved: a drag often changes nothing that a list tells.
 */
export async function dragCheck({
  id,
  worlds,
  source,
  endsAtPoint,
  staysInside,
}: DragAspects): Promise<EffectCheck> {
  const [start] = worlds;
  const documents = new Map(worlds.toReversed().map(world => [world.context.uniqueId, world]));
  const changes = await Promise.all(
    [...documents.values()].map(world =>
      rememberedState(world, world === start ? (source?.key ?? null) : null),
    ),
  );
  return async () => {
    const found = await Promise.all(changes.map(change => change()));
    const has = (change: PageChange | null): boolean => found.includes(change);
    const way =
      source === null || start === undefined
        ? null
        : await start.callAgent('movedBy', source.key).catch(nullIfGone);
    if (has(null)) return null;
    if (!has('more')) {
      if (has('unknown'))
        return `Nothing but the picture of a canvas can have changed in ${id}, and it cannot be compared.`;
      if (has('selection')) return `Nothing moved: ${id} only selected text of the page.`;
      return has('looks')
        ? `Nothing moved: ${id} changed only attributes of elements, such as their classes.`
        : `Nothing moved: the page looks as it did before ${id}.`;
    }
    if (source === null) return `${id} has changed what the page shows.`;
    if (way === null) return null;
    if (way === 'still') return staysInside ? null : `${source.id} itself is where it was.`;
    return endsAtPoint ? `${source.id} moved by ${way[0]},${way[1]} pixels.` : null;
  };
}

/** Remembers the state of a document. Returns a function that says what has changed since; null if it shows another document. */
async function rememberedState(
  world: IsolatedWorld,
  key: number | null,
): Promise<() => Promise<PageChange | null>> {
  const { uniqueId } = world.context;
  await world.callAgent('rememberState', key).catch(nullIfGone);
  return async () => {
    const isSameDocument = world.worlds.find(world.context.frameId)?.uniqueId === uniqueId;
    return isSameDocument ? world.callAgent('changeSince', key).catch(nullIfGone) : null;
  };
}
