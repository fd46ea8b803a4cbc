/** One pass over the document, shadow trees included, in document order: what may be acted on, and the frames. */
import type { Found, Judgement } from './found.ts';
import { isEditingHost, isHoldingCursor, judgeNative } from './judge.ts';
import { Judge, type Scope } from './judgeElement.ts';
import {
  bodyOf,
  documentElement,
  firstElementChild,
  firstElementOfFragment,
  getAttribute,
  hasAttribute,
  hasAttributes,
  inputType,
  isContentEditable,
  labelsOf,
  localName,
  nextElementSibling,
  queryAllDocument,
  queryAllIn,
  textContent,
} from './native.ts';
import { noteClosedHost, type Reading, shadowRootOf } from './reading.ts';
import { roleOf, writtenRole } from './roles.ts';
import { pageSection, type Section, sectionAt } from './section.ts';

export interface FoundFrame {
  readonly element: Element;
  /** Found elements before it. */
  readonly before: number;
  readonly section: Section;
  readonly heading: Element | null;
  readonly hidden: boolean;
}

export interface Walked {
  readonly found: readonly Found[];
  readonly frames: readonly FoundFrame[];
  readonly closedHosts: readonly Element[];
}

const SKIPPED = new Set(
  'script style noscript template head meta link title br base option optgroup source track param wbr col colgroup defs'.split(
    ' ',
  ),
);
/** Elements beyond this many are not looked at: no page for people has them. */
const MOST_ELEMENTS = 250_000;
/** More than any caller may ask for (10,000) with room for what is taken out again; each holds its style until it is told. */
const MOST_FOUND = 25_000;

/** @returns what was found; nothing outside an open modal dialog */
export function walk(reading: Reading): Walked {
  const walker = new Walker(reading);
  const modal = Array.from(queryAllDocument(document, ':modal')).at(-1);
  const start = modal ?? documentElement(document);
  if (start !== null) walker.run(start, modal !== undefined);
  return { found: walker.found, frames: walker.frames, closedHosts: walker.closedHosts };
}

class Walker {
  readonly found: Found[] = [];
  readonly frames: FoundFrame[] = [];
  readonly closedHosts: Element[] = [];
  readonly #reading: Reading;
  readonly #judge: Judge;
  readonly #roots: ReadonlySet<Element | null>;

  constructor(reading: Reading) {
    this.#reading = reading;
    this.#judge = new Judge(reading);
    this.#roots = new Set([documentElement(document), bodyOf(document)]);
  }

  run(start: Element, alone: boolean): void {
    const elements: Element[] = [start];
    const scopes: Scope[] = [
      {
        section: pageSection(),
        around: null,
        pointer: false,
        holding: false,
        ariaHidden: false,
        editing: false,
        handled: false,
      },
    ];
    for (let left = MOST_ELEMENTS; left > 0 && this.found.length < MOST_FOUND; left--) {
      const element = elements.pop();
      const scope = scopes.pop();
      if (element === undefined || scope === undefined) return;
      if (element !== start || !alone) {
        const next = nextElementSibling(element);
        if (next !== null) {
          elements.push(next);
          scopes.push(scope);
        }
      }
      const inner = this.#visitSafely(element, scope);
      if (inner === null) continue;
      const first = firstElementChild(element);
      if (first !== null) {
        elements.push(first);
        scopes.push(inner);
      }
      const root = shadowRootOf(element);
      const firstInRoot = root === null ? null : firstElementOfFragment(root);
      if (firstInRoot !== null) {
        elements.push(firstInRoot);
        scopes.push(inner);
      }
    }
  }

