/** The actions that belong to no element: S1 to S15. Each is a value; the catalogue is the list at the end. */
import type { Response } from 'playwright';
import { Failure } from '../../domain/failures.ts';
import { LONGEST_WAIT_SECONDS } from '../../domain/input.ts';
import type { Deadline, StepCommand } from '../../domain/ports.ts';
import { within } from '../channel.ts';
import { deadlineFailure, isBeingReplaced, showsErrorPage, translateNavigation } from '../errors.ts';
import { errorPageCame } from '../settle.ts';
import type { Tab } from '../tab.ts';
import type { TabSet } from '../tabSet.ts';

/** What a standing action has at hand. */
export interface Standing {
  readonly tab: Tab;
  readonly tabs: TabSet;
  readonly command: StepCommand;
  readonly deadline: Deadline;
  readonly navigationTimeoutMs: number;
  goto(url: string): Promise<void>;
}

export interface StandingAction {
  readonly id: string;
  /** What the event log says was done. */
  readonly description: string;
  /** Whether the page must have settled before the answer. */
  readonly settles: boolean;
  perform(standing: Standing): Promise<void>;
}

const missing = (id: string, what: string): Failure =>
  new Failure('VALIDATION_ERROR', `${id} needs ${what} in "value".`, {
    errors: [{ path: 'value', message: `is required: ${what}` }],
  });

const invalid = (id: string, message: string, value: string): Failure =>
  new Failure('VALIDATION_ERROR', `${id}: ${message}; got "${value.slice(0, 100)}".`, {
    errors: [{ path: 'value', message }],
  });

function required({ command }: Standing, name: string, what: string): string {
  const value = command.params[name] ?? command.value;
  if (value == null || value.trim() === '') throw missing(command.actionId, what);
  return value;
}

/** How often a page that is just being replaced is asked again; each time waits for what the page does next. */
const MOST_TRIES = 8;
const PATIENCE_WITH_REPLACEMENT_MS = 250;

/** Playwright reads the history before it goes anywhere in it: a refusal has changed nothing. */
async function travel({ page, activity }: Tab, go: Way, timeout: number): Promise<Response | null> {
  for (let left = MOST_TRIES; ; left--)
    try {
      return await page[go]({ waitUntil: 'commit', timeout });
    } catch (error) {
      if (left === 0 || !isBeingReplaced(error)) throw error;
      await activity.change(PATIENCE_WITH_REPLACEMENT_MS);
    }
}

type Way = 'goBack' | 'goForward' | 'reload';

async function history(standing: Standing, go: Way): Promise<void> {
  const { tab, navigationTimeoutMs, deadline, command } = standing;
  const from = tab.page.url();
  const { errorPages } = tab.activity;
  try {
    const timeout = Math.max(1, Math.min(navigationTimeoutMs, deadline.remainingMs()));
    const response = await tab.interruptible(within(travel(tab, go, timeout), deadline));
    if (response === null && go !== 'reload' && tab.page.url() === from && !tab.activity.loading) {
      const way = go === 'goBack' ? 'earlier' : 'later';
      throw new Failure(
        'ACTION_BLOCKED',
        `${command.actionId}: there is no ${way} page in this tab's history.`,
      );
    }
  } catch (error) {
    if (showsErrorPage(error)) await tab.interruptible(errorPageCame(tab, errorPages));
    throw translateNavigation(error, tab.page.url(), navigationTimeoutMs, deadline);
  }
}

async function wait({ command, deadline, tab }: Standing, seconds: number): Promise<void> {
  if (!Number.isFinite(seconds) || seconds < 0 || seconds > LONGEST_WAIT_SECONDS)
    throw invalid(
      command.actionId,
      `must be a number of seconds from 0 to ${LONGEST_WAIT_SECONDS}`,
      command.value ?? '',
    );
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, seconds * 1000);
  const abort = () => reject(deadlineFailure(deadline));
  deadline.signal.addEventListener('abort', abort, { once: true });
  try {
    await tab.interruptible(promise);
  } finally {
    clearTimeout(timer);
    deadline.signal.removeEventListener('abort', abort);
  }
}

/** `Control+A` is written so, and typed without Shift: the page hears of an `a`. */
const asTyped = (chord: string): string =>
  /(^|\+)Shift\+/i.test(chord)
    ? chord
    : chord.replace(/\+([A-Z])$/, (_, letter) => `+${letter.toLowerCase()}`);

async function press(standing: Standing): Promise<void> {
  const key = asTyped(required(standing, 'key', 'a key such as Enter or Control+A').trim());
  try {
    await standing.tab.interruptible(within(standing.tab.page.keyboard.press(key), standing.deadline));
  } catch (error) {
    if (error instanceof Error && /Unknown key/i.test(error.message))
      throw invalid(
        standing.command.actionId,
        'must be a key or chord of the browser, such as Enter, ArrowDown or Control+A',
        key,
      );
    throw error;
  }
}

async function answerDialog(standing: Standing, accept: boolean): Promise<void> {
  const { tab, command } = standing;
  const { dialog } = tab;
  if (dialog === null) throw new Failure('ACTION_BLOCKED', `${command.actionId}: no dialog is open.`);
  tab.dialog = null;
  const text = command.params.text ?? command.value;
  if (accept) await dialog.accept(...(dialog.type() === 'prompt' ? [text ?? dialog.defaultValue()] : []));
  else await dialog.dismiss();
}

const nothing = async (): Promise<void> => {};

/** In order of their ids. S9, S10, S16 and S17 concern elements: see scroll.ts, hover.ts and drag.ts. */
export const STANDING_ACTIONS: readonly StandingAction[] = [
  {
    id: 'S1',
    description: 'goto',
    settles: false,
    perform: standing => standing.goto(required(standing, 'url', 'a web address')),
  },
  { id: 'S2', description: 'scrape', settles: false, perform: nothing },
  { id: 'S3', description: 'screenshot', settles: false, perform: nothing },
  { id: 'S4', description: 'back', settles: true, perform: standing => history(standing, 'goBack') },
  { id: 'S5', description: 'forward', settles: true, perform: standing => history(standing, 'goForward') },
  { id: 'S6', description: 'refresh', settles: true, perform: standing => history(standing, 'reload') },
  {
    id: 'S7',
    description: 'wait',
    settles: false,
    perform: async standing => wait(standing, Number(required(standing, 'seconds', 'a number of seconds'))),
  },
  { id: 'S8', description: 'terminate', settles: false, perform: nothing },
  { id: 'S11', description: 'press key', settles: true, perform: press },
  {
    id: 'S12',
    description: 'switch tab',
    settles: true,
    async perform(standing) {
      const id = required(standing, 'tab', 'the id of a tab').trim();
      const tab = standing.tabs.byId(id);
      const known = standing.tabs.rows().map(row => row.id);
      if (tab === null) throw invalid(standing.command.actionId, `must be one of ${known.join(', ')}`, id);
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
