/** Gives code blocks one form: the language in a class, no line numbers, plain lines. */

const LANGUAGE_CLASS =
  /(?:^|\s)(?:language-|lang-|highlight-source-|sourceCode\s+|brush:\s*|hljs\s+language-)([\w+#.-]{1,30})/i;
const LINE_NUMBER_GUTTER =
  '.line-numbers-rows,.linenos,.linenodiv,.lineno,.gutter,.line-numbers,.hljs-ln-numbers,td.rouge-gutter,[data-line-number]:empty';

/**
 * Removes line numbers from each `pre` and makes its lines plain text. Gives it a `code` with a `language-…` class if the
 * element, its `code` or its two closest ancestors name the language.
 */
export function normalizeCodeBlocks(body: Element): void {
  for (const pre of body.querySelectorAll('pre')) {
    for (const gutter of pre.querySelectorAll(LINE_NUMBER_GUTTER)) gutter.remove();
    unwrapCodeTable(pre);
    breakLines(pre);
    removeTrailingLineBreak(pre);
    const language = findLanguage(pre);
    if (language === null) continue;
    const label = pre.previousElementSibling;
    if (label?.textContent?.trim().toLowerCase() === language) label.remove();
    const code = pre.querySelector('code') ?? wrapInCode(pre);
    code.setAttribute('class', `language-${language}`);
  }
}

/**
 * Replaces elements that are lines of code by text lines. Goes backwards, because an element in a line element is part
 * of its line.
 */
function breakLines(pre: Element): void {
  for (const line of [...pre.querySelectorAll('div,p,ol,ul,li')].reverse()) {
    const next = line.nextSibling;
    const ends = next === null || /^\n/.test(next.textContent ?? '') || /\n$/.test(line.textContent ?? '');
    line.replaceWith(...line.childNodes, ends ? '' : '\n');
  }
}

/** Removes the line break after the last line, which highlighters add. */
function removeTrailingLineBreak(pre: Element): void {
  let last: Node | null = pre;
  while (last?.lastChild) last = last.lastChild;
  if (last?.nodeType === 3) (last as Text).data = (last as Text).data.replace(/(?<!\n)\n+$/, '');
}

function wrapInCode(pre: Element): Element {
  const code = pre.ownerDocument.createElement('code');
  code.append(...pre.childNodes);
  pre.append(code);
  return code;
}

function findLanguage(pre: Element): string | null {
  const code = pre.querySelector('code');
  const near = [code, pre, pre.parentElement, pre.parentElement?.parentElement];
  for (const element of near) {
    if (!element) continue;
    const named = element.getAttribute('data-lang') ?? element.getAttribute('data-language');
    const found = named ?? LANGUAGE_CLASS.exec(element.getAttribute('class') ?? '')?.[1];
    if (found && /^[\w+#.-]{1,30}$/.test(found)) return found.toLowerCase();
  }
  return null;
}

/** Replaces a one-row table of line numbers and code, which highlighters generate, by the code. */
function unwrapCodeTable(pre: Element): void {
  const cell = pre.closest('td');
  const table = cell?.closest('table');
  if (!cell || !table || table.rows.length !== 1) return;
  const others = [...table.querySelectorAll('td')].filter(other => other !== cell);
  if (others.length === 1 && /^[\s\d]*$/.test(others[0]?.textContent ?? '')) table.replaceWith(pre);
}
