/** Clicks an element and checks that the click reaches it. */
import { raceDeadline, shortenDeadline } from '../../cdp/cdpChannel.ts';
import { isDocumentGone } from '../../cdp/playwrightInternals.ts';
import type { MissedClick, PressResult } from '../../injected/act/clickGuard.ts';
import { type ElementContext, StaleAction } from '../element/elementContext.ts';
import { blockedFailure } from '../ready/whenReady.ts';

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
/** Maximum wait for that report when the page has settled. */
const LATE_ANSWER_TIMEOUT_MS = 2_000;

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

/** Presses and compares the meaning only: for what takes the press for the element, and for drags. @throws StaleAction; the page got no press */
export async function comparedPress(element: ElementContext, press: () => Promise<void>): Promise<void> {
  element.guard.armed = false;
  await element.world.callAgent('armClickGuard', element.listed.key, false);
  await press();
  await resultOfPress(element);
  // Something else gets the click, or the button is still down.
  delete element.guard.missed;
}

/** Returns whether the press has reached the element. A busy page counts as reached until `latePressNote`. @throws StaleAction */
export async function resultOfPress(element: ElementContext): Promise<Exclude<PressResult, 'changed'>> {
  const { world, deadline, guard } = element;
  delete guard.missed;
  const answer = world.callAgent('clickResult');
  using timeout = shortenDeadline(deadline, PAGE_ANSWER_TIMEOUT_MS);
  const result = await raceDeadline(answer, timeout).catch(() => null);
  if (result === null) {
    readLater(element, answer);
    return 'reached';
  }
  // The page gets neither the release of the button nor the click: the guard ends with the step.
  guard.armed = result === 'changed';
  if (result === 'changed') throw changedFailure(element);
  if (!isMissed(result)) return result;
  guard.missed = result;
  return 'reached';
}

const isMissed = (result: PressResult | MissedClick): result is MissedClick =>
  result === 'moved' || result === 'unclicked';

/** Lets `latePressNote` read the result of a press, from a page that is busy now. */
export function readLater(
  { guard, world }: ElementContext,
  answer: Promise<PressResult | MissedClick> = world.callAgent('clickResult'),
): void {
  guard.late = answer.catch(error => {
    if (isDocumentGone(error)) return 'reached' as const;
    throw error;
  });
  guard.late.catch(() => {});
}

/** Reads the result of a press when the busy page has settled; a sentence if it is not known. @throws StaleAction, Failure ACTION_BLOCKED */
export async function latePressNote(element: ElementContext): Promise<string | null> {
  const { guard, listed, tab, deadline } = element;
  // A page that shows a dialog has received the press, and so has a window that has closed.
  if (guard.late === undefined || tab.dialogs.open !== null || tab.page.isClosed()) return null;
  using timeout = shortenDeadline(deadline, LATE_ANSWER_TIMEOUT_MS);
  const result = tab.isUnresponsive ? null : await raceDeadline(guard.late, timeout).catch(() => null);
  if (result === 'changed') throw changedFailure(element);
  if (result === 'intercepted') throw blockedFailure(element, 'covered', new ClickIntercepted());
  if (result === 'reached') return null;
  if (result !== null && isMissed(result)) return missedNote(element);
  return result === null
    ? `The page was too busy to compare ${listed.id} with what was listed when it was pressed.`
    : `${listed.id} was pressed while the page was busy, and the page has not reported the press.`;
}

/** Returns a sentence about a press of which no click has reached the element. */
export const missedNote = ({ listed }: ElementContext): string =>
  `${listed.id} was pressed, but no click reached it: the page had moved, covered or replaced it before the button was released.`;

const changedFailure = ({ listed }: ElementContext): StaleAction =>
  new StaleAction(listed.id, listed, 'its element means something else now');
