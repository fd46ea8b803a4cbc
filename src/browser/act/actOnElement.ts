import { Failure } from '../../domain/failure/failures.ts';
import { vaultRefused } from '../../domain/vault.ts';
import { isInputDispatched, isMalformedValue, isTimeout } from '../cdp/playwrightInternals.ts';
import type { MediaCommand } from '../injected/act/runMediaCommand.ts';
import type { Control } from '../injected/perceive/wireFormat.ts';
import { type ElementContext, invalidText, type KeptCheck } from './element/elementContext.ts';
import { click, clickInPage, pressAtOnce } from './pointer/click.ts';
import { comparedPress, endUnusedGuard } from './pointer/clickGuard.ts';
import { viewportPoint } from './pointer/geometry.ts';
import { blockedFailure, timeoutOption, toBlockedFailure, whenReady } from './ready/whenReady.ts';
import { invalidValue, uploadPaths } from './special/specialActionContext.ts';
import { moveSlider } from './values/moveSlider.ts';
import { selectOptions } from './values/selectOptions.ts';
import { typeText } from './values/typeText.ts';
import {
  checkedCheck,
  checkedNow,
  checkKeptNow,
  type EffectCheck,
  keptCheck,
  nullIfGone,
  outsideOfRange,
  pressEnter,
} from './values/valueChecks.ts';

/** Maximum wait for the label of a hidden checkbox to become clickable. */
const LABEL_TIMEOUT_MS = 1_500;
/** Number of times that the state is read after a click on the label, one frame apart, before the element itself is clicked. */
const MAX_STATE_READS = 4;
const FRAME_MS = 50;

/**
 * Checks or unchecks a checkbox, radio button or switch: the value is `true` or `false`. Without a value, toggles a
 * checkbox or switch and checks a radio button.
 * @returns checks, when the page has settled, that the element has the requested state
 * @throws Failure VALIDATION_ERROR, ACTION_BLOCKED
 */
async function setChecked(element: ElementContext): Promise<KeptCheck | null> {
  const { value, listed, world } = element;
  const before = await checkedNow(world, listed.key);
  const target = targetState(element, before);
  if (target === before && value !== null) return null;
  if (listed.control === 'radio' && before === true) return null;
  await clickBoxOrLabel(element);
  if (target === null || !(await isStillPresent(element))) return null;
  if (!element.hasBox && before !== null && !(await hasChanged(element, before))) await clickInPage(element);
  if (value !== null && value.trim() !== '') return checkedCheck(element, target);
  // Some pages keep the state of their radio buttons elsewhere: the click may have done what it should.
  if (listed.control === 'radio') element.addEffectCheck?.(uncheckedNote(element));
  return null;
}

/**
 * Returns the state that the step requests: true for checked. Null to toggle an element whose state is unknown.
 * @throws Failure VALIDATION_ERROR for a value that is not `true` or `false`, and for `false` of a radio button
 */
function targetState({ value, listed }: ElementContext, before: boolean | null): boolean | null {
  if (value === null || value.trim() === '')
    return listed.control === 'radio' ? true : before === null ? null : !before;
  const text = value.trim().toLowerCase();
  if (text === 'false' && listed.control === 'radio')
    throw invalidValue(listed.id, 'a radio button cannot be unchecked; check another of its group', value);
  if (text !== 'true' && text !== 'false')
    throw invalidValue(listed.id, 'must be true or false, or absent to toggle', value);
  return text === 'true';
}

/** Returns a check that says that a radio button is not checked after the click on it. */
const uncheckedNote =
  ({ world, listed }: ElementContext): EffectCheck =>
  async () => {
    const isChecked = await checkedNow(world, listed.key).catch(nullIfGone);
    return isChecked === false ? `${listed.id} does not say that it is checked now.` : null;
  };

/** Clicks the checkbox; if it has no box, its label; if the label cannot be clicked either, calls the DOM method `click()`. */
async function clickBoxOrLabel(element: ElementContext): Promise<void> {
  const withoutValue: ElementContext = { ...element, value: null };
  if (element.hasBox) return click(withoutValue);
  if ((await element.label.count()) > 0)
    try {
      const options = timeoutOption(element.deadline, LABEL_TIMEOUT_MS);
      return await comparedPress(element, () => element.label.click({ ...options, noWaitAfter: true }));
    } catch (error) {
      // The page is busy with the click: a second one would take it back.
      if (isTimeout(error) && isInputDispatched(error)) return;
      // The page would take a call of `click()`, but a person could not press it.
      if (element.coveredBy !== null) throw blockedFailure(element, 'covered', error);
    }
  await clickInPage(withoutValue);
}