  #visitSafely(element: Element, scope: Scope): Scope | null {
    try {
      return this.#visit(element, scope);
    } catch {
      // One broken element must not cost the page.
      return null;
    }
  }

  /** @returns the scope of what is inside; null to leave it out */
  #visit(element: Element, scope: Scope): Scope | null {
    const tag = localName(element);
    if (SKIPPED.has(tag)) return null;
    noteClosedHost(element, tag, this.closedHosts);
    const style = getComputedStyle(element);
    const attributes = hasAttributes(element);
    const hasChildren = firstElementChild(element) !== null || shadowRootOf(element) !== null;
    if (attributes || hasChildren || tag === 'button' || tag === 'input') {
      const { display } = style;
      if (display === 'none' || display === '') {
        this.#keepUnrendered(element, tag, scope, style);
        return null;
      }
      if (attributes && hasAttribute(element, 'inert')) return null;
    }
    if (tag === 'iframe' || tag === 'frame') {
      this.#keepFrame(element, scope, style);
      return null;
    }
    const role = attributes ? writtenRole(element) : null;
    const className = attributes ? getAttribute(element, 'class') : null;
    const section = hasChildren ? sectionAt(element, tag, role, className, scope.section) : null;
    if (isHeading(tag, role)) scope.section.heading = element;
    const pointer = style.cursor === 'pointer';
    const holding = !pointer && style.cursor !== 'auto' && isHoldingCursor(style.cursor);
    const ariaHidden = scope.ariaHidden || (attributes && getAttribute(element, 'aria-hidden') === 'true');
    const editing =
      scope.editing || (attributes && isEditingHost(element) && isContentEditable(element as HTMLElement));
    const look = { element, tag, role, className, style, attributes, pointer, holding, ariaHidden, editing };
    const judgement = this.#roots.has(element) ? null : this.#judge.judge(look, scope);
    let around = scope.around;
    if (judgement !== null)
      around = this.#keep(element, tag, judgement, section ?? scope.section, scope, style, pointer, false);
    const handled =
      scope.handled || (!this.#roots.has(element) && this.#reading.handlers.get(element)?.press === true);
    if (
      section === null &&
      handled === scope.handled &&
      around === scope.around &&
      pointer === scope.pointer &&
      holding === scope.holding
    )
      if (ariaHidden === scope.ariaHidden && editing === scope.editing) return scope;
    // A pointer set on the whole page says nothing about any part of it; taken over, it is not looked at again.
    return { section: section ?? scope.section, around, pointer, holding, ariaHidden, editing, handled };
  }

  #keep(
    element: Element,
    tag: string,
    judgement: Judgement,
    section: Section,
    scope: Scope,
    style: CSSStyleDeclaration,
    pointer: boolean,
    unrendered: boolean,
  ): Found {
    const found: Found = {
      ...judgement,
      element,
      tag,
      role: judgement.control === 'contenteditable' ? 'textbox' : roleOf(element, tag),
      style,
      section,
      heading: section.heading,
      around: scope.around,
      inside: 0,
      unrendered,
      pointer,
    };
    for (let outer = scope.around; outer !== null; outer = outer.around) outer.inside++;
    this.found.push(found);
    return found;
  }

  /** Boxes to tick that their label stands for, and file inputs behind a button, are usable though not rendered. */
  #keepUnrendered(element: Element, tag: string, scope: Scope, style: CSSStyleDeclaration): void {
    if (tag === 'input') this.#keepUnrenderedInput(element, tag, scope, style);
    else if (firstElementChild(element) !== null && (textContent(element) ?? '').trim() === '') {
      const inputs = Array.from(queryAllIn(element, 'input[type=file]'));
      if (inputs.length === 1 && inputs[0] !== undefined)
        this.#keepUnrenderedInput(inputs[0], 'input', scope, getComputedStyle(inputs[0]));
    }
  }

  #keepUnrenderedInput(element: Element, tag: string, scope: Scope, style: CSSStyleDeclaration): void {
    if (!(element instanceof HTMLInputElement)) return;
    const type = inputType(element);
    const judgement = judgeNative(element, tag);
    if (judgement === null) return;
    const byLabel = (type === 'checkbox' || type === 'radio') && labelsOf(element).length > 0;
    if (type === 'file' || byLabel)
      this.#keep(element, tag, judgement, scope.section, scope, style, false, true);
  }

  #keepFrame(element: Element, scope: Scope, style: CSSStyleDeclaration): void {
    this.frames.push({
      element,
      before: this.found.length,
      section: scope.section,
      heading: scope.section.heading,
      hidden: style.visibility !== 'visible' || scope.ariaHidden,
    });
  }
}

const isHeading = (tag: string, role: string | null): boolean =>
  role === null ? /^h[1-6]$/.test(tag) : role === 'heading';
