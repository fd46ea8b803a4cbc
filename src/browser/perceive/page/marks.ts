/** What the page itself calls boxes that look alike, in an attribute. */
import { attributeNames, getAttribute } from './native.ts';
import { fold, quoted } from './text.ts';

/** Attributes by which pages tell their own boxes apart. Longer values are keys of a database rather than words. */
const MARKS = /^(?:id|name|value|data-(?!reactid|v-|testid).*)$/;
const LONGEST_MARK = 24;
/** Numbers and codes that a library hands out. */
const GENERATED =
  /^(?::r|ui-id-|ember|react|radix|mui-|headlessui|input_|gwt-)|[0-9a-f]{8}|^\d{5,}$|^(?=.*\d)(?=.*[a-z])[a-z\d]{10,}$/i;

/** Larger groups have their place only. */
const MOST_MARKED = 600;

/** What the page itself calls each of them, in an attribute that all have and that differs; null where there is none. */
export function marksOf(group: readonly Element[]): string[] | null {
  const [first] = group;
  if (first === undefined || group.length > MOST_MARKED) return null;
  for (const name of attributeNames(first).filter(attribute => MARKS.test(attribute))) {
    const values = group.map(element => fold(getAttribute(element, name) ?? ''));
    const tells = values.every(
      value => value !== '' && value.length <= LONGEST_MARK && !GENERATED.test(value),
    );
    if (tells && new Set(values).size === values.length && !isCount(values))
      return values.map(value => `${name.replace(/^data-/, '')} ${quoted(value)}`);
  }
  return null;
}

/** `row-1`, `row-2`, `row-3`: no more than the place among their like. */
function isCount(values: readonly string[]): boolean {
  const numbers = values.map(value => /^(\D*)(\d+)$/.exec(value));
  return numbers.every(
    (match, index) =>
      match?.[1] === numbers[0]?.[1] && Number(match?.[2]) === Number(numbers[0]?.[2]) + index,
  );
}
