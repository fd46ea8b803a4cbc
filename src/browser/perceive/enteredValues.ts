import type { SecretMask } from '../../domain/secretMask.ts';
import type { VaultField } from '../../domain/vault.ts';
import type { ObservedSecrets } from '../injected/perceive/wireFormat.ts';

/** Maximum number of entered values that are kept, because their field may turn out to hold secrets. */
const MAX_VALUES = 200;
/** Minimum length of a value that tells what was entered without the field that it was entered in. Characters. */
const MIN_TELLING_LENGTH = 3;

interface EnteredValue {
  /** The document and the key of the field; null if it is not known. */
  readonly field: string | null;
  readonly text: string;
}

/** Keeps what the steps of a session enter, and hands the mask of the session what was entered into a field that is secret, or becomes so. */
export class EnteredValues {
  readonly #mask: SecretMask;
  readonly #entered: EnteredValue[] = [];
  /** The fields that the last observations have found to be secret. */
  readonly #secretFields = new Set<string>();

  constructor(mask: SecretMask) {
    this.#mask = mask;
  }

  /** Takes a value that a step is going to enter. @param maxLength where the field cuts it */
  enter(field: EnteredField | null, text: string, isSecret: boolean, maxLength: number | null = null): void {
    if (isSecret || field === null) this.#mask.noteEntry();
    if (isSecret) {
      this.#mask.add(text);
      if (maxLength !== null && maxLength < text.length) this.#mask.add(text.slice(0, maxLength));
      return;
    }
    this.#entered.push({ field: field === null ? null : nameOf(field.document, field.key), text });
    if (this.#entered.length > MAX_VALUES) this.#entered.shift();
  }

  /** Takes a value for a listed field, of which only the list says that it is secret: the step may fail before the field is read again. */
  enterListed(field: EnteredField, text: string): void {
    if (this.#secretFields.has(nameOf(field.document, field.key))) this.enter(field, text, true);
  }

  /** Takes a value of the vault that a step is going to fill. @param maxLength as for `enter` */
  enterVaulted(text: string, field: VaultField, maxLength: number | null): void {
    this.#mask.addVaulted(text, field);
    if (maxLength !== null && maxLength < text.length) this.#mask.addVaulted(text.slice(0, maxLength), field);
  }

  report(document: string, { values, keys }: ObservedSecrets): void {
    for (const value of values) this.#mask.addPageValue(value);
    const fields = new Set(keys.map(key => nameOf(document, key)));
    for (const field of fields) this.#secretFields.add(field);
    for (const field of this.#secretFields)
      if (this.#secretFields.size > MAX_VALUES) this.#secretFields.delete(field);
    for (const { field, text } of this.#entered)
      if ((field !== null && fields.has(field)) || values.some(value => tells(value, text)))
        this.#mask.add(text);
  }
}

/** A listed field: Chromium's unique id of its document's isolated world, and its key. */
export interface EnteredField {
  readonly document: string;
  readonly key: number;
}

const nameOf = (document: string, key: number): string => `${document} ${key}`;

/** Returns true if a secret field holds an entered text, or a part of it: the field may have been another one when the text was entered. */
const tells = (value: string, text: string): boolean =>
  value.length >= MIN_TELLING_LENGTH &&
  (text.includes(value) || (text.length >= MIN_TELLING_LENGTH && value.includes(text)));
