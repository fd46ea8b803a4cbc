import type { Response } from 'playwright';
import { afterMs, onAbort, waitUntil } from '../../../async/race.ts';
import { Failure } from '../../../domain/failure/failures.ts';
import type { Deadline } from '../../../domain/ports/clock.ts';
import { cutText } from '../../../domain/space/pageText.ts';
import {
  MAX_WAIT_SECONDS,
  parseWaitCondition,
  WAIT_FOR_GRAMMAR,
} from '../../../domain/specialActions/specialActionDefinition.ts';
import {
  SPECIAL_ACTION_DEFINITIONS,
  type SpecialActionId,
} from '../../../domain/specialActions/specialActions.ts';
import { raceDeadline } from '../../cdp/cdpChannel.ts';
import { deadlineFailure } from '../../cdp/errors.ts';
import {
  hasErrorPage,
  isPageBeingReplaced,
  isTargetGone,
  isUnknownKey,
} from '../../cdp/playwrightInternals.ts';
import { toNavigationFailure, waitForErrorPage } from '../../tab/navigate.ts';
import type { Tab } from '../../tab/tab.ts';
import { ANSWER_RESERVE_MS, timeoutOption, withinBound } from '../ready/whenReady.ts';
import { isPasteChord, pasteContent } from '../values/pasteContent.ts';
import { typeCharacters } from '../values/typeCharacters.ts';
import { drag } from './drag.ts';
import { clickGesture, hover, pressAndHold, scroll, turnWheel } from './pointerActions.ts';
import {
  invalidValue,
  type PerformSpecialAction,
  requiredValue,
  uploadPaths,
} from './specialActionContext.ts';

/** Presses the key or key combination in the value. @throws Failure VALIDATION_ERROR when it is missing, or Playwright does not know it */
const pressKey: PerformSpecialAction = async context => {
  const { tab, deadline, id } = context;
  const key = normalizeChord(requiredValue(context, 'key').trim());
  try {
    const press = isPasteChord(key)
      ? pasteContent(tab, key, deadline)
      : raceDeadline(tab.page.keyboard.press(key), deadline);
    await tab.interruptible(press);
  } catch (error) {
    if (isUnknownKey(error))
      throw invalidValue(
        id,
        'must be a key or chord of the browser, such as Enter, ArrowDown or Control+A',
        key,
      );
    throw error;
  }
};

/** `Control+A` → `Control+a`: people write a capital letter, but the page must receive the key without Shift. */
const normalizeChord = (chord: string): string =>
  /(^|\+)Shift\+/i.test(chord)
    ? chord
    : chord.replace(/\+([A-Z])$/, (_, letter) => `+${letter.toLowerCase()}`);

/** Maximum length of a text that is typed key by key. A longer line is inserted at once, except its last character. */
const MAX_TYPED_CHARACTERS = 200;

/** The page of the focus is not known, so each key follows the reaction to the one before. */
const IN_TURN = { keyEntry: 'in turn', isIdle: async () => false } as const;

/** Types the value into whatever has the focus. A line break presses Enter. @throws Failure VALIDATION_ERROR when the value is missing */
const typeIntoFocus: PerformSpecialAction = async context => {
  const { tab, deadline, command } = context;
  const text = command.params.text ?? command.value ?? '';
  if (text === '') requiredValue(context, 'text');
  if (!(await (await context.topWorld()).callAgent('hasFocusedElement')))
    context.addEffectCheck(async () => 'Nothing had the focus, so the keys went to the page as a whole.');
  await context.beginTyping(text);
  const { keyboard } = tab.page;
  const type = async (): Promise<void> => {
    for (const [nth, line] of text.split(/\r?\n/).entries()) {
      if (nth > 0) await keyboard.press('Enter');
      const inserted = line.length > MAX_TYPED_CHARACTERS ? cutText(line, line.length - 1) : '';
      if (inserted !== '') await keyboard.insertText(inserted);
      await typeCharacters(tab, line.slice(inserted.length), IN_TURN, deadline);
    }
    if (command.enter) await keyboard.press('Enter');
  };
  await tab.interruptible(raceDeadline(type(), deadline));
};

/** Opens the URL in the value. @throws Failure VALIDATION_ERROR when there is no value; the failures of `BrowserLease.goto` */
const goto: PerformSpecialAction = async context => context.goto(requiredValue(context, 'url'));

type HistoryMove = 'goBack' | 'goForward' | 'reload';