/** Waits until a page that renders its state later, as most frameworks do, shows another state than before the click. */
async function hasChanged({ world, listed }: ElementContext, before: boolean): Promise<boolean> {
  for (let tries = MAX_STATE_READS; tries > 0; tries--) {
    if ((await checkedNow(world, listed.key)) !== before) return true;
    await world.callAgent('waitForRest', 1, FRAME_MS);
  }
  return false;
}

const isStillPresent = ({ world, listed }: ElementContext): Promise<boolean> =>
  world.callAgent('isPresent', listed.key).catch(() => false);

const FORMATS: Readonly<Record<string, string>> = {
  number: 'a number such as 3 or 2.5',
  range: 'a number within its range',
  date: 'a date such as 2026-03-09',
  time: 'a time such as 14:05',
  datetime: 'a date and time such as 2026-03-09T14:05',
  month: 'a month such as 2026-03',
  week: 'a week such as 2026-W11',
  color: 'a colour such as #ff8800',
};

/**
 * Sets an input whose value has a format: number, range, date, time, datetime, month, week, colour. An empty value clears
 * the input. Without a value it clicks the input.
 * @returns checks, when the page has settled, that the input has kept the value
 * @throws Failure VALIDATION_ERROR, ACTION_BLOCKED, VALUE_REFUSED
 */
async function fillFormatted(element: ElementContext): Promise<KeptCheck | null> {
  const { locator, value, listed, world, inView } = element;
  if (value === null) {
    await click(element);
    return null;
  }
  if (value !== '') {
    const problem = await world.callAgent('valueProblem', listed.key, value);
    if (problem === 'malformed') throw malformedValue(element);
    if (problem !== null) throw outsideOfRange(listed, value, problem);
  }
  if (listed.control === 'number' && inView !== null && !element.focused) await pressAtOnce(element, inView);
  const pressed = listed.control === 'range' && (await pressThumb(element));
  endUnusedGuard(element);
  try {
    // The page hides an input of which it only opens the picker.
    if (pressed || isHiddenPicker(element)) await world.callAgent('setInputValue', listed.key, value.trim());
    else await whenReady(element, options => locator.fill(value.trim(), options));
  } catch (error) {
    if (isMalformedValue(error)) throw malformedValue(element, error);
    throw toBlockedFailure(element, error);
  }
  if (!element.enter) return value === '' ? null : keptCheck(element, value);
  await checkKeptNow(element, value);
  return pressEnter(element);
}

/** Returns true for an input without a box: it is listed while its picker is open. */
const isHiddenPicker = ({ hasBox, listed }: ElementContext): boolean =>
  !hasBox && listed.control !== 'number' && listed.control !== 'range';

/**
 * Presses the thumb of a range input in the popup of another field, as a hand does before it drags: such popups close when the focus
 * goes to the input without a press.
 * @returns false if nothing was pressed
 */
async function pressThumb(element: ElementContext): Promise<boolean> {
  const { world, listed, inView, value } = element;
  if (inView === null || value === '' || !(await world.callAgent('isInPopupOfFocus', listed.key)))
    return false;
  const track = await world.callAgent('sliderTrack', listed.key);
  return track !== null && pressAtOnce(element, await viewportPoint(element, track.press));
}

function malformedValue({ listed, value }: ElementContext, cause?: unknown): Failure {
  const format = FORMATS[listed.control] ?? 'a value of its format';
  return invalidText(`${listed.id} takes ${format}`, value ?? '', `must be ${format}`, cause);
}

const COMMAND = /^(play|pause|mute|unmute|seek|volume)(?:\s+(\d+(?:\.\d+)?)(?:\s*(?:s|seconds|%))?)?$/i;
/** Matches a value that can only be a point to click, such as `10,20`: digits and separators. */
const POINT = /^[\s\d.,;-]+$/;

/**
 * Controls a media player: play, pause, mute, unmute, `seek 12.5` (seconds), `volume 40` (per cent). Without a value it
 * plays or pauses; a point such as `10,20` is clicked.
 * @throws Failure VALIDATION_ERROR; ACTION_BLOCKED when the media cannot be played
 */
