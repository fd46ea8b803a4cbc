/**
 * Computes accessible names, by Accessible Name and Description Computation 1.2. Comments name the step of the standard
 * that a rule implements.
 */
import {
  attributeText,
  childElementCount,
  elementById,
  getAttribute,
  hasAttribute,
  labelsOf,
  localName,
  queryIn,
} from '../../dom/domGetters.ts';
import { NAME_FROM_CONTENT_ROLES, roleOf } from '../element/ariaRole.ts';
import { labelOfHost, statedTraits } from '../element/customElement.ts';
import { normalizeText } from '../element/plainText.ts';
import { childText, contentText, textBesideControls } from '../element/renderedText.ts';
import { isSeen } from '../element/visibility.ts';

/** A label that is only a state: the entries of some wheels are labelled so, and their text names them. */
const STATE_WORD = /^(?:active|selected|current|checked|inactive|unselected)$/i;
/** Roles of fields, whose label can belong to the custom element around them. */
const FIELD_ROLES = /^(?:checkbox|switch|radio|slider|spinbutton|combobox|textbox|searchbox)$/;
const MAX_LABEL_IDS = 20;

/** Returns the normalized name; the title and the placeholder come last (step 2I). @param generatesText reads `::before` and `::after` too */
export function accessibleName(element: Element, tag: string, generatesText: boolean): string {
  const fromAria = ariaName(element, generatesText);
  if (fromAria !== '' && !STATE_WORD.test(fromAria)) return fromAria;
  const shown = fromAria === '' ? '' : contentText(element, generatesText);
  if (fromAria !== '') return shown || fromAria;
  const native = nativeName(element, tag, generatesText);
  if (native !== '') return native;
  const mayHaveHost = tag.includes('-') || /^(?:input|textarea|select)$/.test(tag) || isFieldByRole(element);
  const host = mayHaveHost ? labelOfHost(element) : null;
  const label = host === null ? '' : contentText(host, generatesText, element, true);
  if (label !== '') return label;
  const stated = tag.includes('-') ? normalizeText(statedTraits(element)?.name ?? '') : '';
  if (stated !== '') return stated;
  const role = roleOf(element, tag);
  if (role !== null && NAME_FROM_CONTENT_ROLES.has(role)) {
    const content = contentOf(element, role, generatesText);
    if (content !== '') return content;
  }
  return titleOf(element) || normalizeText(placeholder(element));
}

/** Roles of rows and entries, which can contain buttons and boxes to tick of their own. */
const ENTRY_ROLES = /^(?:button|link|option|row|gridcell|cell|columnheader|rowheader|treeitem|tab|menuitem)$/;
const INNER_CONTROLS = 'button, label, [role=button], [role=checkbox], [role=switch], [role=radio]';
const LETTERS = /\p{L}{2}/u;

/** Returns the text of an element; that of an entry without the controls in it, unless it has no other words. */
function contentOf(element: Element, role: string, generatesText: boolean): string {
  if (ENTRY_ROLES.test(role) && childElementCount(element) > 0 && queryIn(element, INNER_CONTROLS) !== null) {
    const own = textBesideControls(element, generatesText);
    if (LETTERS.test(own)) return own;
  }
  return contentText(element, generatesText);
}

function isFieldByRole(element: Element): boolean {
  const role = getAttribute(element, 'role');
  return role !== null && FIELD_ROLES.test(role);
}

/** Returns the title of an element, without the access key that some applications add to it: `Edit this page [E]`. */
export function titleOf(element: Element): string {
  const title = attributeText(element, 'title');
  return title !== '' && hasAttribute(element, 'accesskey') ? title.replace(ACCESS_KEY, '') : title;
}

const ACCESS_KEY = /\s*[[(](?:[a-z+⇧⌥⌃ -]*[+-])?\S[\])]$/i;

/** Returns the name of a section: of the labels those that people see, for what only screen readers read counts or explains. */
export function sectionLabel(element: Element, tag: string): string {
  const seen = ariaName(
    element,
    false,
    other => other !== element && isSeen(other) && contentText(other, false) !== '',
  );
  return seen === attributeText(element, 'aria-label') ? accessibleName(element, tag, false) : seen;
}

/** Returns the name given by aria-labelledby (step 2B) or aria-label (2D); empty if the element has neither. */
function ariaName(
  element: Element,
  generatesText: boolean,
  counts: (other: Element) => boolean = () => true,
): string {
  const ids = getAttribute(element, 'aria-labelledby');
  if (ids !== null) {
    const parts: string[] = [];
    for (const id of ids
      .split(/\s+/)
      .filter(id => id !== '')
      .slice(0, MAX_LABEL_IDS)) {
      const other = elementById(element, id);
      if (other === null || !counts(other)) continue;
      parts.push(
        attributeText(other, 'aria-label') ||
          nativeName(other, localName(other), generatesText) ||
          contentText(other, generatesText, null, true),
      );
    }
    const joined = normalizeText(parts.join(' '));
    if (joined !== '') return joined;
  }
  return attributeText(element, 'aria-label');
}

function nativeName(element: Element, tag: string, generatesText: boolean): string {
  switch (tag) {
    case 'input':
      return element instanceof HTMLInputElement ? inputName(element, generatesText) : '';
    case 'select':
    case 'textarea':
    case 'meter':
    case 'progress':
    case 'output':
    case 'button':
      return labelText(element, generatesText);
    case 'img':
    case 'area':
      return attributeText(element, 'alt');
    case 'fieldset':
      return childText(element, 'legend', generatesText);
    case 'table':
      return childText(element, 'caption', generatesText);
    case 'figure':
      return childText(element, 'figcaption', generatesText);
    case 'svg':
    case 'g':
    case 'path':
    case 'rect':
    case 'circle':
    case 'ellipse':
    case 'polygon':
    case 'polyline':
    case 'line':
      return childText(element, 'title', generatesText);
    default:
      return '';
  }
}

function inputName(input: HTMLInputElement, generatesText: boolean): string {
  const labels = labelText(input, generatesText);
  if (labels !== '') return labels;
  switch (input.type) {
    case 'submit':
      return normalizeText(input.value) || 'Submit';
    case 'reset':
      return normalizeText(input.value) || 'Reset';
    case 'button':
      return normalizeText(input.value);
    case 'image':
      return attributeText(input, 'alt') || normalizeText(input.value) || 'Submit';
    default:
      return '';
  }
}

function labelText(control: Element, generatesText: boolean): string {
  const labels = labelsOf(control);
  if (labels.length === 0) return '';
  return normalizeText(
    labels
      .map(label => attributeText(label, 'aria-label') || contentText(label, generatesText, control, true))
      .join(' '),
  );
}

const placeholder = (element: Element): string =>
  getAttribute(element, 'placeholder') ?? getAttribute(element, 'aria-placeholder') ?? '';
