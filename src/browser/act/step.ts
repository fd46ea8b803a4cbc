/** Performs one step: resolves the id, acts, waits until the page has settled. */

import type { StepKind } from '../../domain/account/keyPolicy.ts';
import { Failure, isFailure } from '../../domain/failure/failures.ts';
import type { StepOutcome } from '../../domain/ports/browserHost.ts';
import type { Deadline } from '../../domain/ports/clock.ts';
import { quote } from '../../domain/space/pageText.ts';
import {
  DEFAULT_WAIT_MS,
  type SpecialActionDefinition,
} from '../../domain/specialActions/specialActionDefinition.ts';
import {
  findSpecialAction,
  isSpecialActionId,
  SPECIAL_ACTION_DEFINITIONS,
  type SpecialActionId,
  specialActionRange,
} from '../../domain/specialActions/specialActions.ts';
import { vaultRefused } from '../../domain/vault.ts';
import { raceDeadline } from '../cdp/cdpChannel.ts';
import { pageCrashedFailure, toFailure } from '../cdp/errors.ts';
import { isDocumentGone } from '../cdp/playwrightInternals.ts';
import { PageTasks, type SettleMark } from '../settle/pageTasks.ts';
import {
  endOperation,
  markBeforeStep,
  type SettledCheck,
  settleDocument,
  settledCheck,
  settleTab,
} from '../settle/settle.ts';
import { Interrupted, type Tab } from '../tab/tab.ts';
import { actOnElement } from './actOnElement.ts';
import { type ElementContext, type KeptCheck, StaleAction } from './element/elementContext.ts';
import { endUnusedGuard, latePressNote, missedNote } from './pointer/clickGuard.ts';
import { withinBound } from './ready/whenReady.ts';
import { resolveElement, SET_BY_PRESS, type StepContext } from './resolveElement.ts';
import { performSpecialAction } from './special/performSpecialAction.ts';
import { ReadOnlyField } from './values/refusedValue.ts';
import { type EffectCheck, effectCheck, heldInstead } from './values/valueChecks.ts';

/** Maximum time between two checks whether the tab has a document or has started a download. Milliseconds. */
const CHECK_INTERVAL_MS = 100;

/** Waits until the opened tab has settled, or has started a download in place of a document. */
async function settleOpenedTab(context: StepContext, opened: Tab): Promise<void> {
  const { deadline, command } = context;
  const waitMs = command.waitMs ?? null;
  await waitForDocument(context, opened, waitMs ?? DEFAULT_WAIT_MS, deadline);
  if (context.hasDownloaded()) return;
  await settleTab(opened, { requestNumber: 0 }, deadline, waitMs);
}

/** Closes the opened tab if it shows nothing because its address was a file, and makes `opener` the active tab again. */
async function closeIfOnlyDownload(context: StepContext, opened: Tab, opener: Tab): Promise<void> {
  if (!context.hasDownloaded() || hasDocument(opened) || opener.page.isClosed()) return;
  await opened.page.close().catch(() => {});
  await context.tabs.activate(opener);
}

const hasDocument = ({ page }: Tab): boolean => page.url() !== '' && page.url() !== 'about:blank';

async function waitForDocument(
  context: StepContext,
  opened: Tab,
  maxMs: number,
  deadline: Deadline,
): Promise<void> {
  const end = performance.now() + Math.min(maxMs, deadline.remainingMs() / 2);
  const isAwaited = () => opened.page.url() === '' && !opened.isUnresponsive && !context.hasDownloaded();
  for (let left = end - performance.now(); isAwaited() && left > 0; left = end - performance.now())
    await opened.network.nextChange(Math.min(left, CHECK_INTERVAL_MS));
}

/** Performs the action and waits until the page has settled. @throws Failure of `resolveElement`, `actOnElement` and `BrowserLease.goto` */
export async function step(context: StepContext): Promise<StepOutcome> {
  const tab = context.tabs.active;
  context.tabs.forgetNavigated();
  const { actionId } = context.command;
  const isSpecial = actionId.startsWith('S');
  const special = findSpecialAction(actionId);
  if (
    special === null
      ? !isSpecial && !context.stateOf(tab).registry.hasObserved
      : !context.hasObserved && special.actsOnPage !== false
  )
    throw new Failure(
      'NOT_OBSERVED',
      `The page has not been observed yet, so ${actionId} is not known. Observe first.`,
    );
  const { answersDialog = false, leavesPage = false } = special ?? {};
  const dismissed = answersDialog || leavesPage ? [] : await tab.dialogs.clear();
  const outcome = await performStep(context, tab, actionId).catch(error => chooseOpened(context, tab, error));
  return dismissed.length === 0
    ? outcome
    : { ...outcome, notes: [...dismissed.slice(0, 1).map(dismissedNote), ...outcome.notes] };
}

