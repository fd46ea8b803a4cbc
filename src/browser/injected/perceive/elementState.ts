/** What an element holds now, and what values it takes. */
import type { ActionParam } from '../../../domain/action.ts';
import {
  composedParent,
  detailsOpen,
  getAttribute,
  hasAttribute,
  inputChecked,
  inputFiles,
  inputIndeterminate,
  inputType,
  inputValue,
  localName,
  mediaDuration,
  mediaMuted,
  mediaPaused,
  mediaTime,
  optionDisabled,
  optionLabel,
  optionSelected,
  queryIn,
  selectOptions,
  textareaValue,
} from '../dom/domGetters.ts';
import { contentText } from './accessibleName.ts';
import type { Candidate } from './candidate.ts';
import { normalizeText, truncate } from './plainText.ts';

export interface ElementState {
  readonly value: string | null;
  readonly checked: boolean | null;
  readonly expanded: boolean | null;
  /** Words for the description, such as `selected` or `required`. */
  readonly words: readonly string[];
}

const MAX_VALUE_LENGTH = 2_000;
const MAX_OPTIONS = 100;
const MEDIA_COMMANDS = ['play', 'pause', 'mute', 'unmute', 'seek seconds', 'volume 0..100'];

export function stateOf(found: Candidate): ElementState {
  const { element, tag } = found;
  return {
    value: readValue(found),
    checked: checkedOf(element),
    expanded: expandedOf(element, tag),
    words: stateWordsOf(element, tag),
  };
}

function readValue(found: Candidate): string | null {
  const { element, control } = found;
  if (element instanceof HTMLInputElement) {
    switch (inputType(element)) {
      case 'checkbox':
      case 'radio':
      case 'submit':
      case 'button':
      case 'reset':
      case 'image':
        return null;
      case 'password':
        return '•'.repeat(Math.min(inputValue(element).length, 12));
      case 'file':
        return Array.from(inputFiles(element) ?? [], file => file.name).join(', ');
      default:
        return truncate(inputValue(element), MAX_VALUE_LENGTH);
    }
  }
  if (element instanceof HTMLTextAreaElement) return truncate(textareaValue(element), MAX_VALUE_LENGTH);
  if (element instanceof HTMLSelectElement)
    return Array.from(selectOptions(element))
      .filter(option => optionSelected(option))
      .map(option => normalizeText(optionLabel(option)))
      .join(', ');
  if (control === 'contenteditable') return truncate(contentText(element, false), MAX_VALUE_LENGTH);
  if (control === 'slider') return sliderValue(element);
  if (getAttribute(element, 'role') === 'combobox')
    return truncate(contentText(element, false), MAX_VALUE_LENGTH) || null;
  const text = getAttribute(element, 'aria-valuetext') ?? getAttribute(element, 'aria-valuenow');
  return text === null ? null : normalizeText(text);
}

/** A slider's value: as ARIA says it, else how far along its track it is. */
function sliderValue(element: Element): string {
  const told = getAttribute(element, 'aria-valuetext') ?? getAttribute(element, 'aria-valuenow');
  if (told !== null) return normalizeText(told);
  const style = getAttribute(element, 'style') ?? '';
  return /(?:left|bottom)\s*:\s*([\d.]+%)/.exec(style)?.[1] ?? '';
}

function checkedOf(element: Element): boolean | null {
  if (element instanceof HTMLInputElement && /^(checkbox|radio)$/.test(inputType(element)))
    return inputIndeterminate(element) ? null : inputChecked(element);
  const told = getAttribute(element, 'aria-checked');
  return told === 'true' ? true : told === 'false' ? false : null;
}

function expandedOf(element: Element, tag: string): boolean | null {
  const told = getAttribute(element, 'aria-expanded');
  if (told === 'true') return true;
  if (told === 'false') return false;
  if (tag !== 'summary') return null;
  const details = composedParent(element);
  return details instanceof HTMLDetailsElement ? detailsOpen(details) : null;
}

