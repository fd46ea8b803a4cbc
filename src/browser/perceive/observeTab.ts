/** Observes a tab: reads its frames into a space (the list of actions on the page, see domain/space/space.ts), cut to the limits. */

import type { Deadline } from '../../domain/ports/clock.ts';
import type { Action, ActionKind } from '../../domain/space/action.ts';
import { normalizeLines, normalizeText, quote, truncate } from '../../domain/space/pageText.ts';
import {
  type Dialog,
  type ListingLimits,
  limitActions,
  type PageMessage,
  type PageObservation,
  type Pending,
  type Space,
  type TabInfo,
} from '../../domain/space/space.ts';
import { browserActions, SPECIAL_ACTIONS } from '../../domain/specialActions/specialActions.ts';
import { quoteUrl } from '../../domain/webAddress.ts';
import type { FrameObservation } from '../injected/perceive/wireFormat.ts';
import { shortUrl } from '../tab/openRequests.ts';
import type { Tab } from '../tab/tab.ts';
import { windowFloodOf } from '../tab/tabSet.ts';
import { type ObservationState, type PageRead, readAllFrames } from './readAllFrames.ts';
import { pageMetadata } from './readPage.ts';

const NOUNS: readonly (readonly [ActionKind, string])[] = [
  ['link', 'link'],
  ['button', 'button'],
  ['input', 'input'],
];

