/** Markup for Markdown: what markup says by element and attribute, said in text, where Markdown has no word for it. */

const BLOCK_ELEMENTS = 'h1,h2,h3,h4,h5,h6,p,div,ul,ol,table,section,article,figure,blockquote,pre';
const EMPHASIS_ELEMENTS = 'em,i,cite';
/** Markdown has no emphasis in emphasis: what is written slanted or bold as a whole has none of its own. */
const EMPHASIS_IN_ITALIC = `figcaption :is(${EMPHASIS_ELEMENTS}),cite :is(${EMPHASIS_ELEMENTS})`;
const BOLD_IN_BOLD = ':is(dt,summary,legend) :is(b,strong)';
const REWRITTEN_ELEMENTS = `math[alttext],${EMPHASIS_IN_ITALIC},${BOLD_IN_BOLD},input,select,textarea,button,canvas,svg,dl,details,label,fieldset,a:has(${BLOCK_ELEMENTS})`;

/** @returns null when the clean markup reads well as it is */
export function prepareForMarkdown(clean: HTMLElement): HTMLElement | null {
  const hasLayoutTable = [...clean.querySelectorAll('table')].some(isLayoutTable);
  if (!hasLayoutTable && clean.querySelector(REWRITTEN_ELEMENTS) === null) return null;
  const copy = clean.cloneNode(true) as HTMLElement;
  for (const element of copy.querySelectorAll(`${REWRITTEN_ELEMENTS},table`))
    REWRITES[element.localName]?.(element);
  return copy;
}

const REWRITES: Readonly<Record<string, (element: Element) => void>> = {
  input: element => replaceWithText(element, inputText(element)),
  textarea: element =>
    replaceWithText(element, element.textContent || (element.getAttribute('placeholder') ?? '')),
  select: element => {
    const chosen = [...element.querySelectorAll('option[selected]')];
    const options = chosen.length > 0 ? chosen : [...element.querySelectorAll('option')].slice(0, 1);
    replaceWithText(element, options.map(option => (option.textContent ?? '').trim()).join(', '));
  },
  button: element => surroundWithSpaces(element),
  label: element => surroundWithSpaces(element),
  canvas: element =>
    replaceWithText(element, element.getAttribute('aria-label') ?? element.textContent ?? ''),
  svg: element => replaceWithText(element, svgLabel(element)),
  dl: element => convertToBlocks(element, 'div'),
  details: element => convertToBlocks(element, 'div'),
  fieldset: element => convertToBlocks(element, 'div'),
  a: element => moveLinkIntoFirstBlock(element),
  em: element => unwrap(element),
  i: element => unwrap(element),
  cite: element => unwrap(element),
  b: element => unwrap(element),
  strong: element => unwrap(element),
  math: element => {
    const sign = element.getAttribute('display') === 'block' ? '$$' : '$';
    element.replaceWith(`${sign}${element.getAttribute('alttext')}${sign}`);
  },
  table: element => {
    if (isLayoutTable(element)) flattenLayoutTable(element);
  },
};

/** Replaces an element by its words, apart from what stands beside it. */
function replaceWithText(element: Element, words: string): void {
  element.replaceWith(words.trim() === '' ? '' : ` ${words.trim()} `);
}

function unwrap(element: Element): void {
  element.replaceWith(...element.childNodes);
}

function surroundWithSpaces(element: Element): void {
  element.before(' ');
  element.after(' ');
}

function convertToBlocks(element: Element, name: string): void {
  const box = element.ownerDocument.createElement(name);
  box.append(...element.childNodes);
  element.replaceWith(box);
  for (const part of [
    ...box.querySelectorAll(
      ':scope > dt,:scope > dd,:scope > div > dt,:scope > div > dd,:scope > summary,:scope > legend',
    ),
  ]) {
    const block = part.ownerDocument.createElement(part.localName === 'dd' ? 'div' : 'p');
    if (part.localName === 'dd') block.append(...part.childNodes);
    else {
      const strong = part.ownerDocument.createElement('strong');
      strong.append(...part.childNodes);
      block.append(strong);
    }
    part.replaceWith(block);
  }
}

/** A link around blocks, as around a card, becomes the link of its heading or of its first words. */
function moveLinkIntoFirstBlock(link: Element): void {
  const heading = link.querySelector('h1,h2,h3,h4,h5,h6');
  const blocks = heading === null ? [...link.querySelectorAll(BLOCK_ELEMENTS)] : [heading];
  const first = blocks.find(
    block => block.querySelector(BLOCK_ELEMENTS) === null && /\S/.test(block.textContent ?? ''),
  );
  if (first !== undefined) {
    const inner = link.cloneNode(false) as Element;
    inner.append(...first.childNodes);
    first.append(inner);
  }
  link.replaceWith(...link.childNodes);
}

/** A table that only lays out: it says so, holds other tables, or has one column. */
function isLayoutTable(table: Element): boolean {
  if (/^(presentation|none)$/.test(table.getAttribute('role') ?? '')) return true;
  if (table.querySelector('table') !== null) return true;
  if (table.querySelector('th,caption') !== null) return false;
  return [...table.querySelectorAll('tr')].every(row => row.children.length < 2);
}

/** Rows become blocks; cells stand in them one after the other. */
function flattenLayoutTable(table: Element): void {
  const box = table.ownerDocument.createElement('div');
  for (const row of table.querySelectorAll('tr,caption')) {
    if (row.closest('table') !== table) continue;
    const block = table.ownerDocument.createElement('div');
    for (const cell of row.localName === 'tr' ? [...row.children] : [row])
      block.append(...cell.childNodes, ' ');
    box.append(block);
  }
  table.replaceWith(box);
}

function inputText(element: Element): string {
  const value = element.getAttribute('value') ?? '';
  switch (element.getAttribute('type')?.toLowerCase()) {
    case 'hidden':
    case 'password':
      return element.getAttribute('placeholder') ?? '';
    case 'checkbox':
    case 'radio':
      return element.hasAttribute('checked') ? '☑' : '☐';
    case 'submit':
    case 'button':
    case 'reset':
      return value;
    case 'image':
      return element.getAttribute('alt') ?? '';
    default:
      return value || (element.getAttribute('placeholder') ?? '');
  }
}

function svgLabel(element: Element): string {
  const words = [...element.querySelectorAll('text')].map(text => text.textContent ?? '');
  const title = element.getAttribute('aria-label') ?? element.querySelector('title')?.textContent ?? '';
  return [title, ...words]
    .map(word => word.replace(/\s+/g, ' ').trim())
    .filter(Boolean)
    .join(' ');
}
