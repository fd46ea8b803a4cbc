/** One pass over the document, shadow trees included, in document order: what may be acted on, and the frames. */

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
} from '../dom/domGetters.ts';
import { explicitRole, roleOf } from './ariaRole.ts';
import type { Candidate, Classification } from './candidate.ts';
import { ElementClassifier, type InheritedContext } from './classifyElement.ts';
import { classifyNative, isDragCursor, isEditingHost } from './classifyNative.ts';
import { collectClosedHost, type ObservationContext, shadowRootOf } from './observationContext.ts';
import { rootSection, type Section, sectionAt } from './section.ts';

export interface FrameCandidate {
  readonly element: Element;
  /** Found elements before it. */
  readonly before: number;
  readonly section: Section;
  readonly heading: Element | null;
  readonly hidden: boolean;
}

export interface CandidateSearch {
  readonly found: readonly Candidate[];
  readonly frames: readonly FrameCandidate[];
  readonly closedHosts: readonly Element[];
}

const SKIPPED_TAGS = new Set(
  'script style noscript template head meta link title br base option optgroup source track param wbr col colgroup defs'.split(
    ' ',
  ),
);
/** Elements beyond this many are not looked at: no page for people has them. */
const MAX_ELEMENTS = 250_000;
/** More than any caller may ask for (10,000) with room for what is taken out again; each holds its style until it is told. */
const MAX_CANDIDATES = 25_000;

/** @returns what was found; nothing outside an open modal dialog */
export function findCandidates(reading: ObservationContext): CandidateSearch {
  const walker = new CandidateWalker(reading);
  const modal = Array.from(queryAllDocument(document, ':modal')).at(-1);
  const start = modal ?? documentElement(document);
  if (start !== null) walker.run(start, modal !== undefined);
  return { found: walker.found, frames: walker.frames, closedHosts: walker.closedHosts };
}

class CandidateWalker {
  readonly found: Candidate[] = [];
  readonly frames: FrameCandidate[] = [];
  readonly closedHosts: Element[] = [];
  readonly #reading: ObservationContext;
  readonly #classifier: ElementClassifier;
  readonly #roots: ReadonlySet<Element | null>;

  constructor(reading: ObservationContext) {
    this.#reading = reading;
    this.#classifier = new ElementClassifier(reading);
    this.#roots = new Set([documentElement(document), bodyOf(document)]);
  }

  run(start: Element, alone: boolean): void {
    const elements: Element[] = [start];
    const scopes: InheritedContext[] = [
      {
        section: rootSection(),
        around: null,
        pointer: false,
        holding: false,
        ariaHidden: false,
        editing: false,
        handled: false,
      },
    ];
    for (let left = MAX_ELEMENTS; left > 0 && this.found.length < MAX_CANDIDATES; left--) {
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

  #visitSafely(element: Element, scope: InheritedContext): InheritedContext | null {
    try {
      return this.#visit(element, scope);
    } catch {
      // One broken element must not cost the page.
      return null;
    }
  }

  /** @returns the scope of what is inside; null to leave it out */
  #visit(element: Element, scope: InheritedContext): InheritedContext | null {
    const tag = localName(element);
    if (SKIPPED_TAGS.has(tag)) return null;
    collectClosedHost(element, tag, this.closedHosts);
    const style = getComputedStyle(element);
    const attributes = hasAttributes(element);
    const hasChildren = firstElementChild(element) !== null || shadowRootOf(element) !== null;
    if (attributes || hasChildren || tag === 'button' || tag === 'input') {
      const { display } = style;
      if (display === 'none' || display === '') {
        this.#addUnrendered(element, tag, scope, style);
        return null;
      }
      if (attributes && hasAttribute(element, 'inert')) return null;
    }
    if (tag === 'iframe' || tag === 'frame') {
      this.#addFrame(element, scope, style);
      return null;
    }
    const role = attributes ? explicitRole(element) : null;
    const className = attributes ? getAttribute(element, 'class') : null;
    const section = hasChildren ? sectionAt(element, tag, role, className, scope.section) : null;
    if (isHeading(tag, role)) scope.section.heading = element;
    const pointer = style.cursor === 'pointer';
    const holding = !pointer && style.cursor !== 'auto' && isDragCursor(style.cursor);
    const ariaHidden = scope.ariaHidden || (attributes && getAttribute(element, 'aria-hidden') === 'true');
    const editing =
      scope.editing || (attributes && isEditingHost(element) && isContentEditable(element as HTMLElement));
    const look = { element, tag, role, className, style, attributes, pointer, holding, ariaHidden, editing };
    const judgement = this.#roots.has(element) ? null : this.#classifier.classify(look, scope);
    let around = scope.around;
    if (judgement !== null)
      around = this.#addCandidate(
        element,
        tag,
        judgement,
        section ?? scope.section,
        scope,
        style,
        pointer,
        false,
      );
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

  #addCandidate(
    element: Element,
    tag: string,
    judgement: Classification,
    section: Section,
    scope: InheritedContext,
    style: CSSStyleDeclaration,
    pointer: boolean,
    unrendered: boolean,
  ): Candidate {
    const found: Candidate = {
      ...judgement,
      element,
      tag,
      role: judgement.control === 'contenteditable' ? 'textbox' : roleOf(element, tag),
      style,
      section,
      heading: section.heading,
      ancestor: scope.around,
      descendantCount: 0,
      unrendered,
      pointer,
    };
    for (let outer = scope.around; outer !== null; outer = outer.ancestor) outer.descendantCount++;
    this.found.push(found);
    return found;
  }

  /** Boxes to tick that their label stands for, and file inputs behind a button, are usable though not rendered. */
  #addUnrendered(element: Element, tag: string, scope: InheritedContext, style: CSSStyleDeclaration): void {
    if (tag === 'input') this.#addUnrenderedInput(element, tag, scope, style);
    else if (firstElementChild(element) !== null && (textContent(element) ?? '').trim() === '') {
      const inputs = Array.from(queryAllIn(element, 'input[type=file]'));
      if (inputs.length === 1 && inputs[0] !== undefined)
        this.#addUnrenderedInput(inputs[0], 'input', scope, getComputedStyle(inputs[0]));
    }
  }

  #addUnrenderedInput(
    element: Element,
    tag: string,
    scope: InheritedContext,
    style: CSSStyleDeclaration,
  ): void {
    if (!(element instanceof HTMLInputElement)) return;
    const type = inputType(element);
    const judgement = classifyNative(element, tag);
    if (judgement === null) return;
    const byLabel = (type === 'checkbox' || type === 'radio') && labelsOf(element).length > 0;
    if (type === 'file' || byLabel)
      this.#addCandidate(element, tag, judgement, scope.section, scope, style, false, true);
  }

  #addFrame(element: Element, scope: InheritedContext, style: CSSStyleDeclaration): void {
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
