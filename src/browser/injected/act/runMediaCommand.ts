/** Runs commands of a media player by script: the player's own buttons are in a tree that no selector reaches. */

import { elementByKey } from '../perceive/elementKeys.ts';

export type MediaCommand = 'toggle' | 'play' | 'pause' | 'mute' | 'unmute' | 'seek' | 'volume';

/** Maximum wait for an event of the player, such as `loadedmetadata`. Milliseconds. */
const LOAD_TIMEOUT_MS = 3_000;

/** The prototype whose methods are called on the player, so that properties which the page sets on the element cannot hide them. */
const PLAYER = HTMLMediaElement.prototype;

/** Runs a command in a user gesture. Returns null when done, `click` if the player must be clicked, else why not. @param amount seconds or percent */
export async function runMediaCommand(
  key: number,
  command: MediaCommand,
  amount: number | null,
): Promise<string | null> {
  const player = elementByKey(key);
  if (!(player instanceof HTMLMediaElement)) return 'it is gone';
  switch (command) {
    case 'toggle':
      if (player instanceof HTMLVideoElement) return 'click';
      return player.paused ? play(player) : pause(player);
    case 'play':
      return play(player);
    case 'pause':
      return pause(player);
    case 'mute':
    case 'unmute':
      setProperty(player, 'muted', command === 'mute');
      return null;
    case 'seek':
      return seek(player, amount ?? 0);
    case 'volume':
      setProperty(player, 'volume', Math.min(1, (amount ?? 0) / 100));
      return null;
  }
}

const play = (player: HTMLMediaElement): Promise<string | null> =>
  PLAYER.play.call(player).then(
    () => null,
    (error: Error) => error.message,
  );

function pause(player: HTMLMediaElement): null {
  PLAYER.pause.call(player);
  return null;
}

async function seek(player: HTMLMediaElement, seconds: number): Promise<string | null> {
  if (player.readyState === 0) {
    if (player.preload === 'none') PLAYER.load.call(player);
    await nextEvent(player, 'loadedmetadata');
  }
  if (player.readyState === 0) return 'the media could not be loaded';
  const seeked = nextEvent(player, 'seeked');
  setProperty(player, 'currentTime', seconds);
  await seeked;
  return null;
}

/** Resolves when the player fires the event `type` or `error`, at the latest after `LOAD_TIMEOUT_MS`. */
function nextEvent(player: HTMLMediaElement, type: string): Promise<void> {
  return new Promise(resolve => {
    const done = () => resolve();
    player.addEventListener(type, done, { once: true });
    player.addEventListener('error', done, { once: true });
    setTimeout(done, LOAD_TIMEOUT_MS);
  });
}

function setProperty(
  player: HTMLMediaElement,
  name: 'muted' | 'volume' | 'currentTime',
  value: unknown,
): void {
  Object.getOwnPropertyDescriptor(PLAYER, name)?.set?.call(player, value);
}
