import { Failure } from '../../../domain/failure/failures.ts';
import { cutText, quote } from '../../../domain/space/pageText.ts';
import { type VaultSecret, vaultRefused } from '../../../domain/vault.ts';
import type { TextEntry } from '../../injected/act/textEntry.ts';
import { type ElementContext, type KeptCheck, StaleAction } from '../element/elementContext.ts';
import { click, clickAt, pressAtOnce, pressablePoint } from '../pointer/click.ts';
import { toBlockedFailure, whenReady } from '../ready/whenReady.ts';
import { ReadOnlyField } from './refusedValue.ts';
import { breakLine, typeCharacters } from './typeCharacters.ts';
import { checkKeptNow, type EffectCheck, keptCheck, nullIfGone, pressEnter } from './valueChecks.ts';

/**
 * Checks, before anything happens on the page, that a field may have a value of the vault. `fillSecret` checks it again in the task in which
 * it fills the value.
 * @throws Failure VAULT_REFUSED
 */
async function assertSecretAllowed(element: ElementContext, secret: VaultSecret): Promise<void> {
  const { tab, world, listed } = element;
  const top = URL.parse(tab.page.url())?.origin ?? 'null';
  if (!secret.origins.includes(top)) throw refused(element, secret, `the page is of ${top}`);
  const problem = await world.callAgent('secretProblem', listed.key, secret.field, secret.origins);
  if (problem !== null) throw refused(element, secret, problem);
}

/**
 * Fills the value into the field, which has the focus. The value goes to the document only after a check without it, and the document
 * checks again and fills in one task: no navigation, no other frame and no other field comes between.
 * @throws Failure VAULT_REFUSED
 */
async function fillSecret(element: ElementContext, secret: VaultSecret): Promise<KeptCheck> {
  const { world, listed } = element;
  await assertSecretAllowed(element, secret);
  const value = secret.read();
  element.keepSecret?.(value, secret.field);
  const problem = await world.callAgent('fillSecret', listed.key, secret.field, secret.origins, value);
  if (problem !== null) throw refused(element, secret, problem);
  if (!element.enter) return keptCheck(element, value);
  await checkKeptNow(element, value);
  return pressEnter(element);
}

const refused = ({ listed: { id, description } }: ElementContext, secret: VaultSecret, problem: string) =>
  vaultRefused(
    `${secret.entry}.${secret.field} was not filled into ${id} (${description}): ${problem}. The entry is bound to ${secret.origins.join(', ')}.`,
  );

/** Returns a check for the time when the page has settled after text was entered. Null for a field that is no combobox. */
const optionsNote =
  ({ world, listed, enter }: ElementContext): EffectCheck =>
  async () => {
    const found = await world.callAgent('offeredOptions', listed.key).catch(nullIfGone);
    // Enter has submitted the text, or has chosen an option.
    if (found === null || (enter && found.count === 0)) return null;
    const { held, options, count } = found;
    if (count === 0) return `${listed.id} holds ${quote(held)}, and offers no option for it.`;
    const more = count > options.length ? ` and ${count - options.length} more` : '';
    return `${listed.id} holds ${quote(held)}, and no option is chosen yet. It offers ${options.map(quote).join(', ')}${more}.`;
  };

/**
 * Maximum length of a text that is typed key by key, so that input masks and suggestions receive each key. A longer text
 * is inserted at once, except its last character, which is typed.
 */
const MAX_TYPED_CHARACTERS = 80;

/**
 * Replaces the content of a text field or editable element by the value, after a click on it. Without a value it only clicks
 * the element.
 * @returns checks, when the page has settled, that the element has kept the value; throws ReadOnlyField for one that stays read-only
 * @throws Failure ACTION_BLOCKED when the element does not become ready; VALUE_REFUSED; ACTION_STALE
 */
