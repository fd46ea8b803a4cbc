import { Failure } from '../../../domain/failure/failures.ts';
import { cutText } from '../../../domain/space/pageText.ts';
import type { SelectOption } from '../../injected/act/formControls.ts';
import { choiceLabel, normalizeText, quote, truncate } from '../../injected/perceive/element/plainText.ts';
import type { ElementContext, KeptCheck } from '../element/elementContext.ts';
import { click } from '../pointer/click.ts';
import { toBlockedFailure, whenReady } from '../ready/whenReady.ts';
import { RefusedValue } from './refusedValue.ts';
import { effectCheck, nullIfGone } from './valueChecks.ts';

/** Maximum length of the label of an option in a failure text. Characters. */
const MAX_LABEL_LENGTH = 80;
const MAX_LISTED_OPTIONS = 30;

/**
 * Selects the options of a `select` element that the value names, by label or `value` attribute, one per line. Without a
 * value it clicks the element.
 * @returns a check, when the page has settled, that the options are selected
 * @throws Failure VALIDATION_ERROR, which lists the options, when there is no such option, or several; ACTION_BLOCKED
 */
export async function selectOptions(element: ElementContext): Promise<KeptCheck | null> {
  const { value, listed, world, locator } = element;
  if (value === null) {
    await click(element);
    return null;
  }
  const options = await offeredOptions(element, value);
  const matches = findOptions(listed.id, options, value);
  if (typeof matches === 'string') throw unknownOption(listed.id, options, matches);
  const disabled = matches.find(option => option.disabled);
  if (disabled !== undefined) throw disabledOption(listed.id, options, disabled);
  const isIgnored = await effectCheck(world, listed.key, '');
  try {
    const wanted = matches.map(option => ({ index: option.index }));
    await whenReady(element, options =>
      locator.selectOption(wanted, { ...options, ...(!element.hasBox && { force: true }) }),
    );
  } catch (error) {
    throw toBlockedFailure(element, error);
  }
  if (element.enter) await element.tab.page.keyboard.press('Enter');
  return async () => {
    const now = await world.callAgent('readOptions', listed.key).catch(nullIfGone);
    const held = now?.filter(option => option.selected).map(option => option.label) ?? [];
    const labels = matches.map(option => option.label);
    const isKept = now === null || now.length === 0 || held.join('\n') === labels.join('\n');
    // A menu of places to go shows its first option again when the page has changed.
    if (isKept || (await isIgnored()) === null) return;
    throw new RefusedValue(listed, value, held.join(', '));
  };
}

/** Maximum wait for the options that a list loads when it is pressed. Milliseconds. */
const OPTIONS_TIMEOUT_MS = 2_000;

/** Returns the options of a list. One that has none but a hint is pressed if the value names none: some load their options then. */
async function offeredOptions(element: ElementContext, value: string): Promise<readonly SelectOption[]> {
  const { world, listed, tab } = element;
  const read = () => world.callAgent('readOptions', listed.key);
  const options = await read();
  if (options.length > 1 || typeof findOptions(listed.id, options, value) !== 'string') return options;
  await click({ ...element, value: null });
  let now = await read();
  const end = performance.now() + OPTIONS_TIMEOUT_MS;
  while (performance.now() < end && now.length <= options.length) {
    await tab.network.nextChange(OPTIONS_CHECK_INTERVAL_MS);
    now = await read();
  }
  if (await world.callAgent('isOpenList', listed.key)) await tab.page.keyboard.press('Escape');
  return now;
}

/** Time between two checks whether a list has loaded its options. Milliseconds. */
const OPTIONS_CHECK_INTERVAL_MS = 100;

/** The ways in which a text can name an option, the most exact first. */
const NAMED: readonly ((option: SelectOption, text: string) => boolean)[] = [
  (option, text) => option.label === text,
  (option, text) => option.names.includes(text),
  (option, text) => option.value === text,
  (option, text) => choiceLabel(option.label) === text,
  (option, text) => option.names.some(name => fold(name) === fold(text)),
  (option, text) => fold(option.value) === fold(text),
];

/**
 * Returns the options that the value names, enabled ones first: the option that the whole value names, else one option for each line. If a
 * line names no option, returns the text of that line.
 * @throws Failure VALIDATION_ERROR if a text names several options, which have different labels or values
 */
function findOptions(id: string, options: readonly SelectOption[], value: string): SelectOption[] | string {
  const enabled = options.filter(option => !option.disabled);
  const find = (text: string): SelectOption | undefined => {
    for (const among of [enabled, options])
      for (const names of NAMED) {
        const found = among.filter(option => names(option, text));
        // A value that is only the text of the option does not say that two of them mean the same.
        const kinds = new Set(
          found.map(({ label, value, names }) => (names.includes(value) ? label : value)),
        );
        if (kinds.size > 1) throw ambiguousOption(id, found, text);
        if (found[0] !== undefined) return found[0];
      }
    return undefined;
  };
  const whole = find(value);
  if (whole !== undefined) return [whole];
  const found: SelectOption[] = [];
  for (const line of value.split('\n')) {
    if (line.trim() === '') continue;
    const option = find(line);
    if (option === undefined) return line;
    found.push(option);
  }
  return found;
}

/** Creates the failure for a text that names several options. It tells their labels; their values where the labels are equal. */
function ambiguousOption(id: string, found: readonly SelectOption[], text: string): Failure {
  const isUnique = ({ label }: SelectOption) => found.filter(other => other.label === label).length === 1;
  const names = found.map(option => (isUnique(option) ? option.label : option.value));
  return refusedOption(names, `"${cutText(text, 100)}" names ${found.length} options of ${id}. They are`);
}

const fold = (text: string): string => normalizeText(text).toLowerCase();

function unknownOption(id: string, options: readonly SelectOption[], text: string): Failure {
  return refusedOption(enabledNames(options), `${id} has no option "${cutText(text, 100)}". It has`);
}

function disabledOption(
  id: string,
  options: readonly SelectOption[],
  { label, value }: SelectOption,
): Failure {
  const name = truncate(normalizeText(label || value), MAX_LABEL_LENGTH);
  return refusedOption(enabledNames(options), `The option ${quote(name)} of ${id} is disabled. It has`);
}

const enabledNames = (options: readonly SelectOption[]): readonly string[] =>
  options.filter(option => !option.disabled).map(option => option.label || option.value);

function refusedOption(names: readonly string[], problem: string): Failure {
  const allowed = names.map(name => quote(truncate(normalizeText(name), MAX_LABEL_LENGTH)));
  const list =
    allowed.slice(0, MAX_LISTED_OPTIONS).join(', ') + (allowed.length > MAX_LISTED_OPTIONS ? ', …' : '');
  return new Failure('VALIDATION_ERROR', `${problem}: ${list}.`, {
    errors: [{ path: 'value', message: `must be one of: ${list}` }],
  });
}
