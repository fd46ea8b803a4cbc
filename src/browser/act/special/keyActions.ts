import { cutText } from '../../../domain/space/pageText.ts';
import { raceDeadline } from '../../cdp/cdpChannel.ts';
import { isUnknownKey } from '../../cdp/playwrightInternals.ts';
import { isPasteChord, pasteContent } from '../values/pasteContent.ts';
import { typeCharacters } from '../values/typeCharacters.ts';
import { invalidValue, type PerformSpecialAction, requiredValue } from './specialActionContext.ts';

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

/** Maximum length of a text that is typed key by key. A longer line is inserted at once, except its last character. */
const MAX_TYPED_CHARACTERS = 200;

/** The page of the focus is not known, so each key follows the reaction to the one before. */
const IN_TURN = { keyEntry: 'in turn', isIdle: async () => false } as const;

/** Types the value into whatever has the focus. A line break presses Enter. @throws Failure VALIDATION_ERROR when the value is missing */
export const typeIntoFocus: PerformSpecialAction = async context => {
  const { tab, deadline, command } = context;
  const text = command.params.text ?? command.value ?? '';
  if (text === '') requiredValue(context, 'text');
  if (!(await (await context.topWorld()).callAgent('hasFocusedElement')))
    context.addEffectCheck(async () => 'Nothing had the focus, so the keys went to the page as a whole.');
  await context.beginTyping(text);
  const { keyboard } = tab.page;
  const type = async (): Promise<void> => {
    for (const [nth, line] of text.split(/\r?\n/).entries()) {
      if (nth > 0) await keyboard.press('Enter');
      const inserted = line.length > MAX_TYPED_CHARACTERS ? cutText(line, line.length - 1) : '';
      if (inserted !== '') await keyboard.insertText(inserted);
      await typeCharacters(tab, line.slice(inserted.length), IN_TURN, deadline);
    }
    if (command.enter) await keyboard.press('Enter');
  };
  await tab.interruptible(raceDeadline(type(), deadline));
};
