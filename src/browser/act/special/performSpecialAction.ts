import {
  SPECIAL_ACTION_DEFINITIONS,
  type SpecialActionId,
} from '../../../domain/specialActions/specialActionDefinitions.ts';
import { withinBound } from '../ready/withinBound.ts';
import { answerDialog } from './answerDialog.ts';
import { chooseFiles } from './chooseFiles.ts';
import { clickGesture } from './clickGesture.ts';
import { closeTab } from './closeTab.ts';
import { drag } from './drag.ts';
import { goto } from './goto.ts';
import { hover } from './hover.ts';
import { navigateHistory } from './navigateHistory.ts';
import { pressAndHold } from './pressAndHold.ts';
import { pressKey } from './pressKey.ts';
import { scroll } from './scroll.ts';
import type { PerformSpecialAction } from './specialActionContext.ts';
import { switchTab } from './switchTab.ts';
import { turnWheel } from './turnWheel.ts';
import { typeIntoFocus } from './typeIntoFocus.ts';
import { wait } from './wait.ts';
import { waitFor } from './waitFor.ts';

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