async function controlMedia(element: ElementContext): Promise<void> {
  const { value, listed } = element;
  if (value === null || POINT.test(value)) {
    // A click in the middle of an audio player would hit its timeline.
    const outcome = value === null ? await run(element, 'toggle', null) : 'click';
    return outcome === 'click' ? click(element) : throwIfFailed(element, outcome);
  }
  const match = COMMAND.exec(value.trim());
  const command = match?.[1]?.toLowerCase() as MediaCommand | undefined;
  const takesAmount = command === 'seek' || command === 'volume';
  if (command === undefined || takesAmount !== (match?.[2] !== undefined))
    throw invalidText(
      `${listed.id} takes play, pause, mute, unmute, seek with seconds or volume with per cent`,
      value,
      'must be a command of a media player, such as play or seek 12',
    );
  const amount = match?.[2] === undefined ? null : Number(match[2]);
  throwIfFailed(element, await run(element, command, amount));
}

/**
 * Runs a command of a media element in the page.
 * @param amount seconds for `seek`, per cent for `volume`, null for other commands
 * @returns null when it is done, `click` when the player must be clicked instead, else the reason for the failure
 */
const run = (
  { world, listed }: ElementContext,
  command: MediaCommand,
  amount: number | null,
): Promise<string | null> => world.callAgentWithUserGesture('runMediaCommand', listed.key, command, amount);

function throwIfFailed({ listed }: ElementContext, reason: string | null): void {
  if (reason !== null)
    throw new Failure(
      'ACTION_BLOCKED',
      `${listed.id} (${listed.description}) did not run the command: ${reason}`,
    );
}

/**
 * Sets the files of a file input. The value has the ids of uploaded files, separated by line breaks or commas. Without a
 * value it clicks the file input.
 * @throws Failure VALIDATION_ERROR, ACTION_BLOCKED
 */
async function setInputFiles(element: ElementContext): Promise<void> {
  const { value, locator } = element;
  if (value === null) return click(element);
  const ids = value
    .split(/[\n,]/)
    .map(id => id.trim().toUpperCase())
    .filter(id => id !== '');
  const paths = await uploadPaths({ id: element.listed.id, uploadPath: element.uploadPath }, ids);
  if (paths.length > 1 && !(await hasAttribute(element, 'multiple')))
    throw refusedFiles(element, 'one file', `${paths.length} files`);
  try {
    await whenReady(element, options => locator.setInputFiles(paths, options));
  } catch (error) {
    if (await hasAttribute(element, 'webkitdirectory'))
      throw refusedFiles(element, 'a folder', 'a file: uploads are single files without folders');
    throw toBlockedFailure(element, error);
  }
}

const ATTRIBUTE_TIMEOUT_MS = 1_000;

const hasAttribute = async ({ locator }: ElementContext, name: string): Promise<boolean> =>
  (await locator.getAttribute(name, { timeout: ATTRIBUTE_TIMEOUT_MS }).catch(() => null)) !== null;

const refusedFiles = ({ listed }: ElementContext, takes: string, got: string): Failure =>
  new Failure('VALIDATION_ERROR', `${listed.id} takes ${takes}; got ${got}.`, {
    errors: [{ path: 'value', message: `must be ${takes}` }],
  });

const PERFORMERS: Readonly<
  Record<Control, (element: ElementContext) => Promise<KeptCheck | null> | Promise<void>>
> = {
  click,
  canvas: click,
  media: controlMedia,
  text: typeText,
  contenteditable: typeText,
  number: fillFormatted,
  range: fillFormatted,
  date: fillFormatted,
  time: fillFormatted,
  datetime: fillFormatted,
  month: fillFormatted,
  week: fillFormatted,
  color: fillFormatted,
  select: selectOptions,
  checkbox: setChecked,
  radio: setChecked,
  slider: moveSlider,
  file: setInputFiles,
};

/**
 * Performs a step on an element: clicks, types, selects or what its control needs.
 * @returns a check for the time when the page has settled; null for none
 * @throws Failure ACTION_BLOCKED, ACTION_STALE, VALIDATION_ERROR, VALUE_REFUSED, VAULT_REFUSED
 */
export async function actOnElement(element: ElementContext): Promise<KeptCheck | null> {
  const { secret, listed } = element;
  if (secret == null) return (await PERFORMERS[listed.control](element)) ?? null;
  if (listed.control === 'text' || listed.control === 'number') return typeText(element);
  throw vaultRefused(
    `${listed.id} (${listed.description}) is no field for a ${secret.field}: values of the vault go into text fields.`,
  );
}
