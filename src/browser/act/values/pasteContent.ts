/** Pastes the session's clipboard. Chromium's own clipboard belongs to all pages of the browser, so no page pastes from it. */
import type { Deadline } from '../../../domain/ports/clock.ts';
import { raceDeadline } from '../../cdp/cdpChannel.ts';
import type { IsolatedWorld } from '../../cdp/isolatedWorld.ts';
import { isDocumentGone, NO_EDIT_COMMAND } from '../../cdp/playwrightInternals.ts';
import type { ClipboardContent } from '../../injected/act/clipboard.ts';
import { clipboardOf } from '../../tab/sessionClipboard.ts';
import type { Tab } from '../../tab/tab.ts';

const MODIFIER = '(?:Control|ControlOrMeta|Meta|Shift|Alt)(?:Left|Right)?';
/** Matches the chords with which Chromium pastes: Control+V, Control+Shift+V, Shift+Insert; on macOS with Meta. */
const PASTE_CHORD = new RegExp(`^((?:${MODIFIER}\\+)+)(v|KeyV|Insert)$`, 'i');

/** The bits of the modifier keys in `Input.dispatchKeyEvent`. */
const MODIFIER_BITS = { alt: 1, control: 2, meta: 4, shift: 8 } as const;

/** Returns true if a chord such as `Control+V` pastes. */
export function isPasteChord(chord: string): boolean {
  const [, modifiers = '', key = ''] = PASTE_CHORD.exec(chord) ?? [];
  if (key === '') return false;
  return /insert/i.test(key) ? /shift/i.test(modifiers) : /control|meta/i.test(modifiers);
}

/**
 * Presses a chord for which `isPasteChord` is true, and pastes where the focus is.
 * @param content what is pasted; default: what the session copied last
 */
export async function pasteContent(
  tab: Tab,
  chord: string,
  deadline: Deadline,
  content: ClipboardContent | null = clipboardOf(tab.page.context()).content,
): Promise<void> {
  const focused = content === null ? null : await findFocus(await tab.world(deadline));
  await raceDeadline(pressWithoutEdit(tab, chord), deadline);
  if (content === null || focused === null) return;
  // The page may have handled the key by opening another document.
  await focused.callAgent('paste', content).catch(error => {
    if (!isDocumentGone(error)) throw error;
  });
}

async function findFocus(world: IsolatedWorld): Promise<IsolatedWorld | null> {
  await world.install('agent');
  const focus = await world.callAgent('preparePaste');
  if (focus !== 'frame') return focus === 'here' ? world : null;
  for (const child of await world.children()) {
    const found = await findFocus(child);
    if (found !== null) return found;
  }
  return null;
}

async function pressWithoutEdit(tab: Tab, chord: string): Promise<void> {
  const { keyboard } = tab.page;
  const keys = chord.split('+');
  const last = keys.pop() ?? '';
  const isInsert = /insert/i.test(last);
  const modifiers = Object.entries(MODIFIER_BITS)
    .filter(([name]) => keys.some(key => key.toLowerCase().startsWith(name)))
    .reduce((sum, [, bit]) => sum + bit, 0);
  const letter = (modifiers & MODIFIER_BITS.shift) === 0 ? 'v' : 'V';
  const event = isInsert
    ? { key: 'Insert', code: 'Insert', windowsVirtualKeyCode: 45, modifiers }
    : { key: letter, code: 'KeyV', windowsVirtualKeyCode: 86, modifiers };
  const { session } = tab.target.channel;
  for (const key of keys) await keyboard.down(key);
  try {
    await session.send('Input.dispatchKeyEvent', {
      ...event,
      type: 'rawKeyDown',
      commands: [NO_EDIT_COMMAND],
    });
    await session.send('Input.dispatchKeyEvent', { ...event, type: 'keyUp' });
  } finally {
    for (const key of keys.toReversed()) await keyboard.up(key);
  }
}
