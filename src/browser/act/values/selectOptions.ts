import { Failure } from '../../../domain/failure/failures.ts';
import { cutText } from '../../../domain/space/pageText.ts';
import type { SelectOption } from '../../injected/act/formControls.ts';
import { choiceLabel, normalizeText, quote, truncate } from '../../injected/perceive/element/plainText.ts';
import type { ElementContext, KeptCheck } from '../element/elementContext.ts';
import { click } from '../pointer/click.ts';
import { toBlockedFailure } from '../ready/blockedFailure.ts';
import { whenReady } from '../ready/whenReady.ts';
import { effectCheck } from './effectCheck.ts';
import { nullIfGone } from './keptCheck.ts';
import { RefusedValue } from './refusedValue.ts';

/** Maximum length of the label of an option in a failure text. Characters. */
const MAX_LABEL_LENGTH = 80;
/** Maximum number of options that a failure text lists. */
const MAX_LISTED_OPTIONS = 30;

/**
 * Selects the options of a `select` element that the value names, by label or `value` attribute, one per line. Without a
 * value it clicks the element.
 * @returns a check, when the page has settled, that the options are selected
 * @throws Failure VALIDATION_ERROR, which lists the options, when there is no such option; ACTION_BLOCKED
 */
export async function selectOptions(element: ElementContext): Promise<KeptCheck | null> {
  const { value, listed, world, locator } = element;
  if (value === null) {
    await click(element);
    return null;
  }
  const options = await world.callAgent('readOptions', listed.key);
  const matches = findOptions(options, value);
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

/**
 * Returns the options that the value names, enabled ones first: the option that the whole value names, else one option for each line. If a
 * line names no option, returns the text of that line.
 */
function findOptions(options: readonly SelectOption[], value: string): SelectOption[] | string {
  const findAmong = (among: readonly SelectOption[], text: string): SelectOption | undefined =>
    among.find(option => option.label === text) ??
    among.find(option => option.value === text) ??
    among.find(option => choiceLabel(option.label) === text) ??
    among.find(option => fold(option.label) === fold(text)) ??
    among.find(option => fold(option.value) === fold(text));
  const enabled = options.filter(option => !option.disabled);
  const find = (text: string): SelectOption | undefined =>
    findAmong(enabled, text) ?? findAmong(options, text);
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

const fold = (text: string): string => normalizeText(text).toLowerCase();

function unknownOption(id: string, options: readonly SelectOption[], text: string): Failure {
  return refusedOption(options, `${id} has no option "${cutText(text, 100)}".`);
}

function disabledOption(
  id: string,
  options: readonly SelectOption[],
  { label, value }: SelectOption,
): Failure {
  const name = truncate(normalizeText(label || value), MAX_LABEL_LENGTH);
  return refusedOption(options, `The option ${quote(name)} of ${id} is disabled.`);
}

function refusedOption(options: readonly SelectOption[], problem: string): Failure {
  const allowed = options
    .filter(option => !option.disabled)
    .map(option => quote(truncate(normalizeText(option.label || option.value), MAX_LABEL_LENGTH)));
  const list =
    allowed.slice(0, MAX_LISTED_OPTIONS).join(', ') + (allowed.length > MAX_LISTED_OPTIONS ? ', …' : '');
  return new Failure('VALIDATION_ERROR', `${problem} It has: ${list}.`, {
    errors: [{ path: 'value', message: `must be one of: ${list}` }],
  });
}
