import type { SpecialActionId } from '../../../domain/specialActionDefinitions.ts';
import { answerDialog } from './answerDialog.ts';
import { closeTab } from './closeTab.ts';
import { drag } from './drag.ts';
import { goto } from './goto.ts';
import { hover } from './hover.ts';
import { navigateHistory } from './navigateHistory.ts';
import { pressKey } from './pressKey.ts';
import { scroll } from './scroll.ts';
import type { PerformSpecialAction } from './specialActionContext.ts';
import { switchTab } from './switchTab.ts';
import { wait } from './wait.ts';

/** For actions whose effect follows the step: the service then does what the definition requests. */
const nothingToDo: PerformSpecialAction = async () => {};

/** The function that performs each special action. A definition without an entry here does not compile. */
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
};

/** Performs a special action. @throws Failure VALIDATION_ERROR, ACTION_BLOCKED and those of goto and `resolveElement`; Interrupted */
export const performSpecialAction: PerformSpecialAction = context => PERFORMERS[context.id](context);