const SELECTED_CLASSES =
  /(^|\s)(selected|active|current|checked|ui-selected|ui-state-active|is-active|is-selected)(\s|$)/;

function stateWordsOf(element: Element, tag: string): string[] {
  const words: string[] = [];
  const says = (name: string, value = 'true') => getAttribute(element, name) === value;
  if (hasAttribute(element, 'required') || says('aria-required')) words.push('required');
  if (hasAttribute(element, 'readonly') || says('aria-readonly')) words.push('read-only');
  if (says('aria-pressed')) words.push('pressed');
  if (says('aria-pressed', 'false')) words.push('not pressed');
  const current = getAttribute(element, 'aria-current');
  if (says('aria-selected') || (tag !== 'input' && hasSelectedClass(element))) words.push('selected');
  else if (current !== null && current !== 'false') words.push('current');
  if (says('aria-invalid')) words.push('invalid');
  if (says('aria-busy')) words.push('busy');
  if (element instanceof HTMLMediaElement) {
    words.push(mediaPaused(element) ? 'paused' : 'playing');
    if (mediaMuted(element)) words.push('muted');
    const length = mediaDuration(element);
    const at = Math.floor(mediaTime(element));
    if (Number.isFinite(length)) words.push(`at ${at} of ${Math.round(length)} seconds`);
    else if (at > 0) words.push(`at ${at} seconds`);
  }
  if (element instanceof HTMLInputElement && inputIndeterminate(element)) words.push('mixed');
  const popup = getAttribute(element, 'aria-haspopup');
  if (popup !== null && popup !== 'false' && getAttribute(element, 'aria-expanded') === null)
    words.push('opens a menu');
  return words;
}

const hasSelectedClass = (element: Element): boolean => {
  const classes = getAttribute(element, 'class');
  return classes !== null && SELECTED_CLASSES.test(classes);
};

/** The values that the element takes. */
export function paramsOf(found: Candidate, state: ElementState): readonly ActionParam[] {
  const { element, control } = found;
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
      return value('range', sliderRange(element));
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

function optionLabels(element: Element): string[] {
  if (!(element instanceof HTMLSelectElement)) return [];
  return Array.from(selectOptions(element))
    .filter(option => !optionDisabled(option))
    .slice(0, MAX_OPTIONS)
    .map(option => normalizeText(optionLabel(option)));
}

/** `min..max step n`, as far as they are given; null when nothing is. */
function numberRange(element: Element, least = '', most = ''): string[] | null {
  const min = getAttribute(element, 'min') ?? least;
  const max = getAttribute(element, 'max') ?? most;
  const step = getAttribute(element, 'step');
  if (min === '' && max === '' && step === null) return null;
  return [`${min}..${max}${step === null ? '' : ` step ${step}`}`];
}

function sliderRange(element: Element): string[] | null {
  const min = getAttribute(element, 'aria-valuemin');
  const max = getAttribute(element, 'aria-valuemax');
  return min === null && max === null ? null : [`${min ?? '0'}..${max ?? '100'}`];
}

function dateFormats(element: Element, pattern: string): string[] {
  const min = getAttribute(element, 'min');
  const max = getAttribute(element, 'max');
  return min === null && max === null ? [pattern] : [pattern, `${min ?? ''}..${max ?? ''}`];
}

function acceptedFileTypes(element: Element): string[] | null {
  const accept = getAttribute(element, 'accept');
  return accept === null || accept === '' ? null : accept.split(',').map(normalizeText);
}

/** The entries of a data list. */
function datalistValues(element: Element): string[] | null {
  if (!(element instanceof HTMLInputElement) || !hasAttribute(element, 'list')) return null;
  const list = element.list;
  if (list === null || localName(list) !== 'datalist' || queryIn(list, 'option') === null) return null;
  return Array.from(list.options)
    .slice(0, MAX_OPTIONS)
    .map(option => option.value || normalizeText(optionLabel(option)));
}
