import { Failure } from '../../../domain/failure/failures.ts';
import { cutText } from '../../../domain/space/pageText.ts';
import type { MediaCommand } from '../../injected/act/runMediaCommand.ts';
import type { ElementContext } from '../element/elementContext.ts';
import { click } from '../pointer/click.ts';

const COMMAND = /^(play|pause|mute|unmute|seek|volume)(?:\s+(\d+(?:\.\d+)?)(?:\s*(?:s|seconds|%))?)?$/i;
/** Matches a value that can only be a point to click, such as `10,20`: digits and separators. */
const POINT = /^[\s\d.,;-]+$/;

/**
 * Controls a media player: play, pause, mute, unmute, `seek 12.5` (seconds), `volume 40` (per cent). Without a value it
 * plays or pauses; a point such as `10,20` is clicked.
 * @throws Failure VALIDATION_ERROR; ACTION_BLOCKED when the media cannot be played
 */
export async function controlMedia(element: ElementContext): Promise<void> {
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
