/**
 * Makes a name for an element without an accessible name: words that describe what a person would see, as far as the
 * markup contains them.
 */

import {
  attributeText,
  boxOf,
  composedParent,
  elementById,
  firstElementChild,
  getAttribute,
  getRootNode,
  hasAttribute,
  isShadowRoot,
  localName,
  nextElementSibling,
  queryAllFragment,
  queryIn,
  textContent,
} from '../../dom/domGetters.ts';
import { styleOf } from '../../dom/styleOf.ts';
import { CONTROLS } from '../../dom/vocabulary.ts';
import type { Candidate } from '../candidate.ts';
import { isShape } from '../element/box.ts';
import { normalizeText, truncate } from '../element/plainText.ts';
import { contentText, visibleText } from '../element/renderedText.ts';
import { titleOf } from './accessibleName.ts';
import { adjacentText, labelAround, switchLabel } from './adjacentText.ts';
import { addressWords, classWords, fileNameWords, identifierWords, idWords } from './identifierWords.ts';
import { backgroundColorName, shapeLabel } from './shapeDescription.ts';

const MAX_HINT_LENGTH = 60;
const MAX_REGION_HINT_LENGTH = 40;
const MAX_DATA_LENGTH = 40;

export interface NameHint {
  /** Words from the markup, without the color: they do not change while the pointer is over the element. Empty if there are none. */
  readonly stem: string;
  /** Name of the background color; empty if the element has none or the color has no meaning. */
  readonly color: string;
}

export function nameHint(candidate: Candidate): NameHint {
  const stem = hintText(candidate);
  const { element, tag, style } = candidate;
  if (candidate.letter === 'I' || candidate.control === 'canvas' || isShape(tag) || tag === 'g')
    return { stem, color: '' };
  // The default gray of a native button has no meaning.
  const color = candidate.basis === 'control' && stem !== '' ? '' : backgroundColorName(element, style);
  return { stem, color };
}

function hintText(candidate: Candidate): string {
  const { element, tag } = candidate;
  const written = tooltip(element);
  if (written !== '') return written;
  const ofHost = hostWords(element);
  if (ofHost !== '') return ofHost;
  if (candidate.control === 'slider')
    return identifierWords(getAttribute(element, 'name') ?? '') || sliderHint(element);
  if (candidate.letter === 'I') return fieldHint(candidate);
  if (isShape(tag) || tag === 'g') return shapeLabel(element, tag);
  const isLink = tag === 'a' || tag === 'area';
  // Screen readers read the address of a link without a name, too.
  return boxHint(element) || (isLink ? addressWords(getAttribute(element, 'href') ?? '') : '');
}

/** Returns the text beside a field without a label, else its name attribute, else its id. */
function fieldHint({ element, control }: Candidate): string {
  const isTickBox = control === 'checkbox' || control === 'radio';
  return (
    adjacentText(element, isTickBox) ||
    (control === 'checkbox' ? switchLabel(element) : '') ||
    identifierWords(getAttribute(element, 'name') ?? '') ||
    idWords(element)
  );
}

/** Returns a hint for the handle of a slider: the label, title or id words of its track, else of the handle's own id, else the text before the track. */
function sliderHint(handle: Element): string {
  const track = composedParent(handle);
  if (track === null) return '';
  const label = normalizeText(getAttribute(track, 'aria-label') ?? getAttribute(track, 'title') ?? '');
  const named = label || idWords(track) || labelAround(handle) || idWords(handle);
  if (named !== '') return named;
  const before = adjacentText(track, false);
  return /\p{L}{2}/u.test(before) ? before : '';
}

function boxHint(element: Element): string {
  const side = /(?:^|\s)ui-resizable-([nsew]{1,2})(?:\s|$)/.exec(getAttribute(element, 'class') ?? '')?.[1];
  if (side !== undefined) return `resize handle ${side}`;
  const own = classWords(element);
  const words =
    iconWords(element) ||
    dataWords(element) ||
    (hasAttribute(element, 'aria-pressed') ? switchLabel(element) : '') ||
    (own === '' ? '' : withWrapperClasses(element, own)) ||
    identifierWords(getAttribute(element, 'id') ?? '') ||
    backgroundImageWords(element) ||
    onlyChildWords(element);
  return truncate(words, MAX_HINT_LENGTH);
}

const TOOLTIP_ATTRIBUTES =
  'title data-title data-original-title data-bs-original-title data-bs-title data-tooltip data-tooltip-content data-tip data-tips data-tippy-content data-hint aria-description alt'.split(
    ' ',
  );

const HOST_ATTRIBUTES = ['aria-label', 'label', 'title', 'accessible-name', 'text', 'icon', 'name'] as const;

