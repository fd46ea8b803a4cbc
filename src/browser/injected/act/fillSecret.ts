/** Fills a value of the vault. All checks and the input happen in one task, so that the page cannot change in between. */
import type { VaultField } from '../../../domain/vault.ts';
import { focusedElement, getAttribute, isConnected } from '../dom/domGetters.ts';
import { codeRow, isInCodeRow, markSecretField } from '../dom/secretFields.ts';
import { elementByKey } from '../perceive/elementKeys.ts';
import { beginSecretEntry } from './textEntry.ts';

type Field = HTMLInputElement | HTMLTextAreaElement;

/** The types of inputs that take each kind of value. `textarea` stands for that element. */
const INPUT_TYPES: Readonly<Record<VaultField, RegExp>> = {
  username: /^(?:text|email|tel)$/,
  password: /^password$/,
  totp: /^(?:text|tel|number)$/,
  card_number: /^(?:text|tel|number)$/,
  card_expiry: /^(?:text|tel)$/,
  card_code: /^(?:text|tel|number|password)$/,
  card_holder: /^text$/,
  note: /^(?:text|textarea)$/,
};

/** The kind of value that a token of `autocomplete` asks for. A field that asks for another one does not get a value. */
const ASKED: Readonly<Record<string, VaultField>> = {
  username: 'username',
  email: 'username',
  tel: 'username',
  'current-password': 'password',
  'new-password': 'password',
  'one-time-code': 'totp',
  'cc-number': 'card_number',
  'cc-exp': 'card_expiry',
  'cc-csc': 'card_code',
  'cc-name': 'card_holder',
};

/** Returns why the field must not have a value of this kind now, as the end of a sentence; null if it may. */
export function secretProblem(key: number, kind: VaultField, origins: readonly string[]): string | null {
  return originProblem(origins) ?? fieldProblem(elementByKey(key), kind);
}

/** Fills a value with the events of typed input. Returns why it must not, as `secretProblem`; null if it was filled. */
export function fillSecret(
  key: number,
  kind: VaultField,
  origins: readonly string[],
  value: string,
): string | null {
  const field = elementByKey(key);
  const row = field === null ? null : boxesOf(field, kind, value);
  if (row !== null) return fillRow(row, origins, value);
  return enter(field, kind, origins, value);
}

/** Fills a code of which each character has a box. The page may move the focus in between. */
function fillRow(boxes: readonly Element[], origins: readonly string[], value: string): string | null {
  for (const [nth, character] of Array.from(value).entries()) {
    const problem = enter(boxes[nth] ?? null, 'totp', origins, character);
    if (problem !== null) return problem;
  }
  return null;
}

/** Returns as many boxes of one character as the code has characters, from this one on; null if the field is none of them. */
function boxesOf(field: Element, kind: VaultField, value: string): readonly Element[] | null {
  if (kind !== 'totp' || !isInCodeRow(field)) return null;
  const row = codeRow(field) ?? [];
  const boxes = row.slice(row.indexOf(field), row.indexOf(field) + value.length);
  return boxes.length === value.length ? boxes : null;
}

function enter(
  element: Element | null,
  kind: VaultField,
  origins: readonly string[],
  value: string,
): string | null {
  // Listeners of the focus run at once, and may change the field: the checks come after them.
  if (element instanceof HTMLElement) HTMLElement.prototype.focus.call(element);
  const problem = originProblem(origins) ?? fieldProblem(element, kind);
  if (problem !== null || element === null) return problem ?? 'it is gone';
  const field = element as Field;
  if (focusedElement() !== field) return 'it does not keep the focus';
  markSecretField(field);
  beginSecretEntry(field);
  // Pictures show neither the value nor how long it is.
  field.style.setProperty('-webkit-text-fill-color', 'transparent', 'important');
  const { prototype } = field instanceof HTMLInputElement ? HTMLInputElement : HTMLTextAreaElement;
  prototype.select.call(field);
  const { execCommand } = Document.prototype;
  if (!execCommand.call(document, 'insertText', false, value) || field.value === '')
    return 'it does not take text';
  return null;
}

function originProblem(origins: readonly string[]): string | null {
  if (!origins.includes(globalThis.origin)) return `its frame is of ${globalThis.origin}`;
  const around = Array.from(location.ancestorOrigins);
  // A document that has left its frame has none around it.
  if (window !== top && around.length === 0) return 'its frame is gone';
  const other = around.find(origin => !origins.includes(origin));
  return other === undefined ? null : `its frame is inside a page of ${other}`;
}

function fieldProblem(element: Element | null, kind: VaultField): string | null {
  if (element === null || !isConnected(element)) return 'it is gone';
  const isTextarea = element instanceof HTMLTextAreaElement;
  if (!isTextarea && !(element instanceof HTMLInputElement)) return 'it is no text field';
  if (element.disabled || element.readOnly) return 'it is read-only';
  const type = isTextarea ? 'textarea' : element.type;
  const tokens = (getAttribute(element, 'autocomplete') ?? '').toLowerCase().split(/\s+/);
  const asked = tokens.map(token => ASKED[token]).find(token => token !== undefined);
  if (asked !== undefined && asked !== kind) return `it is a field for a ${asked}, not for a ${kind}`;
  // Some sites make a code of dots.
  if (kind === 'totp' && type === 'password' && (asked === 'totp' || isInCodeRow(element))) return null;
  // A text field that asks for nothing may be one that the site shows to others.
  if ((kind === 'card_number' || kind === 'card_code') && asked !== kind)
    return `it does not say that it is for a ${kind} (autocomplete)`;
  if (INPUT_TYPES[kind].test(type)) return null;
  return `it is a field of the type ${type}, which takes no ${kind}`;
}
