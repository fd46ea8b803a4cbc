import { afterMs, onAbort, waitUntil } from '../../../async/race.ts';
import { MAX_WAIT_SECONDS } from '../../../domain/inputFields.ts';
import { deadlineFailure } from '../../cdp/errors.ts';
import { invalidValue, requiredValue } from './actionValue.ts';
import type { PerformSpecialAction } from './specialActionContext.ts';

/**
 * Waits for the number of seconds in the value.
 * @throws Failure VALIDATION_ERROR when the value is no number from 0 to `MAX_WAIT_SECONDS`; OPERATION_TIMEOUT
 * @throws Interrupted when a dialog opens, or the page crashes or closes
 */
export const wait: PerformSpecialAction = async context => {
  const { command, deadline, tab, id } = context;
  const seconds = Number(requiredValue(context, 'seconds'));
  if (!Number.isFinite(seconds) || seconds < 0 || seconds > MAX_WAIT_SECONDS)
    throw invalidValue(id, `must be a number of seconds from 0 to ${MAX_WAIT_SECONDS}`, command.value ?? '');
  await waitUntil(
    afterMs(seconds * 1_000),
    onAbort(deadline.signal, () => deadlineFailure(deadline)),
    tab.onInterrupt,
  );
};
