/** Choosing: options of a select, checkboxes, radio buttons and switches. */
import { Failure } from '../../domain/failures.ts';
import { fold as asSeen, cut, toldChoice } from '../perceive/page/text.ts';
import { type Acting, patience } from './acting.ts';
import { click, clickInPage, notReady } from './click.ts';

interface Option {
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
const MOST_NAMED = 80;

/** Selects by label or value; several, one a line. @throws Failure VALIDATION_ERROR naming the options */
export async function chooseOptions(acting: Acting): Promise<void> {
  const { value, listed, world, locator, deadline } = acting;
  if (value === null) return click(acting);
  const options = (await world.call(READ_OPTIONS, listed.key)) as unknown as readonly Option[];
  const wanted = findOptions(options, value);
  if (typeof wanted === 'string') {
    const allowed = options
      .filter(option => !option.disabled)
      .map(option => cut(asSeen(option.label || option.value), MOST_NAMED));
    const some = allowed.slice(0, 30).join(', ') + (allowed.length > 30 ? ', …' : '');
    throw new Failure(
      'VALIDATION_ERROR',
      `${listed.id} has no option "${wanted.slice(0, 100)}". It has: ${some}.`,
      {
        errors: [{ path: 'value', message: `must be one of: ${some}` }],
      },
    );
  }
  try {
    await locator.selectOption(
      wanted.map(option => ({ index: option.index })),
      { ...patience(deadline), ...(!acting.hasBox && { force: true }) },
    );
  } catch (error) {
    throw notReady(acting, error);
  }
  if (acting.enter) await acting.tab.page.keyboard.press('Enter');
}

/** The options a value names: the whole text first, then its lines; or the part that names none. */
function findOptions(options: readonly Option[], value: string): Option[] | string {
  const one = (text: string): Option | undefined =>
    options.find(o => o.label === text && !o.disabled) ??
    options.find(o => o.value === text && !o.disabled) ??
    options.find(o => toldChoice(o.label) === text && !o.disabled) ??
    options.find(o => fold(o.label) === fold(text) && !o.disabled) ??
    options.find(o => fold(o.value) === fold(text) && !o.disabled);
  const whole = one(value);
  if (whole !== undefined) return [whole];
  const found: Option[] = [];
  for (const line of value.split('\n')) {
    if (line.trim() === '') continue;
    const option = one(line);
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
export async function setChecked(acting: Acting): Promise<void> {
  const { value, listed, world } = acting;
  const before = await world.call<boolean | null>(READ_CHECKED, listed.key);
  const wanted = wantedState(acting, before);
  if (wanted === before && value !== null) return;
  if (listed.control === 'radio' && before === true) return;
  await clickSomewhere(acting);
  if (wanted === null || !(await stillThere(acting))) return;
  const after = await world.call<boolean | null>(READ_CHECKED, listed.key);
  if (after === before && after !== null && !acting.hasBox) await clickInPage(acting);
}

function wantedState(acting: Acting, before: boolean | null): boolean | null {
  const { value, listed } = acting;
  if (value === null || value.trim() === '')
    return listed.control === 'radio' ? true : before === null ? null : !before;
  const text = value.trim().toLowerCase();
  if (text === 'true' || text === 'false') {
    if (text === 'false' && listed.control === 'radio')
      throw invalid(acting, 'a radio button cannot be unchecked; check another of its group');
    return text === 'true';
  }
  throw invalid(acting, 'must be true or false, or absent to toggle');
}

const invalid = (acting: Acting, message: string): Failure =>
  new Failure(
    'VALIDATION_ERROR',
    `${acting.listed.id}: ${message}; got "${(acting.value ?? '').slice(0, 100)}".`,
    {
      errors: [{ path: 'value', message }],
    },
  );

/** The box itself, else its label, else its own click(). */
async function clickSomewhere(acting: Acting): Promise<void> {
  const plain: Acting = { ...acting, value: null };
  if (acting.hasBox) return click(plain);
  if ((await acting.label.count()) > 0)
    try {
      return await acting.label.click({ ...patience(acting.deadline, 1_500), noWaitAfter: true });
    } catch {
      // A label that cannot be clicked either leaves the element's own click().
    }
  await clickInPage(plain);
}

const stillThere = async (acting: Acting): Promise<boolean> =>
  acting.world
    .call<boolean>('key => __pagespace.element(key) !== null', acting.listed.key)
    .catch(() => false);
