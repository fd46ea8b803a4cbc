import { Failure } from '../../../domain/failure/failures.ts';
import { cutText } from '../../../domain/space/pageText.ts';
import { isMalformedValue } from '../../cdp/playwrightInternals.ts';
import type { ElementContext, KeptCheck } from '../element/elementContext.ts';
import { click, pressAtOnce } from '../pointer/click.ts';
import { endUnusedGuard } from '../pointer/clickGuard.ts';
import { viewportPoint } from '../pointer/geometry.ts';
import { toBlockedFailure, whenReady } from '../ready/whenReady.ts';
import { checkKeptNow, keptCheck, outsideOfRange, pressEnter } from './valueChecks.ts';

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
export async function fillFormatted(element: ElementContext): Promise<KeptCheck | null> {
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
  return new Failure(
    'VALIDATION_ERROR',
    `${listed.id} takes ${format}; got "${cutText(value ?? '', 100)}".`,
    {
      errors: [{ path: 'value', message: `must be ${format}` }],
      cause,
    },
  );
}