/** Returns a sentence such as `It has 2 links, 3 buttons and 1 input, 2 of them in 1 frame.` */
function countSentence(actions: readonly Pick<Action, 'kind' | 'frame'>[], frameCount: number): string {
  if (actions.length === 0) return 'It has no interactive elements.';
  const parts = NOUNS.flatMap(([kind, noun]) => {
    const count = actions.filter(action => action.kind === kind).length;
    return count === 0 ? [] : [counted(count, noun)];
  });
  const framed = actions.filter(({ frame }) => frame !== null).length;
  const where =
    framed === 0
      ? ''
      : `, ${framed === actions.length ? 'all' : `${framed} of them`} in ${counted(frameCount, 'frame')}`;
  return `It has ${parts.join(', ').replace(/, ([^,]*)$/, ' and $1')}${where}.`;
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Maximum length of the message of a dialog, and of the part of it that the description of the page quotes. Characters. */
const MAX_DIALOG_LENGTH = 10_000;
const MAX_QUOTED_DIALOG_LENGTH = 500;

const ENDED_SCRIPT =
  'The page was busy for long without answering, so the script that it ran, if any, was ended. The page may be incomplete.';
const PAUSED_SCRIPTS =
  'The page was busy for long without answering, in its scripts or with drawing, so all its scripts were stopped during this operation. The page may be incomplete, and actions may have no effect.';
const SILENT_SERVICE_WORKER = {
  page: 'The service worker of this site did not answer, so its pages are loaded without it.',
  frame: 'The service worker of a frame did not answer, so the frames of this page are loaded without it.',
};

/** Reads the page or its open dialog into a space. @throws Failure OPERATION_TIMEOUT, BROWSER_CRASHED */
export async function observeTab(
  tab: Tab,
  state: ObservationState,
  tabs: () => readonly TabInfo[],
  limits: ListingLimits,
  timestamp: () => number,
  deadline: Deadline,
): Promise<PageObservation> {
  if (tab.dialog !== null) return dialogObservation(tab, tab.dialog, tabs, timestamp);
  const read = await readAllFrames(tab, state, limits.text === true, deadline);
  if (read === null) return observeTab(tab, state, tabs, limits, timestamp, deadline);
  windowFloodOf(tab).pageObserved();
  const { actions, messages, textBlocks, unlistedChanges } = read;
  const isUnreachable = tab.network.unreachableUrl !== null;
  const page = isUnreachable ? unreachablePage(read.page, tab.redactedUrl) : read.page;
  tab.title = page.title;
  const rows = tabs();
  const listed = limitActions(actions, limits);
  const space: Space = {
    description: isUnreachable ? page.description : describe(read),
    category: page.category,
    actions: listed,
    specialActions: SPECIAL_ACTIONS,
    browserActions: browserActions({
      scrollableDown: page.scrollableDown,
      scrollableUp: page.scrollableUp,
      tabs: rows,
      fileChooser: tab.fileChoosers.open,
      dialog: null,
    }),
    totalActions: actions.length,
    truncated: listed.length < actions.length,
    dialog: null,
    messages: state.isUntold
      ? messages
      : [...endedNotes(tab), ...tab.unloadMessages.take(messages), ...messages],
    pending: pendingOf(tab, page.busy.map(normalizeText)),
    downloads: [],
    ...(limits.text === true && { textBlocks }),
    ...(unlistedChanges.length > 0 && {
      unlistedChanges: `The step changed ${unlistedChanges.join(', and ')}.`,
    }),
  };
  return { metadata: pageMetadata(tab, page.url, page.title, rows, timestamp()), space };
}

/** Returns notes on what the service has ended since the last observation: scripts of the page, and a load. */
function endedNotes(tab: Tab): readonly PageMessage[] {
  const note = (text: string): PageMessage => ({ kind: 'note', text, action: null, isNew: true });
  const url = tab.takeStoppedLoad();
  const bypassed = tab.serviceWorkers.takeBypassed();
  return [
    ...endedScriptNotes(tab).map(note),
    ...(bypassed === null ? [] : [note(SILENT_SERVICE_WORKER[bypassed])]),
    ...(url === null
      ? []
      : [note(`The page began to load ${quoteUrl(url)}, which did not answer, so the load was stopped.`)]),
  ];
}

function endedScriptNotes({ scripts }: Tab): readonly string[] {
  const hasEnded = scripts.takeEndedCount() > 0;
  if (scripts.takePaused()) return [PAUSED_SCRIPTS];
  return hasEnded ? [ENDED_SCRIPT] : [];
}

function pendingOf(tab: Tab, busy: readonly string[]): Pending {
  const now = performance.now();
  const { document, dueAt: timers } = tab.timers;
  const ofDocument = document === tab.network.document?.id ? timers : [];
  const left = ofDocument.filter(dueAt => dueAt > now).map(dueAt => Math.ceil(dueAt - now));
  const { pendingNavigation } = tab.network;
  return {
    requests: tab.network.requests.labels().map(normalizeText),
    timers: left.sort((one, other) => one - other),
    busy,
    navigation: pendingNavigation === null ? null : normalizeText(shortUrl(pendingNavigation)),
  };
}

const describe = ({ page: { description, summary }, actions, frameCount }: PageRead): string =>
  [`${description}.`, countSentence(actions, frameCount), summary].filter(part => part !== '').join(' ');

/** Returns the observation of a page that could not be opened, in place of that of Chromium's error page, which is of no use to an agent. */
const unreachablePage = (page: FrameObservation, url: string): FrameObservation => ({
  ...page,
  url,
  title: '',
  category: 'other',
  busy: [],
  description: `The browser could not open ${quote(url)} and shows nothing. S1 opens another address, S4 goes back, S6 tries again.`,
});

export function shownDialog(dialog: NonNullable<Tab['dialog']>): Dialog {
  const kind = dialog.type() as Dialog['kind'];
  const shown = (text: string): string => truncate(normalizeLines(text), MAX_DIALOG_LENGTH);
  return {
    kind,
    message: shown(dialog.message()),
    defaultValue: kind === 'prompt' ? shown(dialog.defaultValue()) : null,
  };
}

/** Returns the observation of a tab with an open dialog. The page cannot be read: its scripts wait until the dialog is answered. */
function dialogObservation(
  tab: Tab,
  openDialog: NonNullable<Tab['dialog']>,
  tabs: () => readonly TabInfo[],
  timestamp: () => number,
): PageObservation {
  const dialog = shownDialog(openDialog);
  const { kind } = dialog;
  const space: Space = {
    description: `The page shows ${kind === 'alert' ? 'an alert' : `a ${kind}`} dialog and waits until it is answered: ${quote(truncate(dialog.message, MAX_QUOTED_DIALOG_LENGTH))}.`,
    category: 'other',
    actions: [],
    specialActions: SPECIAL_ACTIONS,
    browserActions: browserActions({
      scrollableDown: 0,
      scrollableUp: 0,
      tabs: [],
      fileChooser: null,
      dialog: kind,
    }),
    totalActions: 0,
    truncated: false,
    dialog,
    messages: [],
    pending: pendingOf(tab, []),
    downloads: [],
  };
  return { metadata: pageMetadata(tab, tab.redactedUrl, tab.title, tabs(), timestamp()), space };
}
