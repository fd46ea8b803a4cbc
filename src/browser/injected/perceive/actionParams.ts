/** The parameters of the action on an element: name, type, default and possible values. */
import type { ActionParam } from '../../../domain/space/action.ts';
import {
  getAttribute,
  hasAttribute,
  localName,
  optionLabel,
  queryIn,
  selectOptions,
} from '../dom/domGetters.ts';
import type { Candidate } from './candidate.ts';
import { isDisabled } from './element/isDisabled.ts';
import { optionText } from './element/optionText.ts';
import { normalizeText } from './element/plainText.ts';
import { sliderSource } from './element/sliderSource.ts';
import { statedTraits } from './element/statedTraits.ts';
import type { ElementState } from './elementState.ts';
import type { StatedTraits } from './wireFormat.ts';

/** Maximum number of options of a `select` or a data list that are listed. */
const MAX_OPTIONS = 100;
const MEDIA_COMMANDS = ['play', 'pause', 'mute', 'unmute', 'seek seconds', 'volume 0..100'];

/**
 * Returns the parameters of the action on a candidate; none for an action without a value.
 * @param state the current state of the element; its value becomes the default of the parameter
 */
export function paramsOf(candidate: Candidate, state: ElementState): readonly ActionParam[] {
  const { element, control } = candidate;
  const value = (type: ActionParam['type'], values: readonly string[] | null = null): ActionParam[] => [
    { name: 'value', type, default: state.value === '' ? null : state.value, values },
  ];
  switch (control) {
    case 'click':
      return [];
    case 'text':
      return value('string', datalistValues(element));
    case 'contenteditable':
      return value('string');
    case 'number':
      return value('number', numberRange(element));
    case 'range':
      return value('range', numberRange(element, '0', '100'));
    case 'slider':
      return value('range', sliderRange(sliderSource(element), statedTraits(element)));
    case 'date':
      return value('date', dateFormats(element, 'YYYY-MM-DD'));
    case 'time':
      return value('time', dateFormats(element, 'HH:MM'));
    case 'datetime':
      return value('date', dateFormats(element, 'YYYY-MM-DDTHH:MM'));
    case 'month':
      return value('date', dateFormats(element, 'YYYY-MM'));
    case 'week':
      return value('date', dateFormats(element, 'YYYY-Www'));
    case 'color':
      return value('color', ['#rrggbb']);
    case 'select':
      return value(hasAttribute(element, 'multiple') ? 'options' : 'option', optionLabels(element));
    case 'checkbox':
    case 'radio':
      return [{ name: 'value', type: 'boolean', default: null, values: ['true', 'false'] }];
    case 'file':
      return [{ name: 'value', type: 'file', default: null, values: acceptedFileTypes(element) }];
    case 'media':
      return [{ name: 'command', type: 'string', default: null, values: MEDIA_COMMANDS }];
    case 'canvas':
      return [{ name: 'position', type: 'string', default: null, values: ['x,y'] }];
  }
}

/** Returns the labels of the enabled options of a `select`. */
function optionLabels(element: Element): string[] {
  if (!(element instanceof HTMLSelectElement)) return [];
  return Array.from(selectOptions(element))
    .filter(option => !isDisabled(option, 'option'))
    .slice(0, MAX_OPTIONS)
    .map(option => optionText(option).listed);
}

/** Returns `min..max step n`, without the parts that the element lacks; null when it has none of them. */
function numberRange(element: Element, defaultMin = '', defaultMax = ''): string[] | null {
  const min = numberIn(element, 'min') ?? defaultMin;
  const max = numberIn(element, 'max') ?? defaultMax;
  const step = getAttribute(element, 'step') === 'any' ? 'any' : numberIn(element, 'step');
  if (min === '' && max === '' && step === null) return null;
  return [`${min}..${max}${step === null ? '' : ` step ${step}`}`];
}

/** Returns the number in an attribute as it is written; null for a text that is no number, which browsers ignore. */
function numberIn(element: Element, name: string): string | null {
  const text = getAttribute(element, name)?.trim() ?? '';
  return text === '' || !Number.isFinite(Number(text)) ? null : text;
}

function sliderRange(element: Element, stated: StatedTraits | null): string[] | null {
  const min = getAttribute(element, 'aria-valuemin') ?? stated?.min ?? null;
  const max = getAttribute(element, 'aria-valuemax') ?? stated?.max ?? null;
  return min === null && max === null ? null : [`${min ?? '0'}..${max ?? '100'}`];
}

/** Returns `pattern`, and `min..max` if the element has one of these attributes. */
function dateFormats(element: Element, pattern: string): string[] {
  const min = getAttribute(element, 'min');
  const max = getAttribute(element, 'max');
  return min === null && max === null ? [pattern] : [pattern, `${min ?? ''}..${max ?? ''}`];
}

function acceptedFileTypes(element: Element): string[] | null {
  const accept = getAttribute(element, 'accept');
  return accept === null || accept === '' ? null : accept.split(',').map(normalizeText);
}

/** Returns the values of the field's data list; null if it has none. */
function datalistValues(element: Element): string[] | null {
  if (!(element instanceof HTMLInputElement) || !hasAttribute(element, 'list')) return null;
  const list = element.list;
  if (list === null || localName(list) !== 'datalist' || queryIn(list, 'option') === null) return null;
  return Array.from(list.options)
    .slice(0, MAX_OPTIONS)
    .map(option => option.value || normalizeText(optionLabel(option)));
}
