/**
 * Waits for a control that its own press has disabled: many pages disable a button for as long as they work. One that shows an effect
 * beside that has done its work; one that stays disabled for good is learnt.
 */
import { disabledByPress } from './disabledByPress.ts';
import { showsAnything } from './shownEffect.ts';
import { type StepInput, stepInput } from './stepInput.ts';

/** Time for which a control that stays disabled is reported. Milliseconds. */
const MAX_REPORTED_MS = 60_000;
/** Time between two checks. Milliseconds. */
const CHECK_INTERVAL_MS = 25;
/** Number of controls in a row that stay disabled, after which none is waited for in this document. */
const MAX_IN_VAIN = 2;

/** The press whose wait was in vain, by the control that stayed disabled. */
const inVain = new WeakMap<Element, StepInput>();
let inVainInRow = 0;

/** Returns the control that the step has pressed and that is disabled since, if the step shows nothing else and the control is not known to stay so. */
export function heldControl(): Element | null {
  const input = stepInput();
  const control = disabledByPress();
  if (control === null || input === null || showsAnything()) return null;
  const before = inVain.get(control);
  const isKnown = before === undefined ? inVainInRow >= MAX_IN_VAIN : before !== input;
  return isKnown || performance.now() - input.event.timeStamp > MAX_REPORTED_MS ? null : control;
}

/**
 * Waits while the control that the step has pressed stays disabled and nothing else changes, at most `maxMs` milliseconds.
 * @param learns true to wait for a control that stays disabled no second time
 */
export async function waitWhileHeld(maxMs: number, learns: boolean): Promise<void> {
  const end = performance.now() + maxMs;
  while (heldControl() !== null && performance.now() < end)
    await new Promise(resolve => setTimeout(resolve, CHECK_INTERVAL_MS));
  const [control, input] = [heldControl(), stepInput()];
  if (control === null) inVainInRow = 0;
  else if (learns && input !== null && !inVain.has(control)) {
    inVain.set(control, input);
    inVainInRow++;
  }
}
