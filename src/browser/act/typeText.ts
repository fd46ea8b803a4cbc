import { Failure } from '../../domain/failures.ts';
import { toBlockedFailure } from './blockedFailure.ts';
import { click } from './click.ts';
import type { ElementContext } from './elementContext.ts';
import { timeoutOption } from './timeoutOption.ts';

/**
 * Maximum length of a text that is typed key by key, so that input masks and suggestions receive each key. A longer text
 * is inserted at once, except its last character, which is typed.
 */
const MAX_TYPED_CHARACTERS = 80;

/**
 * Replaces the content of a text field or editable element by the value. Without a value it clicks the element.
 * @throws Failure ACTION_BLOCKED when the element is read-only or does not become ready
 */
export async function typeText(element: ElementContext): Promise<void> {
  const { locator, value, deadline, tab, listed, world } = element;
  if (value === null) return click(element);
  if (await world.callAgent('isReadOnly', listed.key))
    throw new Failure(
      'ACTION_BLOCKED',
      `${listed.id} (${listed.description}) is read-only. Without a value it is clicked, which may open a picker.`,
    );
  const { keyboard } = tab.page;
  const selectAll = () => keyboard.press('ControlOrMeta+a');
  try {
    if (element.hasBox) {
      await locator.focus(timeoutOption(deadline));
      await locator.selectText(timeoutOption(deadline)).catch(selectAll);
    } else {
      // A field without a box, such as one behind a styled replacement, can still be focused.
      await world.callAgent('focusElement', listed.key);
      await selectAll();
    }
    if (value === '') await keyboard.press('Delete');
    else await enterText(element, value);
  } catch (error) {
    throw toBlockedFailure(element, error);
  }
  if (element.enter) await keyboard.press('Enter');
}

async function enterText(element: ElementContext, text: string): Promise<void> {
  const { tab, listed, world, locator, deadline } = element;
  const typed = text.length <= MAX_TYPED_CHARACTERS ? text : text.slice(-1);
  const inserted = text.slice(0, text.length - typed.length);
  if (inserted !== '') await tab.page.keyboard.insertText(inserted);
  await typeKeys(element, typed);
  // A spin button that only its arrows change ignores the keys.
  if (listed.role === 'spinbutton' && (await world.callAgent('differsFrom', listed.key, text)))
    await locator.fill(text, timeoutOption(deadline));
}

async function typeKeys({ tab, listed }: ElementContext, text: string): Promise<void> {
  const { keyboard } = tab.page;
  const isMultiline = listed.control === 'contenteditable' || listed.role === 'textbox';
  if (!text.includes('\n') || !isMultiline) return keyboard.type(text.replaceAll('\n', ' '));
  // Typing a line break would press Enter, which submits a form.
  for (const [nth, line] of text.split('\n').entries()) {
    if (nth > 0) await keyboard.insertText('\n');
    await keyboard.type(line);
  }
}
