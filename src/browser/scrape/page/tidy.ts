/** Last touches on clean main content: what is left when its content is gone, and names that only style needed. */

const EMPTIABLE =
  'p,div,span,section,article,header,footer,ul,ol,li,dl,h1,h2,h3,h4,h5,h6,figure,figcaption,a,em,strong,b,i,small,label';
const CONTENT =
  'img[src],img[srcset],input,button,select,textarea,canvas,video,audio,table,hr,math,progress,meter';

/** Changes `clean` in place. */
export function tidy(clean: Element): void {
  for (const image of clean.querySelectorAll('img:not([src]):not([srcset])')) image.remove();
  for (const element of clean.querySelectorAll('[class]'))
    if (element.localName !== 'code') element.removeAttribute('class');
  // From behind: what is empty once its children are gone goes too.
  for (const element of [...clean.querySelectorAll(EMPTIABLE)].reverse())
    if (isEmpty(element)) element.remove();
}

function isEmpty(element: Element): boolean {
  if (element.firstElementChild !== null && element.querySelector(CONTENT) !== null) return false;
  return !/\S/.test(element.textContent ?? '');
}
