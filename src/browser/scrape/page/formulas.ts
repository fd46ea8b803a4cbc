/** Formulas: what they are in TeX stands in one place, `alttext`, as MathML has it. */

const TEX = 'annotation[encoding="application/x-tex" i]';

/** Takes the TeX out of the annotations, where sanitising would leave it as words in the formula. */
export function settleFormulas(body: Element): void {
  for (const formula of body.querySelectorAll('math')) {
    const tex = (formula.querySelector(TEX)?.textContent ?? formula.getAttribute('alttext') ?? '').trim();
    for (const note of formula.querySelectorAll('annotation,annotation-xml')) note.remove();
    if (tex === '') formula.removeAttribute('alttext');
    else formula.setAttribute('alttext', tex);
  }
}
