/** Expands the patterns of phrases into texts that they match. */

interface Expanded {
  readonly texts: readonly string[];
  /** Index of the first character that was not read. */
  readonly end: number;
}

/** A text for a wildcard. */
const WILDCARD = ' abcd';

/**
 * Returns texts that a pattern matches: each choice of its alternatives, options and characters. Knows groups, `|`, `?`, `*`, `{}`, `+`,
 * character classes, `.`, `\d`, escaped signs, and what an assertion expects to follow.
 */
export const expandPattern = (pattern: string): readonly string[] => alternatives(pattern, 0).texts;

function alternatives(pattern: string, start: number): Expanded {
  const texts: string[] = [];
  let at = start;
  for (;;) {
    const sequence = sequenceAt(pattern, at);
    texts.push(...sequence.texts);
    at = sequence.end;
    if (pattern[at] !== '|') return { texts, end: at };
    at++;
  }
}

function sequenceAt(pattern: string, start: number): Expanded {
  let texts: readonly string[] = [''];
  let at = start;
  while (at < pattern.length && pattern[at] !== '|' && pattern[at] !== ')') {
    const atom = atomAt(pattern, at);
    const repeated = quantified(pattern, atom);
    texts = texts.flatMap(before => repeated.texts.map(after => before + after));
    at = repeated.end;
  }
  return { texts, end: at };
}

function atomAt(pattern: string, start: number): Expanded {
  const sign = pattern[start] ?? '';
  if (sign === '(') {
    const inner = alternatives(pattern, pattern.startsWith('(?=', start) ? start + 3 : start + 1);
    return { texts: inner.texts, end: inner.end + 1 };
  }
  if (sign === '[') {
    const end = pattern.indexOf(']', start);
    const characters = pattern.slice(start + 1, end).replaceAll('\\d', '7');
    return { texts: [...characters], end: end + 1 };
  }
  if (sign === '.') return { texts: [WILDCARD], end: start + 1 };
  if (sign !== '\\') return { texts: [sign], end: start + 1 };
  const escaped = pattern[start + 1] ?? '';
  return { texts: [escaped === 'd' ? '7' : escaped], end: start + 2 };
}

function quantified(pattern: string, atom: Expanded): Expanded {
  const quantifier = /^(?:[?*+]|\{\d+,\d*\})/.exec(pattern.slice(atom.end))?.[0] ?? '';
  const isOptional = quantifier === '?' || quantifier === '*' || quantifier.startsWith('{0');
  return { texts: isOptional ? ['', ...atom.texts] : atom.texts, end: atom.end + quantifier.length };
}