const dismissedNote = (dialog: string): string =>
  `The step dismissed the open dialog first: ${dialog}. S14 and S15 answer a dialog.`;

/** Presses the one action that a read-only field has opened and whose name is the value: the field then holds a form of it, `+49` for `Germany`. */
async function chooseOpened(context: StepContext, tab: Tab, error: unknown): Promise<StepOutcome> {
  const { command } = context;
  if (!(error instanceof ReadOnlyField) || command.value === null) throw error;
  const { field, before } = error;
  await context.reobserve();
  const opened = context.stateOf(tab).registry.current.filter(({ id }) => !before.has(id));
  const [choice, second] = opened.filter(({ name }) => foldText(name) === foldText(command.value ?? ''));
  if (choice === undefined || second !== undefined || command.secret != null)
    throw new ReadOnlyField(field, before, opened);
  const press = { ...context, command: { ...command, actionId: choice.id, value: null, enter: false } };
  const outcome = await performStep(press, tab, choice.id);
  const chosen = await resolveElement(context, tab, field.id, true).catch(nullIfFailure);
  const held = chosen === null ? null : await tab.interruptible(heldInstead(chosen, command.value));
  const state = held === null ? '' : ` It holds ${quote(held)} now.`;
  const note = `${field.id} is read-only: the step has pressed ${choice.id} (${choice.description}), which it had opened.${state}`;
  return { ...outcome, notes: [note, ...outcome.notes] };
}

const foldText = (text: string): string => text.trim().toLowerCase();

async function performStep(context: StepContext, tab: Tab, actionId: string): Promise<StepOutcome> {
  const isSpecial = actionId.startsWith('S');
  if (isSpecial && context.command.secret != null)
    throw vaultRefused('A value of the vault goes only into a field that the page lists, such as I1.');
  if (isSpecialActionId(actionId)) return stepSpecial(context, tab, actionId);
  if (isSpecial)
    throw new Failure(
      'ACTION_NOT_FOUND',
      `There is no action ${actionId}. The special actions are ${specialActionRange()}.`,
    );
  return stepElement(context, tab, actionId);
}

const READING: ReadonlySet<string> = new Set('S1 S2 S3 S4 S5 S6 S7 S8 S9 S10 S12 S13 S24'.split(' '));

