import { Failure } from '../../domain/failure/failures.ts';
import { cutText } from '../../domain/space/pageText.ts';
import { vaultRefused } from '../../domain/vault.ts';
import type { MediaCommand } from '../injected/act/runMediaCommand.ts';
import type { Control } from '../injected/perceive/wireFormat.ts';
import type { ElementContext, KeptCheck } from './element/elementContext.ts';
import { click } from './pointer/click.ts';
import { toBlockedFailure, whenReady } from './ready/whenReady.ts';
import { fillFormatted } from './values/fillFormatted.ts';
import { moveSlider } from './values/moveSlider.ts';
import { selectOptions } from './values/selectOptions.ts';
import { setChecked } from './values/setChecked.ts';
import { typeText } from './values/typeText.ts';

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
    throw new Failure(
      'VALIDATION_ERROR',
      `${listed.id} takes play, pause, mute, unmute, seek with seconds or volume with per cent; got "${cutText(value, 100)}".`,
      {
        errors: [{ path: 'value', message: 'must be a command of a media player, such as play or seek 12' }],
      },
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
  const paths = await Promise.all(ids.map(id => uploadPath(element, id)));
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

/** Maximum wait for an attribute of an element that is there. Milliseconds. */
const ATTRIBUTE_TIMEOUT_MS = 1_000;

const hasAttribute = async ({ locator }: ElementContext, name: string): Promise<boolean> =>
  (await locator.getAttribute(name, { timeout: ATTRIBUTE_TIMEOUT_MS }).catch(() => null)) !== null;

const refusedFiles = ({ listed }: ElementContext, takes: string, got: string): Failure =>
  new Failure('VALIDATION_ERROR', `${listed.id} takes ${takes}; got ${got}.`, {
    errors: [{ path: 'value', message: `must be ${takes}` }],
  });

async function uploadPath(element: ElementContext, fileId: string): Promise<string> {
  const path = await element.uploadPath(fileId);
  if (path !== null) return path;
  throw new Failure(
    'VALIDATION_ERROR',
    `${element.listed.id} takes the id of a file uploaded to this session; there is no ${cutText(fileId, 50)}.`,
    { errors: [{ path: 'value', message: 'must be the id of an uploaded file, such as U1' }] },
  );
}

/** The function that performs a step on an element, by the control of the element. */
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
