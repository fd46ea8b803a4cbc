/**
 * Prepares sanitized HTML for Markdown and plain text: replaces elements that Markdown cannot express (form controls,
 * drawings, formulas, definition lists, layout tables) by text and blocks.
 */

import { mathText } from './formulas.ts';
import { raisedCents } from './readableText.ts';
import { convertRoleTables, normalizeTables } from './tables.ts';

const BLOCK_ELEMENTS = 'h1,h2,h3,h4,h5,h6,p,div,ul,ol,table,section,article,figure,blockquote,pre';
/** Selects what is rewritten in any case. Links are rewritten only if they contain blocks. */
const REWRITTEN_ELEMENTS =
  'math:not([alttext]),input,select,textarea,button,canvas,svg,dl,details,label,fieldset,q,sup,meter,progress';

/** Replaces the elements of sanitized HTML that Markdown cannot express by text and blocks, in place. */
export function prepareForMarkdown(clean: HTMLElement): void {
  convertRoleTables(clean);
  for (const element of [...clean.querySelectorAll(`${REWRITTEN_ELEMENTS},a`)])
    if (element.localName !== 'a' || containsBlock(element)) REWRITES[element.localName]?.(element);
    else nameSilentLink(element);
  for (const list of clean.querySelectorAll('ul,ol,menu,dir')) completeItems(list);
  normalizeTables(clean);
}

/** Moves what stands in a list outside of its items to the item before it: browsers show it below that. */
function completeItems(list: Element): void {
  for (const node of [...list.childNodes]) {
    if (node.nodeType === 3 ? !/\S/.test((node as Text).data) : node.nodeType !== 1) continue;
    if ((node as Element).localName === 'li') continue;
    let item = node.previousSibling;
    while (item !== null && (item as Element).localName !== 'li') item = item.previousSibling;
    if (item === null) list.insertBefore(list.ownerDocument.createElement('li'), node).append(node);
    else item.appendChild(node);
  }
}

// Faster than `:has()`: most links contain no element.
const containsBlock = (link: Element): boolean =>
  link.firstElementChild !== null && link.querySelector(BLOCK_ELEMENTS) !== null;

/** The rewrites by tag name: each changes an element of the copy in place. */
const REWRITES: Readonly<Record<string, (element: Element) => void>> = {
  input: element => replaceWithText(element, inputText(element)),
  textarea: element =>
    replaceWithText(element, element.textContent || (element.getAttribute('placeholder') ?? '')),
  select: element => {
    const chosen = [...element.querySelectorAll('option[selected]')];
    const options = chosen.length > 0 ? chosen : [...element.querySelectorAll('option')].slice(0, 1);
    replaceWithText(element, options.map(option => (option.textContent ?? '').trim()).join(', '));
  },
  q: element => {
    // A browser adds the marks, unless the style forbids it because the text has its own.
    if (/^\s*["“”„«»‘]/.test(element.textContent ?? '')) return;
    element.prepend('"');
    element.append('"');
  },
  button: element => surroundWithSpaces(element),
  label: element => surroundWithSpaces(element),
  canvas: element =>
    replaceWithText(element, element.getAttribute('aria-label') ?? element.textContent ?? ''),
  svg: element => replaceWithText(element, svgLabel(element)),
  dl: element => convertToBlocks(element),
  details: element => convertToBlocks(element),
  fieldset: element => convertToBlocks(element),
  a: element => moveLinkIntoFirstBlock(element),
  sup: element => {
    const cents = raisedCents(element);
    if (cents !== null) element.replaceWith(cents);
  },
  meter: element => replaceWithText(element, levelText(element)),
  progress: element => replaceWithText(element, levelText(element)),
  math: element => element.replaceChildren(mathText(element)),
};

function replaceWithText(element: Element, text: string): void {
  element.replaceWith(text.trim() === '' ? '' : ` ${text.trim()} `);
}

function surroundWithSpaces(element: Element): void {
  element.before(' ');
  element.after(' ');
}

/** Replaces a definition list, `details` or `fieldset` by blocks; terms, summaries and legends become bold paragraphs. */
function convertToBlocks(element: Element): void {
  const box = element.ownerDocument.createElement('div');
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

/** Moves a link that contains blocks, such as a card, into its heading or its first block with text. */
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

/** Gives a link that shows only a symbol its name as text. */
function nameSilentLink(link: Element): void {
  if (/\S/.test(link.textContent ?? '') || link.querySelector('img[alt]:not([alt=""])') !== null) return;
  link.append(link.getAttribute('aria-label') ?? link.getAttribute('title') ?? '');
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

/** Returns the text of a bar, or the part of its maximum that it shows. */
function levelText(element: Element): string {
  const own = (element.textContent ?? '').trim();
  const [value, max] = [element.getAttribute('value'), element.getAttribute('max')];
  return own !== '' || value === null ? own : max === null ? value : `${value} / ${max}`;
}

function svgLabel(element: Element): string {
  const texts = [...element.querySelectorAll('text')].map(text => text.textContent ?? '');
  const title = element.getAttribute('aria-label') ?? element.querySelector('title')?.textContent ?? '';
  return [title, ...texts]
    .map(text => text.replace(/\s+/g, ' ').trim())
    .filter(Boolean)
    .join(' ');
}
