/** Writes a formula in MathML as text in one line: `1/2`, `√x`, `a_0`, `x^2`. */

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
      return `${grouped(second)}√${grouped(first)}`;
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
