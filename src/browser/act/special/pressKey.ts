import { raceDeadline } from '../../cdp/cdpChannel.ts';
import { isUnknownKey } from '../../cdp/playwrightInternals.ts';
import { isPasteChord, pasteContent } from '../values/pasteContent.ts';
import { invalidValue, requiredValue } from './actionValue.ts';
import type { PerformSpecialAction } from './specialActionContext.ts';

/** Presses the key or key combination in the value. @throws Failure VALIDATION_ERROR when it is missing, or Playwright does not know it */
export const pressKey: PerformSpecialAction = async context => {
  const { tab, deadline, id } = context;
  const key = normalizeChord(requiredValue(context, 'key').trim());
  try {
    const press = isPasteChord(key)
      ? pasteContent(tab, key, deadline)
      : raceDeadline(tab.page.keyboard.press(key), deadline);
    await tab.interruptible(press);
  } catch (error) {
    if (isUnknownKey(error))
      throw invalidValue(
        id,
        'must be a key or chord of the browser, such as Enter, ArrowDown or Control+A',
        key,
      );
    throw error;
  }
};

/** `Control+A` → `Control+a`: people write a capital letter, but the page must receive the key without Shift. */
const normalizeChord = (chord: string): string =>
  /(^|\+)Shift\+/i.test(chord)
    ? chord
    : chord.replace(/\+([A-Z])$/, (_, letter) => `+${letter.toLowerCase()}`);
