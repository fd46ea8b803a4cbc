/** Zod's findings in words that continue a field's name: "limit" "must be at most 100". */
import type { z } from 'zod';

/** One finding of a schema. */
export type Issue = z.ZodError['issues'][number];

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'a boolean',
  object: 'an object',
  record: 'an object',
  array: 'an array',
  null: 'null',
};

const FORMAT_MESSAGES: Readonly<Record<string, string>> = {
  datetime: 'must be a time such as 2026-01-31T12:00:00Z',
  date: 'must be a date such as 2026-01-31',
  time: 'must be a time of day such as 12:00:00',
  duration: 'must be a duration such as PT5M',
  email: 'must be an e-mail address',
  url: 'must be an address such as https://example.com/',
  uuid: 'must be a UUID',
  ipv4: 'must be an IPv4 address',
  ipv6: 'must be an IPv6 address',
};

/** What things are counted in, by what has them: one, and more. */
const COUNT_UNITS: Readonly<Record<string, readonly [string, string]>> = {
  string: ['character', 'characters'],
  array: ['item', 'items'],
  set: ['item', 'items'],
  object: ['field', 'fields'],
  map: ['field', 'fields'],
};

/** What a schema of ours says in its own words stays; what Zod says by itself is put into plain ones. */
export function issueMessage(issue: Issue): string {
  // Zod's own sentences begin with a capital letter, ours go on after a name.
  if (!/^\p{Lu}/u.test(issue.message)) return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      return wrongTypeMessage(issue.expected, /received (\w+)$/.exec(issue.message)?.[1] ?? '');
    case 'invalid_value':
      return issue.values.length === 1
        ? `must be ${JSON.stringify(issue.values[0])}`
        : `must be one of ${issue.values.map(value => JSON.stringify(value)).join(', ')}`;
    case 'too_big':
      return limitMessage(issue.origin, Number(issue.maximum), ['at most', 'below'], issue);
    case 'too_small':
      return limitMessage(issue.origin, Number(issue.minimum), ['at least', 'above'], issue);
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_format':
      return FORMAT_MESSAGES[issue.format] ?? issue.message.replace(/^Invalid \w+: (?=must)/, '');
    case 'unrecognized_keys':
      return `has no field ${issue.keys.map(key => JSON.stringify(key)).join(', ')}`;
    case 'invalid_union':
      return unionMessage(issue.errors);
    default:
      return issue.message === 'Invalid input' ? 'is not valid' : issue.message;
  }
}

function wrongTypeMessage(expected: string, received: string): string {
  if (received === 'undefined') return 'is required';
  if (expected === 'never') return 'must be absent';
  const wanted = TYPE_NAMES[expected] ?? `of type ${expected}`;
  const got = TYPE_NAMES[received] ?? received;
  // 2.5 is a number too.
  return expected === 'int' || got === wanted ? `must be ${wanted}` : `must be ${wanted}, not ${got}`;
}

function limitMessage(
  origin: string,
  bound: number,
  [within, beside]: readonly [string, string],
  { inclusive, exact }: { inclusive?: boolean | undefined; exact?: boolean | undefined },
): string {
  const said = bound.toLocaleString('en');
  const counted = COUNT_UNITS[origin];
  if (counted !== undefined)
    return `must have ${exact === true ? 'exactly' : within} ${said} ${counted[bound === 1 ? 0 : 1]}`;
  return `must be ${inclusive === false ? beside : within} ${said}`;
}

/** The words of all that it could be. */
function unionMessage(branches: readonly (readonly Issue[])[]): string {
  const whole = branches.map(issues => issues.find(({ path }) => path.length === 0));
  const said = new Set(whole.flatMap(issue => (issue === undefined ? [] : [issueMessage(issue)])));
  return said.size === 0 ? 'has none of the allowed forms' : [...said].join(', or ');
}