export async function typeText(element: ElementContext): Promise<KeptCheck | null> {
  const { value, tab } = element;
  if (element.secret != null) await assertSecretAllowed(element, element.secret);
  if (value === null) {
    await click(element);
    return null;
  }
  if (element.readOnly && !(await becomesWritable(element)))
    return () => Promise.reject(new ReadOnlyField(element.listed, element.listedBefore ?? new Set()));
  const { keyboard } = tab.page;
  try {
    const { isOneLine, heldText } = await beginEntry(
      element.readOnly ? { ...element, focused: true } : element,
    );
    const lines = value.replaceAll('\r\n', '\n');
    const text = isOneLine ? lines.replaceAll(/\n+/g, ' ') : lines;
    if (element.secret != null) return await fillSecret(element, element.secret);
    if (value === '') await keyboard.press('Delete');
    else await enterText(element, text);
    if (isEditor(element) && text.includes('\n')) await mendLines(element, text);
    if (value !== '' && heldText && element.hasBox) await enterBesideAffix(element, text);
  } catch (error) {
    throw toBlockedFailure(element, error);
  }
  if (value !== '') element.addEffectCheck?.(optionsNote(element));
  if (!element.enter) return keptCheck(element, value);
  await checkKeptNow(element, value);
  return pressEnter(element);
}

/** Maximum wait for an editor to hold the lines that were entered. Milliseconds. */
const LINES_TIMEOUT_MS = 300;
/** Maximum number of blank lines that are deleted at the end of an editor: some always have one. */
const MAX_BLANK_LINES = 2;

/**
 * Deletes the blank lines that an editor has added at its end. Pastes a text of several lines into an editor that has not kept them: some handle
 * only the key Enter and pasted text (Draft.js, CodeMirror).
 */
async function mendLines(element: ElementContext, text: string): Promise<void> {
  const { world, listed, tab } = element;
  const read = () =>
    world.callAgent('refusedValue', listed.key, text, LINES_TIMEOUT_MS, false).catch(nullIfGone);
  let refused = await read();
  if (refused === null) {
    const isWhole = await deleteBlankLines(element, text);
    refused = await read();
    if (refused === null && isWhole) return;
  }
  // What has taken the focus would get the text.
  if (refused !== null && refused.taker !== null) return;
  await tab.page.keyboard.press('ControlOrMeta+a');
  await world.callAgent('pasteText', text);
}

/** Deletes the blank lines that an editor has added at its end. Returns false if the editor has deleted something else. */
async function deleteBlankLines({ world, listed, tab }: ElementContext, text: string): Promise<boolean> {
  let end = await world.callAgent('goToBlankLine', listed.key, text);
  for (let left = MAX_BLANK_LINES; left > 0 && end !== null && end.addedLines > 0; left--) {
    const before = end;
    await tab.page.keyboard.press('Backspace');
    end = await world.callAgent('goToBlankLine', listed.key, text);
    if (end !== null && end.characters !== before.characters) return false;
    if (end !== null && end.addedLines >= before.addedLines) break;
  }
  return true;
}

/** Maximum wait for a page to make a pressed field writable. Milliseconds. */
const WRITABLE_TIMEOUT_MS = 200;

/** Clicks a read-only field: some pages, which keep a browser from filling it, make it writable then. */
async function becomesWritable(element: ElementContext): Promise<boolean> {
  const { world, listed } = element;
  await click({ ...element, value: null });
  for (const end = performance.now() + WRITABLE_TIMEOUT_MS; performance.now() < end; ) {
    const now = await world.callAgent('resolve', listed.key);
    if (now.state === 'gone' || !now.readOnly) return true;
    await world.callAgent('waitForRest', 1, WRITABLE_TIMEOUT_MS);
  }
  return false;
}

/** Enters a text again, without the part of it that the field holds at all times, if the page has added the text to what the field held. */
async function enterBesideAffix(element: ElementContext, text: string): Promise<void> {
  const { world, listed, tab } = element;
  const { keyboard } = tab.page;
  const affix = await world.callAgent('keptAffix', listed.key, text);
  if (affix === null) return;
  await world.callAgent('beginTextEntry', listed.key);
  await keyboard.press('Delete');
  const part = await world.callAgent('fixedPart', listed.key, affix);
  if (part === null) return enterText(element, text);
  const { text: fixed, isBefore } = part;
  const hasFixed = isBefore ? text.startsWith(fixed) : text.endsWith(fixed);
  const rest = isBefore ? text.slice(fixed.length) : text.slice(0, -fixed.length);
  await enterText(element, hasFixed ? rest.trim() : text);
}

