/** Remembers where the changes of a step show: in the control that it has used, or beside it. */
import { contains } from '../dom/domGetters.ts';
import { disabledByPress, isDisabling } from './disabledByPress.ts';
import { stepInput } from './stepInput.ts';

/** True if a change was outside of the control that the step has used. */
let isElsewhere = false;
/** True if a change was to the content of this control. */
let isInControl = false;

/** Returns true if the step has changed something outside of the control that it has used. */
export const showsElsewhere = (): boolean => isElsewhere;

/** Returns true if the step has shown something: that the page disables its controls shows nothing. */
export const showsAnything = (): boolean => isElsewhere || isInControl;

/** Forgets the changes of the step before. */
export function forgetShown(): void {
  isElsewhere = false;
  isInControl = false;
}

/** Notes where a change of content shows. */
export function noteShown(record: MutationRecord): void {
  if (isElsewhere) return;
  const disabled = disabledByPress();
  if (disabled !== null && isDisabling(record)) return;
  const control = disabled ?? stepInput()?.control;
  if (control == null || !contains(control, record.target)) isElsewhere = true;
  else isInControl ||= record.type !== 'attributes' || record.attributeName === 'value';
}
