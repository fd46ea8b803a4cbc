/** Formulas: what they are in TeX stands in one place, `alttext`, as MathML has it. */
import {
  firstChild,
  getAttribute,
  localName,
  nextSibling,
  nodeType,
  previousSibling,
} from '../dom/domGetters.ts';

const TEX_ANNOTATION = 'annotation[encoding="application/x-tex" i]';

/** Whether a hidden element holds the formula that its neighbour draws: so do KaTeX, MathJax and MediaWiki. */
export function isHiddenFormula(element: Element): boolean {
  const first = firstChild(element);
  if (first === null || nodeType(first) !== 1 || localName(first as Element) !== 'math') return false;
  return [previousSibling(element), nextSibling(element)].some(isDrawing);
}

const isDrawing = (node: Node | null): boolean =>
  node !== null && nodeType(node) === 1 && getAttribute(node as Element, 'aria-hidden') === 'true';

/**
 * Takes the TeX out of the annotations, where sanitising would leave it as words in the formula.
 * @param fullPage the page is told as it is shown, drawings and all
 */
export function normalizeFormulas(body: Element, fullPage: boolean): void {
  for (const formula of body.querySelectorAll('math')) {
    const tex = (
      formula.querySelector(TEX_ANNOTATION)?.textContent ??
      formula.getAttribute('alttext') ??
      ''
    ).trim();
    for (const note of formula.querySelectorAll('annotation,annotation-xml')) note.remove();
    if (tex === '') formula.removeAttribute('alttext');
    else formula.setAttribute('alttext', tex);
    const box = formula.parentElement;
    if (fullPage || box === null) continue;
    for (const neighbour of [box.previousElementSibling, box.nextElementSibling])
      if (isDrawing(neighbour)) neighbour?.remove();
  }
}
