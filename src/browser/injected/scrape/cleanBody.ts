/** Makes the body of the flat copy: reduced to the requested content, and sanitized. */
import type { ContentSelection } from '../../../domain/content/scrape.ts';
import { pageSignals } from '../signals/pageSignals.ts';
import { copyMetaTags, type ReadabilityMetadata } from './article/articleMetadata.ts';
import { isTooLargeForReadability, removeHeadingPermalinks } from './article/readArticle.ts';
import { normalizeFormulas } from './clean/formulas.ts';
import { normalizeCodeBlocks } from './clean/normalizeCodeBlocks.ts';
import { sanitizeHtml } from './clean/sanitizeHtml.ts';
import { completeTables, convertRoles, convertRoleTables } from './clean/tables.ts';
import { landmarkContent } from './landmarkContent.ts';
import { mainContent } from './mainContent.ts';
import { linkSilentFrames } from './snapshot/openFrame.ts';

const REMOVABLE_WHEN_EMPTY =
  'p,div,span,section,article,header,footer,ul,ol,li,dl,h1,h2,h3,h4,h5,h6,figure,figcaption,a,em,strong,b,i,small,label';
const CONTENT_ELEMENTS =
  'img[src],img[srcset],:is(p,li,td,th,dd,dt) a[href]:is([aria-label],[title]),input,button,select,textarea,canvas,video,audio,table,hr,math,progress,meter';

/** Removes empty elements, class names (except on `code`, and unless `keepClasses`), images without a source, and leading `hr`, in place. */
function cleanUp(clean: Element, keepClasses: boolean): void {
  for (const image of clean.querySelectorAll('img:not([src]):not([srcset])')) image.remove();
  for (const element of keepClasses ? [] : clean.querySelectorAll('[class]'))
    if (element.localName !== 'code') element.removeAttribute('class');
  // In reverse, so that an element that becomes empty is removed too.
  for (const element of [...clean.querySelectorAll(REMOVABLE_WHEN_EMPTY)].reverse())
    if (isEmpty(element)) removeEmpty(element);
  removeLeadingRules(clean);
}

/** Elements whose white space separates the words around them. */
const INLINE_ELEMENTS = new Set('span a em strong b i small label'.split(' '));

/** Removes an element without content. The white space of an inline one stays: `for<b> </b><a>example</a>` is two words. */
function removeEmpty(element: Element): void {
  if (element.textContent !== '' && INLINE_ELEMENTS.has(element.localName)) element.replaceWith(' ');
  else element.remove();
}

/** Removes each `hr` that has no content before it. */
function removeLeadingRules(clean: Element): void {
  for (const rule of clean.querySelectorAll('hr')) {
    const before = clean.ownerDocument.createRange();
    before.setStart(clean, 0);
    before.setEndBefore(rule);
    if (/\S/.test(before.toString()) || before.cloneContents().querySelector(CONTENT_ELEMENTS) !== null)
      return;
    rule.remove();
  }
}

function isEmpty(element: Element): boolean {
  const text = element.textContent ?? '';
  if (/\S/.test(text) || element.matches(CONTENT_ELEMENTS)) return false;
  if (element.firstElementChild !== null && element.querySelector(CONTENT_ELEMENTS) !== null) return false;
  // White space in `pre` is content.
  return text === '' || element.closest('pre') === null;
}

/** The page's body after sanitizing, reduced to the main content if only that is requested. */
export interface CleanBody {
  /** An element of an inert document; its children are the content. */
  readonly clean: HTMLElement;
  /** Metadata that Readability found; null if the page is not an article. */
  readonly readability: ReadabilityMetadata | null;
}

/** Gives the frames, code, formulas, tasks and tables of a copy one form, in place; for main content also what only ARIA names. */
export function normalizeBody(body: HTMLElement, onlyMainContent: boolean): void {
  linkSilentFrames(body);
  normalizeCodeBlocks(body);
  normalizeFormulas(body, !onlyMainContent);
  removeHeadingPermalinks(body);
  markTasks(body);
  convertRoleTables(body);
  completeTables(body);
  if (!onlyMainContent) return;
  convertRoles(body);
  showControlsOfCells(body);
  // A text to read or to copy, not to enter.
  for (const field of body.querySelectorAll('textarea[readonly]')) {
    const text = body.ownerDocument.createElement('pre');
    text.append(...field.childNodes);
    field.replaceWith(text);
  }
  // What is copied is visible. Readability leaves out what says that screen readers do not see it.
  for (const element of body.querySelectorAll('[aria-hidden]')) element.removeAttribute('aria-hidden');
}

