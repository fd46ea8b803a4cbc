/** Giving a text to what takes one. */

import { Failure } from '../../domain/failures.ts';
import { isMalformedValue } from '../cdp/playwrightInternals.ts';
import { click, toBlockedFailure } from './click.ts';
import { type ElementContext, timeoutOption } from './elementContext.ts';

/** Up to here every character is typed, so that masks and suggestions see each key; past it only the last one is. */
const MAX_TYPED_CHARACTERS = 80;

const IS_READ_ONLY =
  'key => { const e = __pagespace.element(key); return e !== null && e.readOnly === true; }';

/** A spinner that only its arrows may turn swallows the keys. */
const VALUE_DIFFERS =
  '(key, value) => { const e = __pagespace.element(key); return e instanceof HTMLInputElement && e.value !== value; }';

/** Types into a text field or editable element, in place of what it holds. */
export async function typeText(element: ElementContext): Promise<void> {
  const { locator, value, deadline, tab } = element;
  if (value === null) return click(element);
  if (await element.world.call<boolean>(IS_READ_ONLY, element.listed.key))
    throw new Failure(
      'ACTION_BLOCKED',
      `${element.listed.id} (${element.listed.description}) is read-only. Without a value it is clicked, which may open a picker.`,
    );
  const keyboard = tab.page.keyboard;
  try {
    // A field without a box (one that only catches keys, or hides behind a styled twin) can be focused all the same.
    if (element.hasBox) await locator.focus(timeoutOption(deadline));
    else
      await element.world.call(
        'key => { const e = __pagespace.element(key); if (e) e.focus(); }',
        element.listed.key,
      );
    if (!element.hasBox) await keyboard.press('ControlOrMeta+a');
    else await locator.selectText(timeoutOption(deadline)).catch(() => keyboard.press('ControlOrMeta+a'));
    if (value === '') await keyboard.press('Delete');
    else {
      const typed = value.length <= MAX_TYPED_CHARACTERS ? value : value.slice(-1);
      const inserted = value.slice(0, value.length - typed.length);
      if (inserted !== '') await keyboard.insertText(inserted);
      await typeKeys(element, typed);
      if (
        element.listed.role === 'spinbutton' &&
        (await element.world.call<boolean>(VALUE_DIFFERS, element.listed.key, value))
      )
        await locator.fill(value, timeoutOption(deadline));
    }
  } catch (error) {
    throw toBlockedFailure(element, error);
  }
  if (element.enter) await keyboard.press('Enter');
}

async function typeKeys(element: ElementContext, text: string): Promise<void> {
  const { keyboard } = element.tab.page;
  const multiline = element.listed.control === 'contenteditable' || element.listed.role === 'textbox';
  // A line break typed as Enter would send a form; in a text area it is text.
  if (!text.includes('\n') || !multiline) return keyboard.type(text.replaceAll('\n', ' '));
  for (const [nth, line] of text.split('\n').entries()) {
    if (nth > 0) await keyboard.insertText('\n');
    await keyboard.type(line);
  }
}

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

/** Whether the browser itself takes the text as a value of the input's type: an input of its own answers, the page's is not touched. */
const ACCEPTS_VALUE = `(key, text) => {
  const e = __pagespace.element(key);
  if (!(e instanceof HTMLInputElement)) return true;
  const probe = document.createElement('input');
  probe.type = e.type;
  if (probe.type === 'range') return text.trim() !== '' && Number.isFinite(Number(text));
  probe.value = text;
  return probe.value !== '' && (probe.type !== 'color' || probe.value === text.trim().toLowerCase());
}`;

/** Sets an input whose value has a form (number, date, time, colour, range); an empty value empties it. @throws Failure VALIDATION_ERROR */
export async function fillFormatted(element: ElementContext): Promise<void> {
  const { locator, value, deadline, listed, world } = element;
  if (value === null) return click(element);
  if (value !== '' && !(await world.call<boolean>(ACCEPTS_VALUE, listed.key, value)))
    throw malformedValue(element);
  try {
    await locator.fill(value.trim(), timeoutOption(deadline));
  } catch (error) {
    if (isMalformedValue(error)) throw malformedValue(element, error);
    throw toBlockedFailure(element, error);
  }
  if (element.enter) await element.tab.page.keyboard.press('Enter');
}

function malformedValue({ listed, value }: ElementContext, cause?: unknown): Failure {
  const form = FORMATS[listed.control] ?? 'a value of its form';
  return new Failure(
    'VALIDATION_ERROR',
    `${listed.id} takes ${form}; got "${(value ?? '').slice(0, 100)}".`,
    {
      errors: [{ path: 'value', message: `must be ${form}` }],
      cause,
    },
  );
}