/** Asks the policy of the caller about a special action. @throws Failure POLICY_REFUSED */
async function assertSpecialKind({ command }: StepContext, id: SpecialActionId): Promise<void> {
  const { assertKind, enter, params, value } = command;
  if (assertKind === undefined || READING.has(id)) return;
  await assertKind('write');
  const texts = [value ?? '', ...Object.values(params)];
  // A drag may drop uploads.
  if (id === 'S25' || (id === 'S17' && texts.some(text => /^\s*U\d/i.test(text)))) await assertKind('upload');
  // A line break in a typed text is the key Enter, a space is the space bar, which presses the button that has the focus.
  const isKey =
    (id === 'S11' && texts.some(text => /enter|return|space|^ $/i.test(text))) ||
    (id === 'S23' && texts.some(text => text.includes(' ')));
  // A gesture at a point, at quoted words, or at a point beside an element may press any button.
  const isAtPoint =
    /^S(?:1[789]|2[01])$/.test(id) &&
    (texts.some(text => /["“”@]/.test(text)) || !texts.some(text => /[LBI]\d/i.test(text)));
  if (enter || isKey || isAtPoint || texts.some(text => text.includes('\n'))) await assertKind('submit');
}

/** Asks the policy of the caller about an action on an element. @throws Failure POLICY_REFUSED, ACTION_STALE */
async function assertElementKinds({ command }: StepContext, element: ElementContext): Promise<void> {
  const { assertKind, secret, enter, value } = command;
  if (assertKind === undefined) return;
  const { world, listed } = element;
  if (command.isApproved === true && !(await world.callAgent('isNamedAsListed', listed.key)))
    throw new StaleAction(listed.id, listed, 'its name is not the one that a person has approved');
  await assertKind('write');
  if (secret != null) await assertKind('vault');
  if (listed.control === 'file') await assertKind('upload');
  const isLine = listed.control !== 'contenteditable' && (value ?? '').includes('\n');
  const isAtPoint = listed.control === 'click' && value !== null;
  if (enter || isLine || isAtPoint || (await world.callAgent('submitsForm', listed.key)))
    await assertKind('submit');
}

/** Matches the ids of elements in the values of gestures. */
const ELEMENT_ID = /\b[LBI][1-9]\d*\b/gi;

/** Returns the kinds of a step. @throws Failure ACTION_NOT_FOUND, ACTION_STALE, ACTION_BLOCKED */
export async function stepKinds(context: StepContext): Promise<readonly StepKind[]> {
  const kinds = new Set<StepKind>();
  const { command, tabs } = context;
  const { actionId, value, params } = command;
  const assertKind = async (kind: StepKind): Promise<void> => void kinds.add(kind);
  const asking = { ...context, command: { ...command, assertKind } };
  const texts = [value ?? '', ...Object.values(params)];
  const isGesture = /^S(?:1[6-9]|2[0-2])$/.test(actionId);
  const ids = isGesture ? texts.flatMap(text => text.match(ELEMENT_ID) ?? []) : [];
  if (isSpecialActionId(actionId)) await assertSpecialKind(asking, actionId);
  else if (!actionId.startsWith('S')) ids.push(actionId);
  for (const id of ids) {
    const element = await resolveElement(context, tabs.active, id.toUpperCase(), true);
    await assertElementKinds(asking, element);
  }
  return [...kinds];
}

async function stepSpecial(context: StepContext, tab: Tab, id: SpecialActionId): Promise<StepOutcome> {
  const { tabs, command, deadline, navigationTimeoutMs } = context;
  await assertSpecialKind(context, id);
  const { name, settles = true, requests }: SpecialActionDefinition = SPECIAL_ACTION_DEFINITIONS[id];
  const mark = settles ? await markBeforeStep(tab, deadline) : null;
  const effectChecks: EffectCheck[] = [];
  const elements: ElementContext[] = [];
  const frames = new Map<ElementContext['world'], PageTasks | null>();
  const performed = performSpecialAction({
    id,
    tab,
    tabs,
    command,
    deadline,
    navigationTimeoutMs,
    goto: url => context.goto(url),
    waitFor: condition => context.waitFor(condition),
    uploadPath: fileId => context.uploadPath(fileId),
    async topWorld() {
      const world = await tab.world(deadline);
      // The page may have left the document that was observed.
      await world.install('agent');
      return world;
    },
    isIdle: async () => {
      const tasks = [...(mark?.tasks ?? []), ...frames.values()].filter(one => one !== null);
      return (await Promise.all(tasks.map(one => one.isIdle(deadline)))).every(Boolean);
    },
    addEffectCheck: check => effectChecks.push(check),
    async beginTyping(text) {
      const world = await tab.world(deadline);
      await world.install('agent');
      const isSecret = await tab.interruptible(world.callAgent('beginSecretTyping'));
      context.stateOf(tab).entered.enter(null, text, isSecret);
    },
    resolveElement: async elementId => {
      const element = await resolveElement(context, tab, elementId, true);
      await assertElementKinds(context, element);
      const { world, listed } = element;
      elements.push(element);
      if (mark !== null && listed.framePath.length > 0 && !frames.has(world))
        frames.set(world, await markFrame(world, deadline));
      return element;
    },
  });
  await ignoreInterruption(
    performed.finally(() => elements.forEach(endUnusedGuard)),
    deadline,
  );
  for (const frame of frames.keys()) await settleFrame(tab, frame);
  if (mark !== null) await settleAfterStep(context, tab, [...frames.values()].reduce(withTasks, mark));
  const pressNotes = await readPressNotes(elements);
  return {
    description: name,
    scrape: requests === 'scrape',
    screenshot: requests === 'screenshot',
    terminate: requests === 'terminate',
    notes: [...pressNotes, ...(await readNotes(tab, effectChecks)), ...chooserNotes(tabs.active)],
  };
}

/** Maximum wait for the transitions of an element that moved away under the pointer. Milliseconds. */
const MOVED_TIMEOUT_MS = 500;

/** Returns null for a failure: the element that was pressed is gone, covered or means something else. */
function nullIfFailure(error: unknown): null {
  if (isFailure(error)) return null;
  throw error;
}

async function stepElement(context: StepContext, tab: Tab, id: string): Promise<StepOutcome> {
  const { deadline } = context;
  // Sent before the calls that find the element, and answered before them: no extra round trip.
  const marked = markBeforeStep(tab, deadline);
  marked.catch(() => {});
  let kept: SettledCheck | null = null;
  /** The notes that were read with the last check of the value. */
  let noted: Promise<readonly string[]> | null = null;
  const effectChecks: EffectCheck[] = [];
  let element: ElementContext;
  enterListed(context, tab, id);
  try {
    const resolved = await resolveElement(context, tab, id, false);
    await assertElementKinds(context, resolved);
    // Only what the page does once its work is recorded counts.
    await marked;
    const isIdle = async (): Promise<boolean> =>
      (await (await marked).tasks?.at(0)?.isIdle(deadline)) === true;
    const addEffectCheck = (check: EffectCheck): void => void effectChecks.push(check);
    const listedBefore =
      resolved.readOnly && resolved.value !== null ? await listedNow(context, tab) : new Set<string>();
    element = {
      ...resolved,
      listedBefore,
      ...(resolved.listed.framePath.length === 0 && { isIdle }),
      addEffectCheck,
      becameSecret: () => enterValue(context, tab, { ...resolved, isSecret: true }),
    };
    enterValue(context, tab, element);
    const frame = element.listed.framePath.length > 0 ? element.world : null;
    const frameTasks = frame === null ? null : await markFrame(frame, deadline);
    // An element that moved away under its press, or was replaced, is found at its new place.
    const pressAgain = async (first: KeptCheck | null): Promise<KeptCheck | null> => {
      const { guard, world } = element;
      let check = first;
      if (!SET_BY_PRESS.includes(element.listed.control)) return check;
      if (guard.missed === 'moved') {
        await world.callAgent('waitForRest', 1, MOVED_TIMEOUT_MS);
        const again = await resolveElement(context, tab, id, false).catch(nullIfFailure);
        if (again !== null) {
          element = { ...element, ...again, isIdle: element.isIdle };
          check = await actOnElement(element);
        }
      }
      if (element.guard.missed !== undefined) addEffectCheck(async () => missedNote(element));
      return check;
    };
    const act = async (): Promise<void> => {
      if (element.listed.gesture !== null) effectChecks.push(await gestureCheck(element));
      const first = await actOnElement(element);
      const check = element.guard.missed === undefined ? first : await pressAgain(first);
      if (check === null) return;
      // The notes are read with it: alone they would take a round trip of their own.
      const read = async (): Promise<void> => {
        noted = readNotes(tab, effectChecks);
        await Promise.all([check(), noted]);
      };
      kept = settledCheck(read, frame === null && element.keyEntry === 'inserted');
    };
    const what = `${id} (${element.listed.description})`;
    const performed = withinBound(raceDeadline(act(), deadline), what, element)
      .catch(error => throwStaleIfGone(element, error))
      .finally(() => endUnusedGuard(element));
    await ignoreInterruption(tab.interruptible(performed), deadline);
    if (frame !== null) await settleFrame(tab, frame);
    const mark = await marked;
    await settleAfterStep(context, tab, withTasks(mark, frameTasks), kept);
  } catch (error) {
    // `settleAfterStep` ends what was marked; a step that fails before must do so itself.
    void marked.then(mark => endOperation(tab, mark)).catch(() => {});
    throw error;
  }
  const pressNotes = await readPressNotes([element]);
  if (kept !== null) await ignoreInterruption(tab.interruptible((kept as SettledCheck).result()), deadline);
  const chooser = [...chooserNotes(context.tabs.active), ...windowNotes(context.tabs)];
  const notes = [...pressNotes, ...(await (noted ?? readNotes(tab, effectChecks))), ...chooser];
  const { description } = element.listed;
  return { description, scrape: false, screenshot: false, terminate: false, notes };
}

async function listedNow(context: StepContext, tab: Tab): Promise<ReadonlySet<string>> {
  await context.reobserve();
  return new Set(context.stateOf(tab).registry.current.map(({ id }) => id));
}

/** Does the same as `enterValue` for an element as it was listed, before the step reads the page. */
function enterListed(context: StepContext, tab: Tab, id: string): void {
  const { registry, entered } = context.stateOf(tab);
  const { value, params, secret } = context.command;
  const known = registry.lookup(id);
  const text = value ?? Object.values(params)[0] ?? null;
  if (known.state === 'never' || secret != null || text === null) return;
  entered.enterListed(known.state === 'listed' ? known.listed : known.was, text);
}

/** Hands the value of the step to the session's secrets, or to those of its values that may turn out to be secret. */
function enterValue(
  context: StepContext,
  tab: Tab,
  { value, secret, world, listed, isSecret, maxLength }: ElementContext,
): void {
  // The value of such a step is the name of a secret.
  if (secret != null) return;
  const field = { document: world.context.uniqueId, key: listed.key };
  if (value !== null) context.stateOf(tab).entered.enter(field, value, isSecret, maxLength);
}

/** Returns a check that says, if the click changes nothing, which gesture the element reacts to. */
function gestureCheck({ world, listed }: ElementContext): Promise<EffectCheck> {
  const special = listed.gesture === 'double click' ? 'S18' : 'S19';
  const note = `Nothing changed: ${listed.id} reacts only to a ${listed.gesture}, which is ${special}.`;
  return effectCheck(world, listed.key, note);
}

/** Reads the results of presses that the page was too busy to report. @throws StaleAction, Failure ACTION_BLOCKED if one did not arrive */
async function readPressNotes(elements: readonly ElementContext[]): Promise<readonly string[]> {
  const notes = await Promise.all(elements.map(latePressNote));
  return notes.filter(note => note !== null);
}

async function readNotes(tab: Tab, checks: readonly EffectCheck[]): Promise<readonly string[]> {
  if (tab.isUnresponsive) return [];
  const notes = await Promise.all(checks.map(check => tab.interruptible(check()).catch(() => null)));
  return notes.filter(note => note !== null);
}

/** Says that the page has opened a file chooser: a difference does not list the special actions. */
function chooserNotes({ fileChoosers }: Tab): readonly string[] {
  const note = fileChoosers.note();
  return note === null ? [] : [note];
}

/** Tells the tabs that show another page: the step has opened it in a window that has a name already. */
const windowNotes = ({ navigated }: StepContext['tabs']): readonly string[] =>
  navigated.map(
    ({ id }) =>
      `Another page has been opened in the tab ${id}, which is not active: S12 with the value ${id} shows it.`,
  );

async function settleAfterStep(
  context: StepContext,
  tab: Tab,
  mark: SettleMark,
  check: SettledCheck | null = null,
): Promise<void> {
  const { tabs, deadline } = context;
  const { waitMs } = context.command;
  const { startsDownload } = await settleTab(tab, mark, deadline, waitMs, check);
  if (tab.crashed) throw pageCrashedFailure();
  await tabs.waitForWindows();
  await tab.fileChoosers.ready();
  const now = tabs.active;
  if (now !== tab) await settleOpenedTab(context, now);
  await context.waitForDownloads(startsDownload);
  if (now !== tab) await closeIfOnlyDownload(context, now, tab);
}

/** Throws the error of an action on an element; throws ACTION_STALE instead of ACTION_BLOCKED if the element was removed meanwhile. */
async function throwStaleIfGone({ world, listed }: ElementContext, error: unknown): Promise<never> {
  if (!isFailure(error) || error.code !== 'ACTION_BLOCKED') throw error;
  const isPresent = await world.callAgent('isPresent', listed.key).catch(() => true);
  throw !isPresent
    ? new StaleAction(listed.id, listed, 'its element went away while the step waited for it')
    : error;
}

async function markFrame(frame: ElementContext['world'], deadline: Deadline) {
  const [tasks] = await Promise.all([PageTasks.begin(frame, deadline), frame.callAgent('markStep')]);
  return tasks;
}

const withTasks = (mark: SettleMark, frameTasks: PageTasks | null): SettleMark =>
  frameTasks === null ? mark : { ...mark, tasks: [...(mark.tasks ?? []), frameTasks] };

async function settleFrame(tab: Tab, frame: ElementContext['world']): Promise<void> {
  // If the frame navigates, the wait for the page's requests includes it.
  await tab.interruptible(settleDocument(frame)).catch(() => {});
}

/** Ignores a dialog, a closed page or a new document: the action has had its effect. @throws Failure for every other error */
async function ignoreInterruption(work: Promise<void>, deadline: Deadline): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (deadline.signal.aborted || !(error instanceof Interrupted || isDocumentGone(error)))
      throw toFailure(error, deadline);
  }
}