/**
 * Sanitizes the body of a page's copy, and reduces it to the main content (`mainContent`) if the request asks for that and names no part.
 * @param page the live document
 * @param copy the copy made by `flatten`; do not use it afterwards
 */
export function cleanBody(page: Document, copy: Document, request: ContentSelection): CleanBody {
  const { onlyMainContent, include = [], keepClasses = false } = request;
  normalizeBody(copy.body, onlyMainContent);
  if (!onlyMainContent) return { clean: sanitizeHtml(copy.body, true), readability: null };
  if (include.length > 0) return { clean: cleanMain(copy.body, keepClasses), readability: null };
  copyMetaTags(page, copy);
  if (isTooLargeForReadability(copy))
    return { clean: cleanMain(landmarkContent(copy), keepClasses), readability: null };
  const { root, backup, readability } = mainContent(copy, page, pageSignals(page));
  const clean = cleanMain(root, keepClasses);
  return {
    clean: backup !== null && !showsText(clean) ? cleanMain(backup, keepClasses) : clean,
    readability,
  };
}

const TEXT_BY_ATTRIBUTES = 'input,textarea,select,canvas,svg,math[alttext]';

const showsText = (content: Element): boolean =>
  /\S/.test(content.textContent ?? '') || content.querySelector(TEXT_BY_ATTRIBUTES) !== null;

function cleanMain(root: Element, keepClasses: boolean): HTMLElement {
  const clean = sanitizeHtml(root, false, keepClasses);
  cleanUp(clean, keepClasses);
  return clean;
}

const TASK_BOXES = 'li :is(input[type=checkbox i],[role=checkbox])';
const isChecked = (box: Element): boolean =>
  box.hasAttribute('checked') || box.getAttribute('aria-checked') === 'true';
const TASK_NAME = /task|todo|check/i;

/** Replaces the checkbox at the beginning of a task by its state as text: `[x]`. Readability removes every control. */
function markTasks(body: Element): void {
  for (const box of body.querySelectorAll(TASK_BOXES)) {
    const item = box.closest('li');
    const names = `${item?.getAttribute('class')} ${item?.parentElement?.getAttribute('class')}`;
    const isStatic = box.localName !== 'input' && !box.hasAttribute('tabindex');
    if (item === null || (!isStatic && !box.hasAttribute('disabled') && !TASK_NAME.test(names))) continue;
    if (item.querySelector(TASK_BOXES) !== box || (box.textContent ?? '').trim().length > 1) continue;
    box.replaceWith(isChecked(box) ? '[x] ' : '[ ] ');
  }
}

const CELL_CONTROLS =
  'td :is(select,input:is(:not([type]),[type=checkbox i],[type=radio i],[type=text i],[type=number i]))';

/** Replaces a control that is all that a cell of a table shows by its state or value: Readability removes every control. */
function showControlsOfCells(body: Element): void {
  for (const control of body.querySelectorAll(CELL_CONTROLS)) {
    const cell = control.closest('td');
    if (cell === null || cell.closest('table')?.querySelector('th') === null) continue;
    if (cell.querySelectorAll('input,select,textarea,button').length > 1) continue;
    const isSelect = control.localName === 'select';
    if ((cell.textContent ?? '').trim() !== (isSelect ? (control.textContent ?? '').trim() : '')) continue;
    control.replaceWith(
      isSelect
        ? (control.querySelector('option[selected]')?.textContent ?? '')
        : /^(checkbox|radio)$/i.test(control.getAttribute('type') ?? '')
          ? isChecked(control)
            ? '☑'
            : '☐'
          : (control.getAttribute('value') ?? ''),
    );
  }
}
