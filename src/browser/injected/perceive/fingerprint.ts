/** Computes the fingerprint of an element: a string for its meaning, independent of its state. */
import { getAttribute, inputType } from '../dom/domGetters.ts';
import type { Candidate } from './candidate.ts';
import { truncate } from './element/plainText.ts';
import type { ElementName } from './name/elementName.ts';

/** Maximum length of the target in a fingerprint, in characters. Longer targets are cut. */
const MAX_TARGET_LENGTH = 120;

/**
 * Returns `role|name|tag|type|target`; the target is the `href` of a link, the `name` attribute of other elements. Two
 * elements can have the same fingerprint.
 */
export function fingerprintOf({ element, tag, role, letter, control }: Candidate, name: ElementName): string {
  const type = element instanceof HTMLInputElement ? inputType(element) : control;
  const target = getAttribute(element, letter === 'L' ? 'href' : 'name') ?? '';
  return [role ?? '', name.stem, tag, type, truncate(target, MAX_TARGET_LENGTH)].join('|');
}
