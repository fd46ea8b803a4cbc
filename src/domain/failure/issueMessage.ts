import type { z } from 'zod';

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

/** Singular and plural of what Zod counts in a value, by the type of the value. */
const COUNT_UNITS: Readonly<Record<string, readonly [string, string]>> = {
  string: ['character', 'characters'],
  array: ['item', 'items'],
  set: ['item', 'items'],
  object: ['field', 'fields'],
  map: ['field', 'fields'],
};

/** Returns the message of an issue, as words that follow the name of the field. Keeps the messages of our schemas; rewrites Zod's own. */
export function issueMessage(issue: Issue): string {
  // Zod's own messages begin with a capital letter; ours continue a field name.
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
  const expectedType = TYPE_NAMES[expected] ?? `of type ${expected}`;
  const got = TYPE_NAMES[received] ?? received;
  // A wrong number such as 2.5 is still a number: "not a number" would be wrong.
  return expected === 'int' || got === expectedType
    ? `must be ${expectedType}`
    : `must be ${expectedType}, not ${got}`;
}

function limitMessage(
  origin: string,
  bound: number,
  [inclusiveWord, exclusiveWord]: readonly [string, string],
  { inclusive, exact }: { inclusive?: boolean | undefined; exact?: boolean | undefined },
): string {
  const limit = bound.toLocaleString('en');
  const counted = COUNT_UNITS[origin];
  if (counted !== undefined)
    return `must have ${exact === true ? 'exactly' : inclusiveWord} ${limit} ${counted[bound === 1 ? 0 : 1]}`;
  return `must be ${inclusive === false ? exclusiveWord : inclusiveWord} ${limit}`;
}

/** Returns one message for a value that fits no branch of a union: the messages of the branches, joined by `, or`. */
function unionMessage(branches: readonly (readonly Issue[])[]): string {
  const wholeValueIssues = branches.map(issues => issues.find(({ path }) => path.length === 0));
  const messages = new Set(
    wholeValueIssues.flatMap(issue => (issue === undefined ? [] : [issueMessage(issue)])),
  );
  return messages.size === 0 ? 'has none of the allowed forms' : [...messages].join(', or ');
}
