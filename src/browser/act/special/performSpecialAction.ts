import { afterMs, onAbort, waitUntil } from '../../../async/race.ts';
import { Failure } from '../../../domain/failure/failures.ts';
import {
  MAX_WAIT_SECONDS,
  parseWaitCondition,
  WAIT_FOR_GRAMMAR,
} from '../../../domain/specialActions/specialActionDefinition.ts';
import {
  SPECIAL_ACTION_DEFINITIONS,
  type SpecialActionId,
} from '../../../domain/specialActions/specialActions.ts';
import { deadlineFailure } from '../../cdp/errors.ts';
import { isTargetGone } from '../../cdp/playwrightInternals.ts';
import { ANSWER_RESERVE_MS, timeoutOption } from '../ready/whenReady.ts';
import { withinBound } from '../ready/withinBound.ts';
import { drag } from './drag.ts';
import { pressKey, typeIntoFocus } from './keyActions.ts';
import { clickGesture, hover, pressAndHold, scroll, turnWheel } from './pointerActions.ts';
import {
  invalidValue,
  type PerformSpecialAction,
  requiredValue,
  uploadPaths,
} from './specialActionContext.ts';
import { closeTab, goto, navigateHistory, switchTab } from './tabActions.ts';

/**
 * Returns a function that accepts or dismisses the dialog that the active tab has opened.
 * @throws Failure ACTION_BLOCKED when no dialog is open
 */
const answerDialog =
  (answer: 'accept' | 'dismiss'): PerformSpecialAction =>
  async ({ tab, command, id }) => {
    const text = command.params.text ?? command.value;
    if (!(await tab.dialogs.answer(answer === 'accept', text)))
      throw new Failure('ACTION_BLOCKED', `${id}: no dialog is open.`, { retryable: false });
  };

/**
 * Gives uploaded files to the file chooser that the page has opened.
 * @throws Failure VALIDATION_ERROR when there is no such upload; ACTION_BLOCKED when no file chooser is open
 */
const chooseFiles: PerformSpecialAction = async context => {
  const { id, tab, deadline } = context;
  const ids = requiredValue(context, 'files')
    .split(/[\s,]+/)
    .filter(part => part !== '');
  if (tab.fileChoosers.open === null)
    throw new Failure('ACTION_BLOCKED', `${id}: the page has opened no file chooser.`, { retryable: false });
  if (ids.length > 1 && tab.fileChoosers.open === 'one')
    throw invalidValue(id, 'takes one upload, because the file chooser takes one file', ids.join(','));
  const paths = await uploadPaths(context, ids);
  try {
    // A chooser that the page has closed fails at once: only a busy page takes longer.
    const timeout = timeoutOption(deadline, deadline.remainingMs() - ANSWER_RESERVE_MS);
    await tab.interruptible(tab.fileChoosers.take()?.setFiles(paths, timeout) ?? Promise.resolve());
  } catch (error) {
    if (isTargetGone(error)) throw error;
    throw new Failure('ACTION_BLOCKED', `${id}: the page has closed its file chooser.`, {
      retryable: false,
      cause: error,
    });
  }
};

/**
 * Waits for the number of seconds in the value.
 * @throws Failure VALIDATION_ERROR when the value is no number from 0 to `MAX_WAIT_SECONDS`; OPERATION_TIMEOUT
 * @throws Interrupted when a dialog opens, or the page crashes or closes
 */
const wait: PerformSpecialAction = async context => {
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

/**
 * Waits until the condition in the value is met.
 * @throws Failure VALIDATION_ERROR when the value is no condition; WAIT_TIMEOUT
 */
const waitFor: PerformSpecialAction = async context => {
  const text = requiredValue(context, 'condition');
  const condition = parseWaitCondition(text);
  if (condition === null) throw invalidValue(context.id, `must be ${WAIT_FOR_GRAMMAR}`, text);
  await context.waitFor(condition);
};

/** Does nothing: for S2, S3 and S8 the service scrapes, takes a screenshot or ends the session after the step. */
const nothingToDo: PerformSpecialAction = async () => {};

/** Returns the function with a time limit below that of the operation. It ends when a dialog opens: the page waits until that is answered. */
const bounded =
  (perform: PerformSpecialAction): PerformSpecialAction =>
  context => {
    const what = `${context.id} (${SPECIAL_ACTION_DEFINITIONS[context.id].name})`;
    return withinBound(context.tab.interruptible(perform(context)), what, context);
  };

/** The function that performs each special action, by the action's id. */
const PERFORMERS: Readonly<Record<SpecialActionId, PerformSpecialAction>> = {
  S1: goto,
  S2: nothingToDo,
  S3: nothingToDo,
  S4: navigateHistory('goBack'),
  S5: navigateHistory('goForward'),
  S6: navigateHistory('reload'),
  S7: wait,
  S8: nothingToDo,
  S9: bounded(scroll('down')),
  S10: bounded(scroll('up')),
  S11: bounded(pressKey),
  S12: switchTab,
  S13: closeTab,
  S14: answerDialog('accept'),
  S15: answerDialog('dismiss'),
  S16: bounded(hover),
  S17: bounded(drag),
  S18: bounded(clickGesture({ clickCount: 2 })),
  S19: bounded(clickGesture({ button: 'right' })),
  S20: bounded(pressAndHold),
  S21: bounded(clickGesture({})),
  S22: bounded(turnWheel),
  S23: bounded(typeIntoFocus),
  S24: waitFor,
  S25: bounded(chooseFiles),
};

/**
 * Performs the special action `context.id`.
 * @throws Failure VALIDATION_ERROR, ACTION_BLOCKED and the failures of `BrowserLease.goto` and `resolveElement`
 * @throws Interrupted when a dialog opens, or the page crashes or closes
 */
export const performSpecialAction: PerformSpecialAction = context => PERFORMERS[context.id](context);
