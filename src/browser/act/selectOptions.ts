/** Choosing: options of a select, checkboxes, radio buttons and switches. */
import { Failure } from '../../domain/failures.ts';
import { normalizeText as asSeen, choiceLabel, truncate } from '../injected/perceive/plainText.ts';
import { click, clickInPage, toBlockedFailure } from './click.ts';
import { type ElementContext, timeoutOption } from './elementContext.ts';

interface SelectOption {
  readonly index: number;
  readonly label: string;
  readonly value: string;
  readonly disabled: boolean;
}

const READ_OPTIONS = `key => {
  const select = __pagespace.element(key);
  if (!select) return [];
  const options = [...select.options];
  return options.map((o, index) => ({
    index, label: o.label.replace(/\\s+/g, ' ').trim(), value: o.value,
    disabled: o.disabled || (o.parentElement instanceof HTMLOptGroupElement && o.parentElement.disabled),
  }));
}`;

const fold = (text: string): string => asSeen(text).toLowerCase();

/** Of an option that is named in a failure. Characters. */
const MAX_LABEL_LENGTH = 80;

/** Selects by label or value; several, one a line. @throws Failure VALIDATION_ERROR naming the options */
export async function selectOptions(element: ElementContext): Promise<void> {
  const { value, listed, world, locator, deadline } = element;
  if (value === null) return click(element);
  const options = (await world.call(READ_OPTIONS, listed.key)) as unknown as readonly SelectOption[];
  const matches = findOptions(options, value);
  if (typeof matches === 'string') {
    const allowed = options
      .filter(option => !option.disabled)
      .map(option => truncate(asSeen(option.label || option.value), MAX_LABEL_LENGTH));
    const some = allowed.slice(0, 30).join(', ') + (allowed.length > 30 ? ', …' : '');
    throw new Failure(
      'VALIDATION_ERROR',
      `${listed.id} has no option "${matches.slice(0, 100)}". It has: ${some}.`,
      {
        errors: [{ path: 'value', message: `must be one of: ${some}` }],
      },
    );
  }
  try {
    await locator.selectOption(
      matches.map(option => ({ index: option.index })),
      { ...timeoutOption(deadline), ...(!element.hasBox && { force: true }) },
    );
  } catch (error) {
    throw toBlockedFailure(element, error);
  }
  if (element.enter) await element.tab.page.keyboard.press('Enter');
}

/** The options a value names: the whole text first, then its lines; or the part that names none. */
function findOptions(options: readonly SelectOption[], value: string): SelectOption[] | string {
  const findOption = (text: string): SelectOption | undefined =>
    options.find(o => o.label === text && !o.disabled) ??
    options.find(o => o.value === text && !o.disabled) ??
    options.find(o => choiceLabel(o.label) === text && !o.disabled) ??
    options.find(o => fold(o.label) === fold(text) && !o.disabled) ??
    options.find(o => fold(o.value) === fold(text) && !o.disabled);
  const whole = findOption(value);
  if (whole !== undefined) return [whole];
  const found: SelectOption[] = [];
  for (const line of value.split('\n')) {
    if (line.trim() === '') continue;
    const option = findOption(line);
    if (option === undefined) return line;
    found.push(option);
  }
  return found;
}

const READ_CHECKED = `key => {
  const e = __pagespace.element(key);
  if (!e) return null;
  if (e instanceof HTMLInputElement) return e.checked;
  const state = e.getAttribute('aria-checked') ?? e.getAttribute('aria-selected') ?? e.getAttribute('aria-pressed');
  return state === null ? null : state === 'true';
}`;

/** Checks or unchecks; without a value toggles (a radio button: checks). @throws Failure VALIDATION_ERROR, ACTION_BLOCKED */
export async function setChecked(element: ElementContext): Promise<void> {
  const { value, listed, world } = element;
  const before = await world.call<boolean | null>(READ_CHECKED, listed.key);
  const target = targetState(element, before);
  if (target === before && value !== null) return;
  if (listed.control === 'radio' && before === true) return;
  await clickBoxOrLabel(element);
  if (target === null || !(await isStillPresent(element))) return;
  const after = await world.call<boolean | null>(READ_CHECKED, listed.key);
  if (after === before && after !== null && !element.hasBox) await clickInPage(element);
}

function targetState(element: ElementContext, before: boolean | null): boolean | null {
  const { value, listed } = element;
  if (value === null || value.trim() === '')
    return listed.control === 'radio' ? true : before === null ? null : !before;
  const text = value.trim().toLowerCase();
  if (text === 'true' || text === 'false') {
    if (text === 'false' && listed.control === 'radio')
      throw invalidValue(element, 'a radio button cannot be unchecked; check another of its group');
    return text === 'true';
  }
  throw invalidValue(element, 'must be true or false, or absent to toggle');
}

const invalidValue = (element: ElementContext, message: string): Failure =>
  new Failure(
    'VALIDATION_ERROR',
    `${element.listed.id}: ${message}; got "${(element.value ?? '').slice(0, 100)}".`,
    {
      errors: [{ path: 'value', message }],
    },
  );

/** The box itself, else its label, else its own click(). */
async function clickBoxOrLabel(element: ElementContext): Promise<void> {
  const withoutValue: ElementContext = { ...element, value: null };
  if (element.hasBox) return click(withoutValue);
  if ((await element.label.count()) > 0)
    try {
      return await element.label.click({ ...timeoutOption(element.deadline, 1_500), noWaitAfter: true });
    } catch {
      // A label that cannot be clicked either leaves the element's own click().
    }
  await clickInPage(withoutValue);
}

const isStillPresent = async (element: ElementContext): Promise<boolean> =>
  element.world
    .call<boolean>('key => __pagespace.element(key) !== null', element.listed.key)
    .catch(() => false);
