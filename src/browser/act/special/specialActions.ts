/** The actions that belong to no element: S1 to S15. Each is a value; the catalogue is the list at the end. */
import type { Response } from 'playwright';
import { afterMs, onAbort, waitUntil } from '../../../async/race.ts';
import { Failure } from '../../../domain/failures.ts';
import { MAX_WAIT_SECONDS } from '../../../domain/inputFields.ts';
import type { StepRequest } from '../../../domain/ports/browserHost.ts';
import type { Deadline } from '../../../domain/ports/deadline.ts';
import { raceDeadline } from '../../cdp/cdpChannel.ts';
import { deadlineFailure, hasErrorPage, isPageBeingReplaced, toNavigationFailure } from '../../cdp/errors.ts';
import { waitForErrorPage } from '../../tab/settle.ts';
import type { Tab } from '../../tab/tab.ts';
import type { TabSet } from '../../tab/tabSet.ts';

/** What a standing action has at hand. */
export interface SpecialActionContext {
  readonly tab: Tab;
  readonly tabs: TabSet;
  readonly command: StepRequest;
  readonly deadline: Deadline;
  readonly navigationTimeoutMs: number;
  goto(url: string): Promise<void>;
}

export interface SpecialAction {
  readonly id: string;
  /** What the event log says was done. */
  readonly description: string;
  /** Whether the page must have settled before the answer. */
  readonly settles: boolean;
  perform(context: SpecialActionContext): Promise<void>;
}

const missingValue = (id: string, what: string): Failure =>
  new Failure('VALIDATION_ERROR', `${id} needs ${what} in "value".`, {
    errors: [{ path: 'value', message: `is required: ${what}` }],
  });

const invalidValue = (id: string, message: string, value: string): Failure =>
  new Failure('VALIDATION_ERROR', `${id}: ${message}; got "${value.slice(0, 100)}".`, {
    errors: [{ path: 'value', message }],
  });

function requiredValue({ command }: SpecialActionContext, name: string, what: string): string {
  const value = command.params[name] ?? command.value;
  if (value == null || value.trim() === '') throw missingValue(command.actionId, what);
  return value;
}

/** How often a page that is just being replaced is asked again; each time waits for what the page does next. */
const MAX_TRIES = 8;
const REPLACEMENT_TIMEOUT_MS = 250;

/** Playwright reads the history before it goes anywhere in it: a refusal has changed nothing. */
async function navigateHistory(
  { page, network }: Tab,
  go: HistoryMove,
  timeout: number,
): Promise<Response | null> {
  for (let left = MAX_TRIES; ; left--)
    try {
      return await page[go]({ waitUntil: 'commit', timeout });
    } catch (error) {
      if (left === 0 || !isPageBeingReplaced(error)) throw error;
      await network.nextChange(REPLACEMENT_TIMEOUT_MS);
    }
}

type HistoryMove = 'goBack' | 'goForward' | 'reload';

async function moveInHistory(context: SpecialActionContext, go: HistoryMove): Promise<void> {
  const { tab, navigationTimeoutMs, deadline, command } = context;
  const from = tab.page.url();
  const { errorPageCount } = tab.network;
  try {
    const timeout = Math.max(1, Math.min(navigationTimeoutMs, deadline.remainingMs()));
    const response = await tab.interruptible(raceDeadline(navigateHistory(tab, go, timeout), deadline));
    if (response === null && go !== 'reload' && tab.page.url() === from && !tab.network.loading) {
      const way = go === 'goBack' ? 'earlier' : 'later';
      throw new Failure(
        'ACTION_BLOCKED',
        `${command.actionId}: there is no ${way} page in this tab's history.`,
      );
    }
  } catch (error) {
    if (hasErrorPage(error)) await tab.interruptible(waitForErrorPage(tab, errorPageCount));
    throw toNavigationFailure(error, tab.page.url(), navigationTimeoutMs, deadline);
  }
}

