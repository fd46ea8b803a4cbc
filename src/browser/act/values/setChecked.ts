import { Failure } from '../../../domain/failure/failures.ts';
import { cutText } from '../../../domain/space/pageText.ts';
import { isInputDispatched, isTimeout } from '../../cdp/playwrightInternals.ts';
import type { ElementContext, KeptCheck } from '../element/elementContext.ts';
import { click, clickInPage } from '../pointer/click.ts';
import { comparedPress } from '../pointer/clickGuard.ts';
import { blockedFailure, timeoutOption } from '../ready/whenReady.ts';
import { checkedCheck, checkedNow, type EffectCheck, nullIfGone } from './valueChecks.ts';

/** Maximum wait for the label of a hidden checkbox to become clickable. */
const LABEL_TIMEOUT_MS = 1_500;
/** Number of times that the state is read after a click on the label, one frame apart, before the element itself is clicked. */
const MAX_STATE_READS = 4;
const FRAME_MS = 50;

/**
 * Checks or unchecks a checkbox, radio button or switch: the value is `true` or `false`. Without a value, toggles a
 * checkbox or switch and checks a radio button.
 * @returns checks, when the page has settled, that the element has the requested state
 * @throws Failure VALIDATION_ERROR, ACTION_BLOCKED
 */
export async function setChecked(element: ElementContext): Promise<KeptCheck | null> {
  const { value, listed, world } = element;
  const before = await checkedNow(world, listed.key);
  const target = targetState(element, before);
  if (target === before && value !== null) return null;
  if (listed.control === 'radio' && before === true) return null;
  await clickBoxOrLabel(element);
  if (target === null || !(await isStillPresent(element))) return null;
  if (!element.hasBox && before !== null && !(await hasChanged(element, before))) await clickInPage(element);
  if (value !== null && value.trim() !== '') return checkedCheck(element, target);
  // Some pages keep the state of their radio buttons elsewhere: the click may have done what it should.
  if (listed.control === 'radio') element.addEffectCheck?.(uncheckedNote(element));
  return null;
}

/**
 * Returns the state that the step requests: true for checked. Null to toggle an element whose state is unknown.
 * @throws Failure VALIDATION_ERROR for a value that is not `true` or `false`, and for `false` of a radio button
 */
function targetState({ value, listed }: ElementContext, before: boolean | null): boolean | null {
  if (value === null || value.trim() === '')
    return listed.control === 'radio' ? true : before === null ? null : !before;
  const text = value.trim().toLowerCase();
  if (text === 'false' && listed.control === 'radio')
    throw invalidValue(listed.id, value, 'a radio button cannot be unchecked; check another of its group');
  if (text !== 'true' && text !== 'false')
    throw invalidValue(listed.id, value, 'must be true or false, or absent to toggle');
  return text === 'true';
}

const invalidValue = (id: string, value: string, message: string): Failure =>
  new Failure('VALIDATION_ERROR', `${id}: ${message}; got "${cutText(value, 100)}".`, {
    errors: [{ path: 'value', message }],
  });

/** Returns a check that says that a radio button is not checked after the click on it. */
const uncheckedNote =
  ({ world, listed }: ElementContext): EffectCheck =>
  async () => {
    const isChecked = await checkedNow(world, listed.key).catch(nullIfGone);
    return isChecked === false ? `${listed.id} does not say that it is checked now.` : null;
  };

/** Clicks the checkbox; if it has no box, its label; if the label cannot be clicked either, calls the DOM method `click()`. */
async function clickBoxOrLabel(element: ElementContext): Promise<void> {
  const withoutValue: ElementContext = { ...element, value: null };
  if (element.hasBox) return click(withoutValue);
  if ((await element.label.count()) > 0)
    try {
      const options = timeoutOption(element.deadline, LABEL_TIMEOUT_MS);
      return await comparedPress(element, () => element.label.click({ ...options, noWaitAfter: true }));
    } catch (error) {
      // The page is busy with the click: a second one would take it back.
      if (isTimeout(error) && isInputDispatched(error)) return;
      // The page would take a call of `click()`, but a person could not press it.
      if (element.coveredBy !== null) throw blockedFailure(element, 'covered', error);
    }
  await clickInPage(withoutValue);
}

/** Waits until a page that renders its state later, as most frameworks do, shows another state than before the click. */
async function hasChanged({ world, listed }: ElementContext, before: boolean): Promise<boolean> {
  for (let tries = MAX_STATE_READS; tries > 0; tries--) {
    if ((await checkedNow(world, listed.key)) !== before) return true;
    await world.callAgent('waitForRest', 1, FRAME_MS);
  }
  return false;
}

const isStillPresent = ({ world, listed }: ElementContext): Promise<boolean> =>
  world.callAgent('isPresent', listed.key).catch(() => false);
