/** Recognizes icons and boxes that draw a field: the arrow of a list of choices, the track of a switch, the star of a radio button. */
import {
  boxOf,
  composedParent,
  getAttribute,
  hasAttribute,
  localName,
  queryIn,
} from '../../dom/domGetters.ts';
import { type Candidate, isExplicit } from '../candidate.ts';
import { visibleText } from '../element/renderedText.ts';
import { PRESSED_BY_CLICK } from './redundantBoxes.ts';

/** Number of levels from a field, and from its part, up to the box around both. */
const MAX_LEVELS = 3;
/** Maximum size of the box around a field and the parts that draw it. CSS pixels. */
const MAX_TICK_BOX = { width: 100, height: 60 };
const MAX_FIELD_HEIGHT_PX = 80;
/** Words of icons that do something else than the field beside them. */
const OWN_PURPOSE =
  /clear|close|clos|remove|delete|reset|cancel|copy|cross|trash|edit|eye|search|help|info|minus|plus|incre|decre/i;

/** Finds the parts that draw the fields among the candidates of one observation. */
export class DrawnParts {
  /** The only field in each box near a field; null for a box with several. */
  readonly #fields = new Map<Element, Candidate | null>();

  constructor(candidates: readonly Candidate[]) {
    for (const candidate of candidates) {
      if (candidate.letter !== 'I') continue;
      let at = composedParent(candidate.element);
      for (let up = 0; at !== null && up < MAX_LEVELS; up++, at = composedParent(at))
        this.#fields.set(at, this.#fields.has(at) ? null : candidate);
    }
  }

  /** Returns true if a press on a candidate without text is a press on the field in the same box. */
  has(candidate: Candidate): boolean {
    if (isExplicit(candidate) || candidate.descendantCount > 1 || !PRESSED_BY_CLICK.has(candidate.basis))
      return false;
    const field = this.#fieldBeside(candidate.element);
    if (field === null || field.box === candidate.element) return false;
    if (queryIn(candidate.element, 'a, button, input, [role]') !== null) return false;
    if (visibleText(candidate.element) !== '' || isNamed(candidate.element)) return false;
    const { width, height } = boxOf(field.box);
    if (isTick(field.field))
      return (
        localName(field.box) === 'label' || (width <= MAX_TICK_BOX.width && height <= MAX_TICK_BOX.height)
      );
    return height <= MAX_FIELD_HEIGHT_PX && opensList(field.field);
  }

  #fieldBeside(element: Element): { box: Element; field: Candidate } | null {
    let at = composedParent(element);
    for (let up = 0; at !== null && up < MAX_LEVELS; up++, at = composedParent(at)) {
      const field = this.#fields.get(at);
      if (field !== undefined) return field === null ? null : { box: at, field };
    }
    return null;
  }
}

const isTick = ({ control }: Candidate): boolean => control === 'checkbox' || control === 'radio';

/** Returns true for a field that a press opens: a list of choices, a calendar. */
const opensList = ({ element, role, control }: Candidate): boolean =>
  control === 'text' &&
  (role === 'combobox' || hasAttribute(element, 'readonly') || hasAttribute(element, 'aria-haspopup'));

/** Returns true for an icon with a name of its own, or with a class that states another purpose. */
function isNamed(element: Element): boolean {
  const inner =
    localName(element) === 'svg' ? composedParent(element) : queryIn(element, 'svg, i, img, span');
  const texts = [element, inner].map(one =>
    one === null
      ? ''
      : `${getAttribute(one, 'class') ?? ''} ${getAttribute(one, 'data-icon') ?? ''} ${getAttribute(one, 'src') ?? ''}`,
  );
  return (
    OWN_PURPOSE.test(texts.join(' ')) || hasAttribute(element, 'title') || hasAttribute(element, 'aria-label')
  );
}
