/** Finds attributes by which the page itself distinguishes similar elements. */
import { attributeNames, getAttribute } from '../../dom/domGetters.ts';
import { normalizeText, quote } from '../element/plainText.ts';

/** Matches the names of attributes that can identify an element. */
const IDENTIFYING_ATTRIBUTES = /^(?:id|name|value|data-(?!reactid|v-|testid).*)$/;
/** Maximum length of an attribute value that can distinguish an element: longer values are database keys, not words. Characters. */
const MAX_VALUE_LENGTH = 24;
/** Matches attribute values that a library generates, which mean nothing to a reader. */
const GENERATED =
  /:r\w*:|«|(?:^|[-_:])(?=[a-z]*\d)(?=\d*[a-z])[a-z\d]{8,}(?:$|[-_:])|^(?:ui-id-|ember|react|radix|mui-|headlessui|input_|gwt-|ag-\d|ant-\d)|[0-9a-f]{8}|^\d{5,}$|^(?=.*\d)(?=.*[a-z])[a-z\d]{10,}$/i;

/** Maximum number of elements in a group; for a larger group, attributes are not compared. */
const MAX_GROUP_SIZE = 600;

/** Finds an attribute whose value differs on every element, and returns its name and value for each element, such as `id "left"`; null if there is no such attribute. */
export function distinguishingAttributes(group: readonly Element[]): string[] | null {
  const [first] = group;
  if (first === undefined || group.length > MAX_GROUP_SIZE) return null;
  for (const name of attributeNames(first).filter(attribute => IDENTIFYING_ATTRIBUTES.test(attribute))) {
    const values = group.map(element => normalizeText(getAttribute(element, name) ?? ''));
    const areWords = values.every(
      value => value !== '' && value.length <= MAX_VALUE_LENGTH && !GENERATED.test(value),
    );
    if (areWords && new Set(values).size === values.length && !isSequence(values))
      return values.map(value =>
        name.startsWith('data-')
          ? quote(`${name.slice('data-'.length)} ${value}`)
          : `${name} ${quote(value)}`,
      );
  }
  return null;
}

/** Returns true for values that only count, like `row-1`, `row-2` or `x-60-y`, `x-67-y`: they say no more than the position. */
function isSequence(values: readonly string[]): boolean {
  const numbers = values.map(value => /^(\D*)(\d+)(\D*)$/.exec(value));
  const [first] = numbers;
  const countsBy = first?.[1] === '' && first[3] === '' ? 1 : Number.POSITIVE_INFINITY;
  return numbers.every((match, index) => {
    if (match == null || match[1] !== first?.[1] || match[3] !== first?.[3]) return false;
    const step = index === 0 ? 1 : Number(match[2]) - Number(numbers[index - 1]?.[2]);
    return step > 0 && step <= countsBy;
  });
}
