/** Checks that an element has kept the value that a step entered. */

import { Failure } from '../../../domain/failure/failures.ts';
import type { IsolatedWorld } from '../../cdp/isolatedWorld.ts';
import { isDocumentGone, isTargetGone } from '../../cdp/playwrightInternals.ts';
import { readStatedTraits } from '../../cdp/statedTraits.ts';
import type { ElementContext, KeptCheck } from '../element/elementContext.ts';
import { RefusedValue, sayTaker } from './refusedValue.ts';

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
  { world, listed }: ElementContext,
  value: string,
  timeoutMs: number,
  isLast: boolean,
): Promise<void> {
  const refused = await world
    .callAgent('refusedValue', listed.key, value, timeoutMs, isLast)
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
