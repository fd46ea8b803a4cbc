/** The last pass over sanitized main content: removes empty elements, class names, and images without a source. */

const REMOVABLE_WHEN_EMPTY =
  'p,div,span,section,article,header,footer,ul,ol,li,dl,h1,h2,h3,h4,h5,h6,figure,figcaption,a,em,strong,b,i,small,label';
const CONTENT_ELEMENTS =
  'img[src],img[srcset],input,button,select,textarea,canvas,video,audio,table,hr,math,progress,meter';

/** Removes empty elements, class names (except on `code`, and unless `keepClasses`), images without a source, and leading `hr`, in place. */
export function cleanUp(clean: Element, keepClasses: boolean): void {
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
  if (/\S/.test(text)) return false;
  if (element.firstElementChild !== null && element.querySelector(CONTENT_ELEMENTS) !== null) return false;
  // White space in `pre` is content.
  return text === '' || element.closest('pre') === null;
}
