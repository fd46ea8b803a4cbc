import { around, NEAR_LEVELS } from './around.ts';
import {
  boxOf,
  composedParent,
  fieldValue,
  focusedElement,
  getAttribute,
  isContentEditable,
  queryAllDocument,
  queryAllIn,
  textContent,
} from './domGetters.ts';
import { styleOf } from './styleOf.ts';

/** Minimum number of fields of a code, and maximum width of each. CSS pixels. */
const MIN_FIELDS = 4;
const MAX_WIDTH_PX = 80;
/** Maximum number of fields of one character that are a code without saying so: one-time codes have 4 to 8 characters. */
const MAX_UNMARKED_FIELDS = 8;
const ONE_CHARACTER = /^(?:\[[^\]]+\]|\\d)(?:\{1\})?$/;

/** Returns the fields of the row of an element that is one of several narrow fields which take one character each of a code; null for any other. */
export function codeRow(element: Element): readonly Element[] | null {
  if (!(element instanceof HTMLInputElement)) return null;
  const { width, top } = boxOf(element);
  if (width === 0 || width > MAX_WIDTH_PX) return null;
  for (const at of around(composedParent(element), NEAR_LEVELS)) {
    const fields = Array.from(queryAllIn(at, 'input'));
    if (fields.length < MIN_FIELDS) continue;
    const isRow = fields
      .slice(0, MIN_FIELDS)
      .every(field => Math.abs(boxOf(field).top - top) < 2 && boxOf(field).width === width);
    return isRow ? fields : null;
  }
  return null;
}

/** Returns true for a box of a one-time code, also if nothing says so: not for a puzzle, which has more such rows. */
export function isInCodeRow(element: Element): boolean {
  if (!takesOneCharacter(element)) return false;
  const boxes = codeRow(element)?.filter(takesOneCharacter) ?? [];
  if (boxes.length < MIN_FIELDS || boxes.length > MAX_UNMARKED_FIELDS) return false;
  const all = Array.from(queryAllDocument(document, 'input')).filter(takesOneCharacter);
  // A second row is for a second code.
  return all.length <= 2 * boxes.length;
}

const takesOneCharacter = (field: Element): boolean =>
  getAttribute(field, 'maxlength')?.trim() === '1' ||
  ONE_CHARACTER.test(getAttribute(field, 'pattern') ?? '');

interface Secrets {
  /** The fields that hold secrets or have held one: a page can show what is in a field, or make another field of it. */
  readonly fields: WeakSet<Element>;
  readonly references: WeakRef<Element>[];
  /** Values that such fields have had since a step or a script has entered them. */
  readonly values: Set<string>;
}

/** The scripts of the service that run in a document share this global of their isolated world. */
const GLOBAL = '__pagespaceSecrets';
const MAX_VALUES = 100;
const MAX_VALUE_LENGTH = 10_000;

const SECRET_TOKENS = /(?:^|\s)(?:current-password|new-password|one-time-code)(?:\s|$)/i;
/** Matches the fields that say by an attribute that they hold a secret. */
const SAYING_SECRET =
  'input[type="password" i], [autocomplete*="-password" i], [autocomplete*="one-time-code" i]';
/** Matches the fields that may be boxes of one character. */
const MAYBE_BOX = 'input[maxlength="1"], input[pattern]';
const NO_TEXT = /^(?:button|submit|reset|image|checkbox|radio|range|color|file|hidden)$/;

function secrets(): Secrets {
  const known: unknown = Reflect.get(globalThis, GLOBAL);
  if (known !== undefined) return known as Secrets;
  const created: Secrets = { fields: new WeakSet(), references: [], values: new Set() };
  Object.defineProperty(globalThis, GLOBAL, { value: created });
  return created;
}

/** Returns true for a field that is or was a password or a code: by type, `autocomplete`, drawn dots, or as a box of a code. */
export function isSecretField(element: Element): boolean {
  if (secrets().fields.has(element)) return true;
  const isSecret =
    isTextField(element) &&
    (saysSecret(element) || codeRow(element)?.some(saysSecret) === true || isInCodeRow(element));
  if (isSecret) for (const field of [element, ...boxesBeside(element)]) markSecretField(field);
  return isSecret;
}

/** Returns the boxes of the code that a box belongs to: the page moves the focus on while the code is typed. */
const boxesBeside = (element: Element): readonly Element[] =>
  (codeRow(element) ?? []).filter(field => isTextField(field) && boxOf(field).width === boxOf(element).width);

export function markSecretField(element: Element): void {
  const { fields, references } = secrets();
  if (fields.has(element)) return;
  fields.add(element);
  references.push(new WeakRef(element));
}

function saysSecret(element: Element): boolean {
  if (element instanceof HTMLInputElement && element.type === 'password') return true;
  if (SECRET_TOKENS.test(getAttribute(element, 'autocomplete') ?? '')) return true;
  return !/^(?:none|)$/.test(styleOf(element).getPropertyValue('-webkit-text-security'));
}

/** Returns true for a field or an editor in which people enter text. */
export function isTextField(element: Element): element is HTMLElement {
  if (element instanceof HTMLInputElement) return !NO_TEXT.test(element.type);
  if (element instanceof HTMLTextAreaElement) return true;
  return element instanceof HTMLElement && isContentEditable(element);
}

/** Remembers what a secret field holds now: the page may change or remove it at once. */
export function noteSecretValue(field: Element): void {
  const { values } = secrets();
  const value = heldBy(field);
  const last = [...values].at(-1);
  // Typed key by key, or deleted key by key.
  if (last?.startsWith(value) === true) return;
  if (last !== undefined && value.startsWith(last)) values.delete(last);
  if (values.size < MAX_VALUES) values.add(value);
}

/** Returns the secret fields of the document that are there, those of its shadow trees only if they have the focus or were looked at before. */
export function secretFields(): readonly Element[] {
  for (const field of Array.from(queryAllDocument(document, SAYING_SECRET))) isSecretField(field);
  const boxes = Array.from(queryAllDocument(document, MAYBE_BOX)).filter(takesOneCharacter);
  if (boxes.length <= 2 * MAX_UNMARKED_FIELDS) for (const field of boxes) isSecretField(field);
  const focused = focusedElement();
  if (focused !== null) isSecretField(focused);
  return secrets()
    .references.map(reference => reference.deref())
    .filter(field => field !== undefined)
    .filter(field => field.isConnected);
}

export const secretValues = (): readonly string[] => [
  ...new Set([...secrets().values, ...secretFields().map(heldBy)].filter(value => value !== '')),
];

function heldBy(field: Element): string {
  return (fieldValue(field) ?? textContent(field) ?? '').slice(0, MAX_VALUE_LENGTH);
}

/** Returns the boxes of the secret fields: left, top, width and height in the viewport of the document, in CSS pixels; and whether each holds something. */
export const secretBoxes = (): readonly (readonly [number, number, number, number, boolean])[] =>
  secretFields().map(field => {
    const { left, top, width, height } = boxOf(field);
    return [left, top, width, height, heldBy(field) !== ''];
  });
