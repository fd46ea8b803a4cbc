/** Recognizes names that have grown or shrunk while they name the same thing: `Inbox` and `Inbox (3)`. */

/** A name of fewer characters is no part of another one: `1` and `1 of 10` are different things. */
const MIN_GROWING_NAME = 4;
/** A number in brackets at the end of a name counts what the thing contains. */
const COUNT_AT_END = /\s*[([]\s*\d[\d.,\s]*\+?\s*[)\]]$/;

/** Returns true if one name is the other one with more words before or after it, or both differ only in a number in brackets at their end. */
export function isGrownName(before: string, now: string): boolean {
  const [a, b] = [before, now].map(name => name.replace(COUNT_AT_END, '').trim());
  if (a === undefined || b === undefined || a === '' || b === '') return false;
  if (a === b) return true;
  const [shorter, longer] = a.length < b.length ? [a, b] : [b, a];
  return shorter.length >= MIN_GROWING_NAME && ` ${longer} `.includes(` ${shorter} `);
}

/** Returns true if two fingerprints differ only in the name, and one name has grown from the other. */
export function isGrownFingerprint(before: string, now: string): boolean {
  const [a, b] = [before.split('|'), now.split('|')];
  if (a.length !== b.length || a.some((part, index) => index !== 1 && part !== b[index])) return false;
  return isGrownName(a[1] ?? '', b[1] ?? '');
}

/** Returns true if each quotation in one text is equal to that in the other or has grown, and the words around them are equal. */
export function haveGrownQuotations(before: string, now: string): boolean {
  const [a, b] = [before.split('"'), now.split('"')];
  return (
    before !== now &&
    a.length === b.length &&
    a.every((part, index) => part === b[index] || (index % 2 === 1 && isGrownName(part, b[index] ?? '')))
  );
}