/** Maximum number of retries of a move that Chromium refuses because it is replacing the page. */
const MAX_RETRIES = 8;
/** Maximum wait for a change of the page before each retry. */
const REPLACEMENT_TIMEOUT_MS = 250;

/** Moves in the history, or reloads. @throws Failure ACTION_BLOCKED without such a page; NAVIGATION_FAILED, NAVIGATION_TIMEOUT */
const navigateHistory =
  (move: HistoryMove): PerformSpecialAction =>
  async ({ tab, navigationTimeoutMs, deadline, id }) => {
    const from = tab.page.url();
    const { errorPageCount } = tab.network;
    if (move === 'goBack' && (await isFirstPage(tab, deadline))) throw noPage(id, 'earlier');
    try {
      const moved = moveWithRetries(tab, move, navigationTimeoutMs);
      const response = await tab.interruptible(raceDeadline(moved, deadline));
      if (response === null && move !== 'reload' && tab.page.url() === from && !tab.network.loading) {
        throw noPage(id, move === 'goBack' ? 'earlier' : 'later');
      }
    } catch (error) {
      if (hasErrorPage(error)) await tab.interruptible(waitForErrorPage(tab, errorPageCount));
      throw toNavigationFailure(error, tab.page.url(), navigationTimeoutMs, deadline);
    }
  };

const noPage = (id: string, direction: 'earlier' | 'later'): Failure =>
  new Failure('ACTION_BLOCKED', `${id}: there is no ${direction} page in this tab's history.`, {
    retryable: false,
  });

async function isFirstPage({ target }: Tab, deadline: Deadline): Promise<boolean> {
  // While Chromium replaces the page, it tells no history: then there is an earlier page.
  const history = await target.channel
    .send('Page.getNavigationHistory', undefined, deadline)
    .catch(() => null);
  return history?.currentIndex === 1 && history.entries[0]?.url === 'about:blank';
}

/** Tries again when Chromium refuses, which has changed nothing then: Playwright reads the history before it moves. */
async function moveWithRetries(
  { page, network }: Tab,
  move: HistoryMove,
  timeout: number,
): Promise<Response | null> {
  for (let retriesLeft = MAX_RETRIES; ; retriesLeft--)
    try {
      return await page[move]({ waitUntil: 'commit', timeout });
    } catch (error) {
      if (retriesLeft === 0 || !isPageBeingReplaced(error)) throw error;
      await network.nextChange(REPLACEMENT_TIMEOUT_MS);
    }
}

/** Activates the tab whose id is in the value. @throws Failure VALIDATION_ERROR when the session has no such tab */
const switchTab: PerformSpecialAction = async context => {
  const { tabs } = context;
  const tabId = requiredValue(context, 'tab').trim();
  const tab = tabs.byId(tabId);
  if (tab === null) {
    const known = tabs.rows().map(row => row.id);
    throw invalidValue(context.id, `must be one of ${known.join(', ')}`, tabId);
  }
  await tabs.activate(tab);
};

/** Closes the active tab; another tab becomes active. @throws Failure ACTION_BLOCKED when it is the only tab */
const closeTab: PerformSpecialAction = async ({ tab, tabs, id }) => {
  if (tabs.rows().length < 2)
    throw new Failure('ACTION_BLOCKED', `${id}: the only tab cannot be closed; S8 ends the session.`, {
      retryable: false,
    });
  await tab.page.close();
  await tabs.activate(tabs.active);
};

/** Accepts or dismisses the dialog. @throws Failure ACTION_BLOCKED when none is open */
const answerDialog =
  (answer: 'accept' | 'dismiss'): PerformSpecialAction =>
  async ({ tab, command, id }) => {
    const text = command.params.text ?? command.value;
    if (!(await tab.dialogs.answer(answer === 'accept', text)))
      throw new Failure('ACTION_BLOCKED', `${id}: no dialog is open.`, { retryable: false });
  };

/** Gives uploads to the open file chooser. @throws Failure VALIDATION_ERROR; ACTION_BLOCKED when none is open */
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

/** Waits for seconds. @throws Failure VALIDATION_ERROR, OPERATION_TIMEOUT; Interrupted */
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

/** Waits for a condition. @throws Failure VALIDATION_ERROR, WAIT_TIMEOUT */
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

/** @throws Failure VALIDATION_ERROR, ACTION_BLOCKED and those of `BrowserLease.goto` and `resolveElement`; Interrupted */
export const performSpecialAction: PerformSpecialAction = context => PERFORMERS[context.id](context);
