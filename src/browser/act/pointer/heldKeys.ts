import { isTransformed } from '../../../domain/space/placement.ts';
import { isInputDispatched, isTimeout, notReadyReasonOf } from '../../cdp/playwrightInternals.ts';
import type { Tab } from '../../tab/tab.ts';
import type { ElementContext } from '../element/elementContext.ts';
import { scrollIntoView, whenStable } from '../ready/whenReady.ts';
import { type Point, viewportPoint } from './geometry.ts';
import type { Modifier } from './pointerTargets.ts';

/** Moves the pointer over an element that is ready; null for its middle. @throws TimeoutError of Playwright */
export async function hoverOver(element: ElementContext, position: Point | null): Promise<void> {
  if (element.through || isTransformed(element.placement)) return moveOver(element, position);
  try {
    await whenStable(element, options =>
      element.locator.hover({ ...options, ...(position !== null && { position }) }),
    );
  } catch (error) {
    // The pointer is there, and the page is too busy to confirm it: the next read of the page waits for the page.
    if (isTimeout(error) && isInputDispatched(error)) return;
    // In a frame without scripts Playwright sees no pointer events, so that it cannot tell what is under the pointer.
    const isUnknown = isTimeout(error) && notReadyReasonOf(error) === 'other';
    if (!isUnknown || element.coveredBy !== null || element.listed.framePath.length === 0) throw error;
    await moveOver(element, position);
  }
}

async function moveOver(element: ElementContext, position: Point | null): Promise<void> {
  await scrollIntoView(element);
  const { x, y } = await viewportPoint(element, position);
  await element.tab.page.mouse.move(x, y);
}

/** Runs a gesture while keys are held; releases them also when it fails. */
export async function whileHolding<T>(
  { page: { keyboard } }: Tab,
  modifiers: readonly Modifier[],
  gesture: () => Promise<T>,
): Promise<T> {
  for (const key of modifiers) await keyboard.down(key);
  try {
    return await gesture();
  } finally {
    // A page that is busy with the gesture releases the keys when it has time.
    for (const key of modifiers) keyboard.up(key).catch(() => {});
  }
}