/** Returns the name that a custom element has for the only control of its shadow tree; empty for any other element. */
function hostWords(element: Element): string {
  const root = getRootNode(element);
  if (!isShadowRoot(root) || queryAllFragment(root, HOST_CONTROLS).length > 1) return '';
  const host = root.host;
  for (const name of HOST_ATTRIBUTES) {
    const text = attributeText(host, name);
    if (text !== '') return /^(?:icon|name)$/.test(name) ? identifierWords(text) : text;
  }
  return '';
}

const HOST_CONTROLS = `${CONTROLS}, [tabindex]`;

/** Returns the text that an element shows when the pointer rests on it; empty if it has none. */
function tooltip(element: Element): string {
  for (const name of TOOLTIP_ATTRIBUTES) {
    if (!hasAttribute(element, name)) continue;
    const text = name === 'title' ? titleOf(element) : attributeText(element, name);
    if (text !== '') return text;
  }
  const id = getAttribute(element, 'aria-describedby');
  const described = id === null ? null : elementById(element, id);
  return described === null ? '' : truncate(normalizeText(textContent(described) ?? ''), MAX_HINT_LENGTH);
}

/** Returns a hint for a region without a title: its class or id words, else the beginning of its text. */
export function regionHint(element: Element): string {
  return classWords(element) || idWords(element) || truncate(visibleText(element), MAX_REGION_HINT_LENGTH);
}

/** Returns what the symbol of a button means: its tooltip, its text for screen readers, or words of its classes, data and id. */
export const symbolHint = (element: Element, symbol: string): string =>
  letterHint(element) ||
  truncate(
    normalizeText(contentText(element, false, null, false, true).replace(symbol, ' ')),
    MAX_HINT_LENGTH,
  ) ||
  truncate(classWords(element) || dataWords(element) || idWords(element), MAX_HINT_LENGTH);

/** Returns a hint for a button that shows only a letter or two: its tooltip. */
export const letterHint = (element: Element): string => truncate(tooltip(element), MAX_HINT_LENGTH);

/** Two boxes look like one if the differences of their widths and heights add up to less than this. CSS pixels. */
const SAME_BOX_TOLERANCE_PX = 6;

/** Returns the class words of a box; if the box and its parent look like one box, after the class words of the parent. */
function withWrapperClasses(element: Element, words: string): string {
  const wrapper = composedParent(element);
  if (wrapper === null) return words;
  const more = classWords(wrapper)
    .split(' ')
    .filter(word => !words.includes(word));
  if (more.join('') === '') return words;
  const [inner, outer] = [boxOf(element), boxOf(wrapper)];
  const difference = Math.abs(inner.width - outer.width) + Math.abs(inner.height - outer.height);
  return difference < SAME_BOX_TOLERANCE_PX ? `${more.join(' ')} ${words}` : words;
}

const DATA_ATTRIBUTES =
  'data-label data-name data-date data-time data-day data-action data-command data-cmd data-value data-icon data-color name'.split(
    ' ',
  );
/** Attributes with which tests find elements: their words name what the element is for. */
const TEST_ATTRIBUTES = ['data-testid', 'data-test', 'data-cy', 'data-qa'] as const;

function dataWords(element: Element): string {
  for (const name of DATA_ATTRIBUTES)
    if (hasAttribute(element, name))
      return truncate(attributeText(element, name).replace(/^js-/, ''), MAX_DATA_LENGTH);
  for (const name of TEST_ATTRIBUTES)
    if (hasAttribute(element, name)) return identifierWords(getAttribute(element, name) ?? '');
  return '';
}

/** Returns words for the icon in an element: from its file name, the name of its sprite, or its classes; empty if there are none. */
export function iconWords(element: Element): string {
  const icon =
    localName(element) === 'img' ? element : queryIn(element, 'img, svg, use, i[class], span[class]');
  if (icon === null || icon === element) return fileNameWords(getAttribute(element, 'src') ?? '');
  const source = getAttribute(icon, 'src') ?? '';
  const use = localName(icon) === 'svg' ? queryIn(icon, 'use') : icon;
  const sprite = use === null ? '' : (getAttribute(use, 'href') ?? getAttribute(use, 'xlink:href') ?? '');
  return (
    identifierWords(getAttribute(icon, 'data-icon') ?? '') ||
    identifierWords(getAttribute(icon, 'data-testid') ?? '') ||
    fileNameWords(source) ||
    identifierWords(sprite.split('#').pop() ?? '') ||
    classWords(icon)
  );
}

/** Returns the class words of the one box in an element, which draws its picture; empty if there is none. */
function onlyChildWords(element: Element): string {
  const child = firstElementChild(element);
  return child === null || nextElementSibling(child) !== null ? '' : classWords(child);
}

function backgroundImageWords(element: Element): string {
  const url = /url\("?([^")]+)/.exec(styleOf(element).backgroundImage)?.[1];
  return url === undefined ? '' : fileNameWords(url);
}
