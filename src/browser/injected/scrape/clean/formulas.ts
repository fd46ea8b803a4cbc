/** Puts the TeX source of formulas into `alttext`, MathML's attribute for it. */
import * as dom from '../../dom/domGetters.ts';

const TEX_ANNOTATION = 'annotation[encoding="application/x-tex" i]';

/** Returns true for a hidden element with the formula that its sibling draws, as KaTeX, MathJax and MediaWiki generate it. */
export function isHiddenFormula(element: Element): boolean {
  const first = dom.firstChild(element);
  if (first === null || dom.nodeType(first) !== 1 || dom.localName(first as Element) !== 'math') return false;
  return [dom.previousSibling(element), dom.nextSibling(element)].some(isDrawing);
}

const isDrawing = (node: Node | null): boolean =>
  node !== null && dom.nodeType(node) === 1 && dom.getAttribute(node as Element, 'aria-hidden') === 'true';

/**
 * Moves the TeX source of each formula from its annotation, which the sanitizer would turn into text of the formula,
 * into the attribute `alttext`.
 * @param fullPage true to keep the drawings of formulas, which are visible
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
  // Pictures that draw no formula beside them.
  for (const picture of fullPage ? [] : body.querySelectorAll('img[alt*="\\\\"]')) {
    const tex = (picture.getAttribute('alt') ?? '').trim();
    if (TEX.test(tex)) picture.replaceWith(formulaOf(tex, false, body.ownerDocument));
  }
}

/** A command of TeX, and nothing that is only in paths of files. */
const TEX = /^[^:]*\\[a-zA-Z]+(?=[\s{_^}\\)\d]|$)/;

const MATHML = 'http://www.w3.org/1998/Math/MathML';

/** Returns a formula with a source in TeX. */
export function formulaOf(tex: string, isBlock: boolean, document: Document): Element {
  const formula = document.createElementNS(MATHML, 'math');
  formula.setAttribute('alttext', tex);
  if (isBlock) formula.setAttribute('display', 'block');
  formula.appendChild(document.createElementNS(MATHML, 'mtext')).textContent = tex;
  return formula;
}

/** Returns the text of a formula. */
export const mathText = (formula: Element): string => textOfAll(formula).replace(/\s+/g, ' ').trim();

const textOfAll = (parent: Element): string => [...parent.children].map(textOf).join('') || ownText(parent);

const ownText = (element: Element): string => (element.textContent ?? '').trim();

function textOf(element: Element): string {
  const [first = '', second = '', third = ''] = [...element.children].map(textOf);
  switch (element.localName) {
    case 'mfrac':
      return `${grouped(first)}/${grouped(second)}`;
    case 'msqrt':
      return `√${grouped(textOfAll(element))}`;
    case 'mroot':
      return second === '3' ? `∛${grouped(first)}` : `${grouped(first)}^(1/${grouped(second)})`;
    case 'msup':
    case 'mover':
      return `${first}^${grouped(second)}`;
    case 'msub':
    case 'munder':
      return `${first}_${grouped(second)}`;
    case 'msubsup':
    case 'munderover':
      return `${first}_${grouped(second)}^${grouped(third)}`;
    case 'mtr':
      return `${[...element.children].map(textOf).join(', ')}; `;
    case 'mspace':
      return ' ';
    case 'annotation':
    case 'annotation-xml':
      return '';
    default:
      return textOfAll(element);
  }
}

/** Puts more than one symbol in parentheses. */
const grouped = (text: string): string => (/^[\p{L}\p{N}.]*$|^.$/u.test(text) ? text : `(${text.trim()})`);
