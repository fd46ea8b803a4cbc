/** Clicks an element and checks that the click reaches it. */
import { raceDeadline, shortenDeadline } from '../../cdp/cdpChannel.ts';
import type { PressResult } from '../../injected/act/clickGuard.ts';
import type { ElementContext } from '../element/elementContext.ts';
import { StaleAction } from '../element/staleAction.ts';

/** Error of `guardedClick`: another element was under the pointer at each try, so nothing was clicked. */
export class ClickIntercepted extends Error {
  constructor() {
    super('Another element lay under the pointer.');
    this.name = 'ClickIntercepted';
  }
}

/** Maximum number of clicks until one is not intercepted: some pages cover an element as soon as the pointer arrives. */
const MAX_TRIES = 3;
/** Maximum wait for the page to report whether the click was intercepted; after that, the page counts as busy with the click. */
const PAGE_ANSWER_TIMEOUT_MS = 300;

/**
 * Clicks, and clicks again when another element intercepted the click. Playwright stops a click that reaches another
 * element, but reports this only if it also waits for the effects of the click; so the injected agent reports it. The agent
 * also compares the element, when it is pressed, with what was listed.
 * @param forced true when Playwright does not check which element the click reaches: then the injected agent checks it
 * @param click clicks the element once
 * @throws ClickIntercepted when each click was intercepted
 * @throws StaleAction when the element meant something else when it was pressed; then it was not pressed
 */
export async function guardedClick(
  element: ElementContext,
  forced: boolean,
  click: () => Promise<void>,
): Promise<void> {
  const { world, listed, guard } = element;
  guard.armed = false;
  for (let left = MAX_TRIES; left > 0; left--) {
    const armed = world.callAgent('armClickGuard', listed.key, forced);
    if (forced) await armed;
    else armed.catch(() => {});
    await click();
    if ((await resultOfPress(element)) !== 'intercepted') return;
  }
  throw new ClickIntercepted();
}

/** Ends the click guard of a step that has not pressed the element. Does not wait for it. */
export function endUnusedGuard({ guard, world, deadline }: ElementContext): void {
  if (!guard.armed || deadline.signal.aborted) return;
  guard.armed = false;
  world.callAgent('armClickGuard', null, false).catch(() => {});
}

/**
 * Returns whether the press since `armClickGuard` has reached the element. A page that navigates or is busy has received it.
 * @throws StaleAction when the element meant something else when it was pressed; then it was not pressed
 */
export async function resultOfPress({
  world,
  listed,
  deadline,
}: ElementContext): Promise<Exclude<PressResult, 'changed'>> {
  const answer = world.callAgent('pressResult');
  using timeout = shortenDeadline(deadline, PAGE_ANSWER_TIMEOUT_MS);
  const result = await raceDeadline(answer, timeout).catch(() => 'reached' as const);
  if (result === 'changed') throw new StaleAction(listed.id, listed, 'its element means something else now');
  return result;
}
