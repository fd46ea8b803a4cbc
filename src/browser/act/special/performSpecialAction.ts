import type { SpecialActionId } from '../../../domain/specialActionDefinitions.ts';
import { answerDialog } from './answerDialog.ts';
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

/** Does nothing: for S2, S3 and S8 the service scrapes, takes a screenshot or ends the session after the step. */
const nothingToDo: PerformSpecialAction = async () => {};

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
  S9: scroll('down'),
  S10: scroll('up'),
  S11: pressKey,
  S12: switchTab,
  S13: closeTab,
  S14: answerDialog('accept'),
  S15: answerDialog('dismiss'),
  S16: hover,
  S17: drag,
  S18: clickGesture({ clickCount: 2 }),
  S19: clickGesture({ button: 'right' }),
  S20: pressAndHold,
  S21: clickGesture({}),
  S22: turnWheel,
  S23: typeIntoFocus,
};

/**
 * Performs the special action `context.id`.
 * @throws Failure VALIDATION_ERROR, ACTION_BLOCKED and the failures of `BrowserLease.goto` and `resolveElement`
 * @throws Interrupted when a dialog opens, or the page crashes or closes
 */
export const performSpecialAction: PerformSpecialAction = context => PERFORMERS[context.id](context);
