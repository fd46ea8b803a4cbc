/** Gives code blocks one form: the language in a class, no line numbers, no buttons, plain lines. */

/** Prefixes of a language in a class, and classes that a language follows; those that name it most surely come first. */
const LANGUAGE_CLASSES = [
  /(?:^|\s)(?:language|lang|highlight-source)-([\w+#.-]{1,30})/i,
  /(?:^|\s)(?:highlight-|sourceCode\s+|brush:\s*|(?:highlight|hljs|prettyprint|syntaxhighlighter)\s+)([\w+#.-]{1,30})/i,
];
/** Names that follow such a class without being those of a language. */
const NO_LANGUAGE =
  /^(text|plain|plaintext|none|nohighlight|notranslate|default|source|line-?numbers?|linenums|code|hljs|prettyprint(ed)?|linenos)$/i;
/** Languages that are recognized by a class without a prefix. */
const LANGUAGES = new Set(
  'bash c clojure console cpp cs csharp css dart diff docker dockerfile elixir erlang go graphql haskell html http ini java javascript js json jsx julia kotlin latex less lua make makefile markdown matlab md nginx objc ocaml perl php powershell python py r rb ruby rust rs sass scala scss sh shell sql swift toml ts tsx typescript vb vim xml yaml yml zig'.split(
    ' ',
  ),
);
const LINE_NUMBER_GUTTER =
  '.line-numbers-rows,.linenos,.linenodiv,.lineno,.gutter,.line-numbers,.line-number,.lnt,.ln,.hljs-ln-numbers,.rouge-gutter,.CodeMirror-linenumber,.cm-gutters,[data-line-number]:empty';
/** The line numbers, and the lines, of editors in pages: CodeMirror, Ace, Monaco. */
const EDITOR_GUTTER =
  '.cm-gutters,.CodeMirror-gutters,.CodeMirror-linenumber,.ace_gutter,.monaco-editor .margin';
const EDITOR_LINES = '.cm-content,.ace_text-layer,.monaco-editor .view-lines';
/** Marks a box that only its style makes a block of code. */
export const CODE_MARK = 'data-pagespace-code';
/** Parts of a text: what has one is no code. */
const TEXT_PARTS = 'h1,h2,h3,h4,h5,h6,p,ul,table,img,pre';
/** Elements that are lines of code where they stand in code. */
const LINE_ELEMENTS = 'div,p,ol,ul,li';
const BUTTON_TEXT =
  /^(copy|copied!?|copy (code|snippet|to clipboard)|toggle word wrap|wrap|expand|run|try it|edit|kopieren|copier|copiar)$/i;
/** Maximum number of boxes around a code block that have nothing else but its header. */
const MAX_BOXES = 4;

/**
 * Makes the lines of each `pre` plain text, without line numbers, copy buttons and the header that names its language. Gives it a `code`
 * with a `language-…` class if the element, its `code` or its closest ancestors name the language.
 */
export function normalizeCodeBlocks(body: Element): void {
  for (const gutter of body.querySelectorAll(EDITOR_GUTTER)) gutter.remove();
  for (const table of [...body.querySelectorAll('table')]) replaceCodeTable(table);
  for (const lines of body.querySelectorAll(`${EDITOR_LINES},[${CODE_MARK}]`)) {
    if (lines.hasAttribute(CODE_MARK) && lines.querySelector(TEXT_PARTS) !== null) continue;
    const pre = body.ownerDocument.createElement('pre');
    pre.append(...lines.childNodes);
    lines.replaceWith(pre);
  }
  for (const pre of [...body.querySelectorAll('pre')]) {
    if (!body.contains(pre) || pre.querySelector('pre') !== null || isGutter(pre)) continue;
    const outer = codeTable(pre);
    const language = findLanguage(pre, outer);
    if (outer !== pre) outer.replaceWith(pre);
    removeHeader(pre, language);
    for (const gutter of pre.querySelectorAll(LINE_NUMBER_GUTTER))
      if (/^[\s\d]*$/.test(gutter.textContent ?? '')) gutter.remove();
    for (const button of pre.querySelectorAll('button,[role=button]')) barOf(button, pre).remove();
    for (const lineBreak of pre.querySelectorAll('br')) lineBreak.replaceWith('\n');
    breakLines(pre);
    removeNumbersBefore(pre);
    removeCountedNumbers(pre);
    removeTrailingLineBreak(pre);
    joinToPrevious(pre);
    if (language === null) continue;
    const code = pre.querySelector('code') ?? wrapInCode(pre);
    code.setAttribute('class', `language-${language}`);
  }
}

/** Returns the largest part of a `pre` around a button that does not hold its `code`; the button if there is no `code`, or it is in that. */
function barOf(button: Element, pre: Element): Element {
  let bar = button;
  if (pre.querySelector('code') === null || button.closest('code') !== null) return bar;
  for (
    let box = bar.parentElement;
    box !== null && box.querySelector('code') === null;
    box = box.parentElement
  )
    bar = box;
  return bar;
}

/** Names of the cells, or of the table, of code with line numbers. */
const CODE_TABLE = /blob-(code|num)|crayon|gutter|syntaxhighlighter|hljs-ln|line-?(num|no)|js-file-line/i;
/** A number of a line, or the numbers of all. */
const LINE_NUMBERS = /^[\s\d]*$/;

/** Replaces a table of line numbers and lines, in which no `pre` is: by a `pre`, or by text if it stands in one. */
function replaceCodeTable(table: Element): void {
  if (table.querySelector('pre,table,th') !== null) return;
  const rows = [...table.querySelectorAll('tr')];
  const isCode = rows.every(({ firstElementChild: number, lastElementChild: code }) => {
    if (number === null || code === null || number === code) return false;
    const names = [table.parentElement, table, number, code].map(element => element?.getAttribute('class'));
    return LINE_NUMBERS.test(number.textContent ?? '') && CODE_TABLE.test(names.join(' '));
  });
  if (rows.length === 0 || !isCode) return;
  const cells = rows.map(row => row.lastElementChild as Element);
  const lines = cells.flatMap(cell => {
    let box = cell;
    while (box.childElementCount === 1 && box.firstElementChild?.localName === 'div')
      box = box.firstElementChild;
    return rows.length === 1 && box.childElementCount > 0 ? [...box.children] : [cell];
  });
  const text = lines.map(line => (line.textContent ?? '').replace(/\n$/, '')).join('\n');
  if (table.closest('pre') !== null) table.replaceWith(text);
  else {
    const pre = table.ownerDocument.createElement('pre');
    pre.append(text);
    table.replaceWith(pre);
  }
}

/**
 * Replaces elements that are lines of code by text lines. Goes backwards, because an element in a line element is part
 * of its line.
 */
function breakLines(pre: Element): void {
  const elements = [...pre.querySelectorAll(LINE_ELEMENTS)].reverse();
  const lineElements = new Set<Node>(elements);
  const lines = elements.map(line => {
    const next = line.nextSibling;
    // A line that is only a line break is an empty line, not the end of the one before it.
    const isEnded = next !== null && !lineElements.has(next) && /^\n/.test(next.textContent ?? '');
    return { line, ends: next === null || isEnded || /\n$/.test(line.textContent ?? '') };
  });
  for (const { line, ends } of lines) line.replaceWith(...line.childNodes, ends ? '' : '\n');
}

/** Removes elements whose text counts the lines: 1, 2, 3 … at the beginning of a line each. */
function removeCountedNumbers(pre: Element): void {
  const numbers: Element[] = [];
  let isLineStart = true;
  const walk = (parent: Element): void => {
    for (let node = parent.firstChild; node !== null; node = node.nextSibling) {
      if (node.nodeType === 3) {
        const { data } = node as Text;
        if (data !== '')
          isLineStart = data.slice(data.trimEnd().length).includes('\n') || (isLineStart && !/\S/.test(data));
      } else if (node.nodeType === 1) {
        const element = node as Element;
        if (isLineStart && /^\s*\d{1,6}\s*$/.test(element.textContent ?? '')) {
          numbers.push(element);
          isLineStart = false;
        } else walk(element);
      }
    }
  };
  walk(pre);
  if (areCounted(numbers)) for (const number of numbers) number.remove();
}

/** Removes a box before a `pre`, or before the boxes around it alone, that has nothing but a number for each of its lines. */
function removeNumbersBefore(pre: Element): void {
  const lines = (pre.textContent ?? '').replace(/(?<!\n)\n+$/, '').split('\n').length;
  let at = pre;
  while (at.previousElementSibling === null && at.parentElement?.matches('div,figure,section') === true)
    at = at.parentElement;
  const side = at.previousElementSibling;
  const numbers = [...(side?.children ?? [])];
  const text = (side?.textContent ?? '').replace(/\s/g, '');
  if (numbers.length === lines && areCounted(numbers) && text === numbers.map(singleText).join(''))
    side?.remove();
}

const singleText = ({ textContent }: Element): string => textContent.trim();

/** Returns true for elements whose texts count: 1, 2, 3 … */
const areCounted = (numbers: readonly Element[]): boolean =>
  numbers.length >= 2 &&
  numbers.every(({ textContent }, at) => {
    const before = numbers[at - 1];
    return (
      /^\s*\d{1,6}\s*$/.test(textContent) &&
      (!before || Number(textContent) === Number(before.textContent) + 1)
    );
  });

/** Removes the line break after the last line, which highlighters add. */
function removeTrailingLineBreak(pre: Element): void {
  let last: Node | null = pre;
  while (last?.lastChild) last = last.lastChild;
  if (last?.nodeType === 3) (last as Text).data = (last as Text).data.replace(/(?<!\n)\n+$/, '');
}

/** Joins a `pre` of one line to that of the line before it: some editors make each line a `pre`. */
function joinToPrevious(pre: Element): void {
  const before = pre.previousSibling;
  if (before?.nodeType !== 1 || (before as Element).localName !== 'pre') return;
  const names = pre.getAttribute('class');
  if (names === null || !/line/i.test(names) || (before as Element).getAttribute('class') !== names) return;
  pre.prepend(...before.childNodes, '\n');
  (before as Element).remove();
}

function wrapInCode(pre: Element): Element {
  const code = pre.ownerDocument.createElement('code');
  code.append(...pre.childNodes);
  pre.append(code);
  return code;
}

/** Returns the language that an element names; `isCode` for one whose whole class may be the name. */
function languageOf(element: Element, isCode: boolean): string | null {
  const names = element.getAttribute('class') ?? '';
  const found = [
    element.getAttribute('data-lang') ?? element.getAttribute('data-language'),
    ...LANGUAGE_CLASSES.map(pattern => pattern.exec(names)?.[1]),
    isCode && LANGUAGES.has(names.trim().toLowerCase()) ? names : null,
  ];
  const language = found.find(
    name => name && /^[\w+#.-]{1,30}$/.test(name.trim()) && !NO_LANGUAGE.test(name.trim()),
  );
  return language?.trim().toLowerCase() ?? null;
}

/** Returns the language of a code block: by itself, its `code`, the `pre` around its table of lines, or the boxes around it alone. */
function findLanguage(pre: Element, outer: Element): string | null {
  const code = pre.querySelector('code');
  const own = [code, pre, outer, outer.querySelector(':scope > code')];
  for (const element of own) {
    const language = element === null ? null : languageOf(element, true);
    if (language !== null) return language;
  }
  const pres = outer.querySelectorAll('pre').length + (outer.localName === 'pre' ? 1 : 0);
  let box = outer.parentElement;
  for (let level = 0; box !== null && level < MAX_BOXES; level++, box = box.parentElement) {
    if (level >= 2 && box.querySelectorAll('pre').length > pres) return null;
    const language = languageOf(box, false);
    if (language !== null) return language;
  }
  return null;
}

/** Returns the table of line numbers and code that highlighters generate, or the `pre` around it; the `pre` itself if there is none. */
function codeTable(pre: Element): Element {
  const table = pre.closest('table');
  const cell = pre.closest('td');
  if (!cell || !table || table.rows.length !== 1) return pre;
  const others = [...table.querySelectorAll('td,th')].filter(other => other !== cell);
  if (others.length === 0 || !others.every(other => /^[\s\d]*$/.test(other.textContent ?? ''))) return pre;
  return table.parentElement?.closest('pre') ?? table;
}

/** Returns true for the line numbers beside the code. */
const isGutter = (pre: Element): boolean =>
  pre.closest('td') !== null && /^[\s\d]*$/.test(pre.textContent ?? '');

/** Removes what stands in the box of a code block beside it: its language, "Copy". */
function removeHeader(pre: Element, language: string | null): void {
  let at = pre;
  for (let level = 0; level < MAX_BOXES; level++) {
    for (const side of [at.previousElementSibling, at.nextElementSibling]) {
      if (side === null) continue;
      for (const button of side.querySelectorAll('button')) if (isButton(button)) button.remove();
      const text = (side.textContent ?? '').replace(/\s+/g, ' ').trim();
      const isLanguage =
        language !== null && (text.toLowerCase() === language || ALIASES[language]?.test(text) === true);
      if (
        (side.localName === 'button' && isButton(side)) ||
        (isLanguage && /^(div|span|p|header|figcaption|small|strong)$/.test(side.localName))
      )
        side.remove();
    }
    const box: Element | null = at.parentElement;
    if (
      box === null ||
      !/^(div|figure|section|span|pre)$/.test(box.localName) ||
      box.querySelectorAll('pre').length > 1
    )
      break;
    at = box;
  }
}

const ALIASES: Readonly<Record<string, RegExp>> = {
  bash: /^(shell|sh|bash|terminal)$/i,
  js: /^javascript$/i,
  md: /^markdown$/i,
  py: /^python$/i,
  rb: /^ruby$/i,
  sh: /^(shell|bash|terminal)$/i,
  ts: /^typescript$/i,
  yml: /^yaml$/i,
};

const isButton = (button: Element): boolean => {
  const text = (button.textContent ?? '').replace(/\s+/g, ' ').trim();
  return text === '' || BUTTON_TEXT.test(text);
};
