/** Escapes text for Markdown: only the characters that a parser of CommonMark or GFM would read as a sign. */

/** Matches TeX that a page shows as it is: in `$$…$$`, `\(…\)`, `\[…\]`, in an environment, or in `$…$` if it has a command, an index or a power. */
const TEX =
  /\$\$[^$]{1,2000}\$\$|\\\((?:[^\\]|\\(?!\))){1,2000}?\\\)|\\\[(?:[^\\]|\\(?!\])){1,2000}?\\\]|\\begin\{([a-z]{1,12}\*?)\}(?:[^\\]|\\(?!end\{)){1,4000}\\end\{\1\}|\$(?=[^\s$])(?=[^$\n]{0,500}(?:\\[a-zA-Z]|[\^_]))[^$\n]{1,500}(?<=\S)\$(?!\d)/g;
/** Characters with a meaning wherever they stand. A tilde has one only beside another. */
const ALWAYS = /[\\`*[\]]|~(?=~)|(?<=~)~/g;
/** An underscore inside a word has no meaning. */
const UNDERSCORE = /(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;
/** The beginning of a tag, of a comment or of an address in angle brackets; the beginning of an entity. */
const TAG = /<(?=[a-z/!?])|&(?=#?\w{1,31};)/gi;

/** Escapes a text inside a line. */
export function escapeMarkdown(text: string): string {
  if (!/[\\`*_[\]<&~$]/.test(text)) return text;
  let escaped = '';
  let from = 0;
  for (const match of text.matchAll(TEX)) {
    const inner = match[0].replace(/^\\\(\s*|\s*\\\)$/g, '$').replace(/^\\\[|\\\]$/g, '$$$$');
    if (!/[\\^_]/.test(inner)) continue;
    escaped += escapePlain(text.slice(from, match.index)) + inner;
    from = match.index + match[0].length;
  }
  return escaped + escapePlain(text.slice(from));
}

const escapePlain = (text: string): string =>
  text.replace(ALWAYS, '\\$&').replace(UNDERSCORE, '\\_').replace(TAG, '\\$&');

/** Escapes what would begin another block at the start of a line: a heading, a list, a quote, a fence, a rule. */
export const escapeLineStart = (line: string): string =>
  line
    .replace(/^(#{1,6}(?=\s|$)|[-+](?=\s|$)|>|[=-]+(?=\s*$)|-{3,}|~{3,})/, '\\$1')
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2')
    .replace(/^\|/, '\\|')
    .replace(/^(:?-+:?)(?=\s*\|)/, '\\$1');

/** Returns a URL as the target of a link: in angle brackets if it has characters that would end it. */
export function markdownUrl(url: string): string {
  const safe = url.replace(/[\s<>|\\`]/g, encodeURIComponent).replace(/\*/g, '%2A');
  return /[()]/.test(safe) && !hasPairs(safe) ? safe.replace(/[()]/g, '\\$&') : safe;
}

/** Returns true if the brackets of a text are pairs. */
function hasPairs(text: string): boolean {
  let open = 0;
  for (const sign of text) {
    if (sign === '(') open++;
    if (sign === ')' && --open < 0) return false;
  }
  return open === 0;
}

/** Returns a code span: its fence is longer than any run of backticks in it. */
export function codeSpan(text: string): string {
  const code = text.replace(/\s+/g, ' ').trim();
  if (code === '') return '';
  const fence = '`'.repeat(longestRun(code) + 1);
  const space = /^`|`$/.test(code) ? ' ' : '';
  return `${fence}${space}${code}${space}${fence}`;
}

/** Returns a block of code whose fence is longer than any run of backticks in it. */
export function codeBlock(code: string, language: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(code) + 1));
  return `${fence}${language}\n${code}\n${fence}`;
}

const longestRun = (text: string): number => {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
};