/** Clicks the field, unless it has the focus or cannot be clicked, focuses it and selects its content. */
async function beginEntry(element: ElementContext): Promise<TextEntry> {
  const { world, listed, tab, guard } = element;
  if (element.hasBox && !element.focused && element.coveredBy === null) {
    const at = await pressablePoint(element);
    if (at !== null) await pressAtOnce(element, at);
    else await clickIfReady(element);
  }
  const entry = await world.callAgent('beginTextEntry', listed.key);
  const { press, selected, isSecret } = entry;
  if (isSecret && !element.isSecret) element.becameSecret?.();
  guard.armed = press === 'changed';
  if (press === 'changed') throw new StaleAction(listed.id, listed, 'its element means something else now');
  if (!selected || !element.hasBox) await tab.page.keyboard.press('ControlOrMeta+a');
  return entry;
}

/** Clicks a field that must be scrolled into view or is in a frame. One that does not become ready is only focused. */
async function clickIfReady(element: ElementContext): Promise<void> {
  try {
    await clickAt(element, element.clickPoint);
  } catch (error) {
    if (error instanceof StaleAction || !(error instanceof Failure) || error.code !== 'ACTION_BLOCKED')
      throw error;
    await element.world.callAgent('focusElement', element.listed.key);
  }
}

async function enterText(element: ElementContext, text: string): Promise<void> {
  const { tab, listed, world, locator } = element;
  if (isCodeOfEditor(element, text)) {
    if (!(await world.callAgent('pasteText', text))) await tab.page.keyboard.insertText(text);
    return;
  }
  const inserted = text.length <= MAX_TYPED_CHARACTERS ? '' : cutText(text, text.length - 1);
  const [first = '', ...lines] = isEditor(element) ? inserted.split('\n') : [inserted];
  if (first !== '') await tab.page.keyboard.insertText(first);
  for (const line of lines) {
    await breakLine(tab, element.deadline);
    if (line !== '') await tab.page.keyboard.insertText(line);
  }
  await typeKeys(element, text.slice(inserted.length));
  // A mask places its caret some time after it has got the focus.
  if (
    element.keyEntry === 'in turn' &&
    inserted === '' &&
    (await world.callAgent('isMixedUp', listed.key, text))
  ) {
    await world.callAgent('beginTextEntry', listed.key);
    await typeKeys(element, text);
  }
  // A spin button that only its arrows change ignores the keys.
  if (listed.role === 'spinbutton' && (await world.callAgent('differsFrom', listed.key, text)))
    await whenReady(element, options => locator.fill(text, options));
}

/** Returns true for code in an editor that a script draws: its keys close brackets, indent lines and accept suggestions. */
const isCodeOfEditor = ({ hasBox, listed }: ElementContext, text: string): boolean =>
  !hasBox && (listed.control === 'contenteditable' || listed.role === 'textbox') && /[\n([{'"`.]/.test(text);

/** Maximum wait for the focus to go to the next field of a code. Milliseconds. */
const NEXT_FIELD_MS = 60;
const MAX_CODE_LENGTH = 12;

/** Waits between the keys of a code whose characters have a field each: the page moves the focus after each key. */
function inPlaces(element: ElementContext, text: string): ElementContext {
  const { world, keyEntry, isCodeField } = element;
  if (!isCodeField || keyEntry !== 'in turn' || text.length < 2 || text.length > MAX_CODE_LENGTH)
    return element;
  return { ...element, betweenKeys: () => world.callAgent('waitForRest', 2, NEXT_FIELD_MS) };
}

const isEditor = ({ listed }: ElementContext): boolean => listed.control === 'contenteditable';

async function typeKeys(element: ElementContext, text: string): Promise<void> {
  // An editor takes a key over in tasks of its own, some of which no recorder sees.
  const entry = isEditor(element) ? { ...element, isIdle: async () => false } : inPlaces(element, text);
  await typeCharacters(element.tab, text, entry, element.deadline, isEditor(element));
}
