/** What the page itself calls boxes that look alike, in an attribute. */
import { attributeNames, getAttribute } from '../dom/domGetters.ts';
import { normalizeText, quote } from './plainText.ts';

/** Attributes by which pages tell their own boxes apart. Longer values are keys of a database rather than words. */
const IDENTIFYING_ATTRIBUTES = /^(?:id|name|value|data-(?!reactid|v-|testid).*)$/;
const MAX_VALUE_LENGTH = 24;
/** Numbers and codes that a library hands out. */
const GENERATED =
  /^(?::r|ui-id-|ember|react|radix|mui-|headlessui|input_|gwt-)|[0-9a-f]{8}|^\d{5,}$|^(?=.*\d)(?=.*[a-z])[a-z\d]{10,}$/i;

/** Larger groups have their place only. */
const MAX_GROUP_SIZE = 600;

/** What the page itself calls each of them, in an attribute that all have and that differs; null where there is none. */
export function distinguishingAttributes(group: readonly Element[]): string[] | null {
  const [first] = group;
  if (first === undefined || group.length > MAX_GROUP_SIZE) return null;
  for (const name of attributeNames(first).filter(attribute => IDENTIFYING_ATTRIBUTES.test(attribute))) {
    const values = group.map(element => normalizeText(getAttribute(element, name) ?? ''));
    const tells = values.every(
      value => value !== '' && value.length <= MAX_VALUE_LENGTH && !GENERATED.test(value),
    );
    if (tells && new Set(values).size === values.length && !isSequence(values))
      return values.map(value => `${name.replace(/^data-/, '')} ${quote(value)}`);
  }
  return null;
}

/** `row-1`, `row-2`, `row-3`: no more than the place among their like. */
function isSequence(values: readonly string[]): boolean {
  const numbers = values.map(value => /^(\D*)(\d+)$/.exec(value));
  return numbers.every(
    (match, index) =>
      match?.[1] === numbers[0]?.[1] && Number(match?.[2]) === Number(numbers[0]?.[2]) + index,
  );
}