async function wait({ command, deadline, tab }: SpecialActionContext, seconds: number): Promise<void> {
  if (!Number.isFinite(seconds) || seconds < 0 || seconds > MAX_WAIT_SECONDS)
    throw invalidValue(
      command.actionId,
      `must be a number of seconds from 0 to ${MAX_WAIT_SECONDS}`,
      command.value ?? '',
    );
  await waitUntil(
    afterMs(seconds * 1_000),
    onAbort(deadline.signal, () => deadlineFailure(deadline)),
    tab.onInterrupt,
  );
}

/** `Control+A` is written so, and typed without Shift: the page hears of an `a`. */
const normalizeChord = (chord: string): string =>
  /(^|\+)Shift\+/i.test(chord)
    ? chord
    : chord.replace(/\+([A-Z])$/, (_, letter) => `+${letter.toLowerCase()}`);

async function pressKey(context: SpecialActionContext): Promise<void> {
  const key = normalizeChord(requiredValue(context, 'key', 'a key such as Enter or Control+A').trim());
  try {
    await context.tab.interruptible(raceDeadline(context.tab.page.keyboard.press(key), context.deadline));
  } catch (error) {
    if (error instanceof Error && /Unknown key/i.test(error.message))
      throw invalidValue(
        context.command.actionId,
        'must be a key or chord of the browser, such as Enter, ArrowDown or Control+A',
        key,
      );
    throw error;
  }
}

async function answerDialog(context: SpecialActionContext, accept: boolean): Promise<void> {
  const { tab, command } = context;
  const { dialog } = tab;
  if (dialog === null) throw new Failure('ACTION_BLOCKED', `${command.actionId}: no dialog is open.`);
  tab.dialog = null;
  const text = command.params.text ?? command.value;
  if (accept) await dialog.accept(...(dialog.type() === 'prompt' ? [text ?? dialog.defaultValue()] : []));
  else await dialog.dismiss();
}

const noOp = async (): Promise<void> => {};

/** In order of their ids. S9, S10, S16 and S17 concern elements: see scroll.ts, hover.ts and drag.ts. */
export const SPECIAL_ACTION_LIST: readonly SpecialAction[] = [
  {
    id: 'S1',
    description: 'goto',
    settles: false,
    perform: standing => standing.goto(requiredValue(standing, 'url', 'a web address')),
  },
  { id: 'S2', description: 'scrape', settles: false, perform: noOp },
  { id: 'S3', description: 'screenshot', settles: false, perform: noOp },
  { id: 'S4', description: 'back', settles: true, perform: standing => moveInHistory(standing, 'goBack') },
  {
    id: 'S5',
    description: 'forward',
    settles: true,
    perform: standing => moveInHistory(standing, 'goForward'),
  },
  { id: 'S6', description: 'refresh', settles: true, perform: standing => moveInHistory(standing, 'reload') },
  {
    id: 'S7',
    description: 'wait',
    settles: false,
    perform: async standing =>
      wait(standing, Number(requiredValue(standing, 'seconds', 'a number of seconds'))),
  },
  { id: 'S8', description: 'terminate', settles: false, perform: noOp },
  { id: 'S11', description: 'press key', settles: true, perform: pressKey },
  {
    id: 'S12',
    description: 'switch tab',
    settles: true,
    async perform(standing) {
      const id = requiredValue(standing, 'tab', 'the id of a tab').trim();
      const tab = standing.tabs.byId(id);
      const known = standing.tabs.rows().map(row => row.id);
      if (tab === null)
        throw invalidValue(standing.command.actionId, `must be one of ${known.join(', ')}`, id);
      await standing.tabs.activate(tab);
    },
  },
  {
    id: 'S13',
    description: 'close tab',
    settles: true,
    async perform({ tab, tabs, command }) {
      if (tabs.rows().length < 2)
        throw new Failure(
          'ACTION_BLOCKED',
          `${command.actionId}: the only tab cannot be closed; S8 ends the session.`,
        );
      await tab.page.close();
      await tabs.activate(tabs.active);
    },
  },
  {
    id: 'S14',
    description: 'accept dialog',
    settles: true,
    perform: standing => answerDialog(standing, true),
  },
  {
    id: 'S15',
    description: 'dismiss dialog',
    settles: true,
    perform: standing => answerDialog(standing, false),
  },
];
