/** Markup for Markdown: what markup says by element and attribute, said in text, where Markdown has no word for it. */

const BLOCK = 'h1,h2,h3,h4,h5,h6,p,div,ul,ol,table,section,article,figure,blockquote,pre';
const EMPHASIS = 'em,i,cite';
/** Markdown has no emphasis in emphasis: what is written slanted or bold as a whole has none of its own. */
const SLANTED_WHOLE = `figcaption :is(${EMPHASIS}),cite :is(${EMPHASIS})`;
const BOLD_WHOLE = ':is(dt,summary,legend) :is(b,strong)';
const SPEAKS_OTHERWISE = `math[alttext],${SLANTED_WHOLE},${BOLD_WHOLE},input,select,textarea,button,canvas,svg,dl,details,label,fieldset,a:has(${BLOCK})`;

/** @returns null when the clean markup reads well as it is */
export function readingCopy(clean: HTMLElement): HTMLElement | null {
  const layout = [...clean.querySelectorAll('table')].some(isLayout);
  if (!layout && clean.querySelector(SPEAKS_OTHERWISE) === null) return null;
  const copy = clean.cloneNode(true) as HTMLElement;
  for (const element of copy.querySelectorAll(`${SPEAKS_OTHERWISE},table`))
    REWRITES[element.localName]?.(element);
  return copy;
}

const REWRITES: Readonly<Record<string, (element: Element) => void>> = {
  input: element => say(element, inputText(element)),
  textarea: element => say(element, element.textContent || (element.getAttribute('placeholder') ?? '')),
  select: element => {
    const chosen = [...element.querySelectorAll('option[selected]')];
    const options = chosen.length > 0 ? chosen : [...element.querySelectorAll('option')].slice(0, 1);
    say(element, options.map(option => (option.textContent ?? '').trim()).join(', '));
  },
  button: element => inline(element),
  label: element => inline(element),
  canvas: element => say(element, element.getAttribute('aria-label') ?? element.textContent ?? ''),
  svg: element => say(element, drawingText(element)),
  dl: element => rename(element, 'div'),
  details: element => rename(element, 'div'),
  fieldset: element => rename(element, 'div'),
  a: element => linkFirstBlock(element),
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
    if (isLayout(element)) unfoldTable(element);
  },
};

/** Replaces an element by its words, apart from what stands beside it. */
function say(element: Element, words: string): void {
  element.replaceWith(words.trim() === '' ? '' : ` ${words.trim()} `);
}

function unwrap(element: Element): void {
  element.replaceWith(...element.childNodes);
}

function inline(element: Element): void {
  element.before(' ');
  element.after(' ');
}

function rename(element: Element, name: string): void {
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
function linkFirstBlock(link: Element): void {
  const heading = link.querySelector('h1,h2,h3,h4,h5,h6');
  const blocks = heading === null ? [...link.querySelectorAll(BLOCK)] : [heading];
  const first = blocks.find(
    block => block.querySelector(BLOCK) === null && /\S/.test(block.textContent ?? ''),
  );
  if (first !== undefined) {
    const inner = link.cloneNode(false) as Element;
    inner.append(...first.childNodes);
    first.append(inner);
  }
  link.replaceWith(...link.childNodes);
}

/** A table that only lays out: it says so, holds other tables, or has one column. */
function isLayout(table: Element): boolean {
  if (/^(presentation|none)$/.test(table.getAttribute('role') ?? '')) return true;
  if (table.querySelector('table') !== null) return true;
  if (table.querySelector('th,caption') !== null) return false;
  return [...table.querySelectorAll('tr')].every(row => row.children.length < 2);
}

/** Rows become blocks; cells stand in them one after the other. */
function unfoldTable(table: Element): void {
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

function drawingText(element: Element): string {
  const words = [...element.querySelectorAll('text')].map(text => text.textContent ?? '');
  const title = element.getAttribute('aria-label') ?? element.querySelector('title')?.textContent ?? '';
  return [title, ...words]
    .map(word => word.replace(/\s+/g, ' ').trim())
    .filter(Boolean)
    .join(' ');
}
