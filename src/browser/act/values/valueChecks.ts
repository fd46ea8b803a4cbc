/** Notices that a gesture changed nothing, so that the answer says it. */

import { Failure } from '../../../domain/failure/failures.ts';
import { cutText, quote } from '../../../domain/space/pageText.ts';
import { type IsolatedWorld, readStatedTraits } from '../../cdp/isolatedWorld.ts';
import { isDocumentGone, isTargetGone } from '../../cdp/playwrightInternals.ts';
import type { PageChange } from '../../injected/act/pageState.ts';
import type { ValueRange } from '../../injected/act/sliderReadings.ts';
import type { ListedElement } from '../../perceive/elementRegistry.ts';
import type { ElementContext, KeptCheck } from '../element/elementContext.ts';
import { RefusedValue, sayTaker } from './refusedValue.ts';

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

interface DragAspects {
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

/** Maximum wait for a field to take a value, before Enter is pressed in it. Milliseconds. */
const KEPT_TIMEOUT_MS = 250;

/** Returns a check for the time when the page has settled: that the field holds the value. @throws RefusedValue (the check) */
export const keptCheck =
  (element: ElementContext, value: string): KeptCheck =>
  () =>
    throwIfRefused(element, value, 0, true);

/** Checks now that the field holds the value; gives the page a moment to take it. @throws RefusedValue */
export const checkKeptNow = (element: ElementContext, value: string): Promise<void> =>
  throwIfRefused(element, value, KEPT_TIMEOUT_MS, false);

/** Returns what a field holds in place of the value; null if it holds the value or is gone. */
export async function heldInstead({ world, listed }: ElementContext, value: string): Promise<string | null> {
  const refused = await world.callAgent('refusedValue', listed.key, value, 0, true).catch(nullIfGone);
  return refused?.held ?? null;
}

/** Presses Enter in a field. Returns a check that nothing else had taken the focus: then Enter has reached nothing. @throws Failure ACTION_BLOCKED (the check) */
export async function pressEnter({ tab, world, listed }: ElementContext): Promise<KeptCheck> {
  await tab.page.keyboard.press('Enter');
  return async () => {
    const taker = await world.callAgent('focusTaker').catch(nullIfGone);
    if (taker === null) return;
    const { id, description } = listed;
    throw new Failure(
      'ACTION_BLOCKED',
      `Enter was not pressed in ${id} (${description}). ${sayTaker(taker)}`,
    );
  };
}

async function throwIfRefused(
  { world, listed, hasBox }: ElementContext,
  value: string,
  timeoutMs: number,
  isLast: boolean,
): Promise<void> {
  const refused = await world
    .callAgent('refusedValue', listed.key, value, timeoutMs, isLast, !hasBox)
    .catch(nullIfGone);
  if (refused !== null) throw new RefusedValue(listed, value, refused.held, refused.taker);
}

/** Returns a check that a checkbox or a switch has the state that a step set. @throws RefusedValue (the check) */
export const checkedCheck =
  ({ world, listed }: ElementContext, target: boolean): KeptCheck =>
  async () => {
    const now = await checkedNow(world, listed.key).catch(nullIfGone);
    if (now !== null && now !== target)
      throw new RefusedValue(listed, String(target), now ? 'checked' : 'not checked');
  };

/** Returns whether a checkbox, radio button or switch is checked; null when the element has no such state or is gone. */
export async function checkedNow(world: IsolatedWorld, key: number): Promise<boolean | null> {
  const checked = await world.callAgent('isChecked', key);
  if (checked !== 'stated') return checked;
  return (await readStatedTraits(world, () => world.agentHandle('element', key)))?.checked ?? null;
}

/** Returns null for the error of a page or document that is gone: nothing can be checked. Throws every other error. */
export function nullIfGone(error: unknown): null {
  if (isDocumentGone(error) || isTargetGone(error)) return null;
  throw error;
}

/** Creates VALIDATION_ERROR for a number outside of what a slider accepts. It says what the slider holds. */
export const outsideOfRange = (
  { id, description }: ListedElement,
  value: string,
  { min, max, held }: ValueRange,
): Failure =>
  new Failure(
    'VALIDATION_ERROR',
    `${id} (${description}) takes a number from ${min} to ${max}; got ${quote(cutText(value, 100))}. It holds ${quote(held)} now.`,
    { errors: [{ path: 'value', message: `must be from ${min} to ${max}` }] },
  );
