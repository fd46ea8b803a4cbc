/** A player of the browser's own: its buttons lie in a tree that no selector reaches, so it is told what to do. */
import { Failure } from '../../domain/failures.ts';
import { click } from './click.ts';
import type { ElementContext } from './elementContext.ts';

const COMMAND_PATTERN =
  /^(play|pause|mute|unmute|seek|volume)(?:\s+(\d+(?:\.\d+)?)(?:\s*(?:s|seconds|%))?)?$/i;
/** A player that has not loaded what it needs by then is left to it. */
const MEDIA_LOAD_TIMEOUT_MS = 3_000;
const POINT = /^[\s\d.,;-]+$/;

/** Through the prototypes, which a page's own names on the element do not hide. */
const CONTROL_MEDIA = `async (key, command, amount) => {
  const e = __pagespace.element(key);
  if (!(e instanceof HTMLMediaElement)) return 'it is gone';
  const P = HTMLMediaElement.prototype;
  const set = (name, value) => Object.getOwnPropertyDescriptor(P, name).set.call(e, value);
  switch (command) {
    case 'toggle':
      if (e instanceof HTMLVideoElement) return 'click';
      if (!e.paused) { P.pause.call(e); return null; }
    case 'play': return P.play.call(e).then(() => null, error => error.message);
    case 'pause': P.pause.call(e); return null;
    case 'mute': set('muted', true); return null;
    case 'unmute': set('muted', false); return null;
    case 'seek': {
      const soon = name => new Promise(done => { e.addEventListener(name, done, { once: true }); e.addEventListener('error', done, { once: true }); setTimeout(done, ${MEDIA_LOAD_TIMEOUT_MS}) });
      if (e.readyState === 0) { if (e.preload === 'none') P.load.call(e); await soon('loadedmetadata'); }
      if (e.readyState === 0) return 'nothing of it could be loaded';
      const there = soon('seeked');
      set('currentTime', amount);
      await there;
      return null;
    }
    default: set('volume', Math.min(1, amount / 100)); return null;
  }
}`;

/**
 * Without a value a click, which plays or pauses; with one the command that it names: play, pause, mute, unmute,
 * `seek 12.5` (seconds), `volume 40` (per cent).
 * @throws Failure VALIDATION_ERROR; ACTION_BLOCKED where the media cannot be played
 */
export async function controlMedia(element: ElementContext): Promise<void> {
  const { value, listed } = element;
  if (value === null || POINT.test(value)) {
    // In the middle of an audio player lies its time line.
    const toggled = value === null ? await runMediaCommand(element, 'toggle', null) : 'click';
    return toggled === 'click' ? click(element) : throwIfFailed(element, toggled);
  }
  const match = COMMAND_PATTERN.exec(value.trim());
  const command = match?.[1]?.toLowerCase();
  const takesAmount = command === 'seek' || command === 'volume';
  if (command === undefined || takesAmount !== (match?.[2] !== undefined))
    throw new Failure(
      'VALIDATION_ERROR',
      `${listed.id} takes play, pause, mute, unmute, seek with seconds or volume with per cent; got "${value.slice(0, 100)}".`,
      {
        errors: [{ path: 'value', message: 'must be a command of a media player, such as play or seek 12' }],
      },
    );
  const amount = match?.[2] === undefined ? null : Number(match[2]);
  throwIfFailed(element, await runMediaCommand(element, command, amount));
}

const runMediaCommand = (
  { world, listed }: ElementContext,
  command: string,
  amount: number | null,
): Promise<string | null> =>
  world.callWithUserGesture<string | null>(CONTROL_MEDIA, listed.key, command, amount);

function throwIfFailed({ listed }: ElementContext, reason: string | null): void {
  if (reason !== null)
    throw new Failure('ACTION_BLOCKED', `${listed.id} (${listed.description}) did not do it: ${reason}`);
}
