/** Walks the document once in document order, including shadow trees, and collects iframes and elements that may be interactive. */

import {
  bodyOf,
  composedParent,
  documentElement,
  firstElementChild,
  firstElementOfFragment,
  getAttribute,
  hasAttribute,
  hasAttributes,
  isContentEditable,
  labelsOf,
  localName,
  nextElementSibling,
  queryAllIn,
  textContent,
} from '../../dom/domGetters.ts';
import { styleOf } from '../../dom/styleOf.ts';
import { mayMarkBusy } from '../../settle/busy.ts';
import {
  type Candidate,
  type CandidateSearch,
  type Classification,
  type FrameCandidate,
  isExplicit,
} from '../candidate.ts';
import { explicitRole, roleOf } from '../element/ariaRole.ts';
import { mayStateRole, roleOfCustomElement } from '../element/customElement.ts';
import { isOpenPicker } from '../element/fields.ts';
import { collectClosedHost, shadowRootOf } from '../element/shadowRootOf.ts';
import { rootSection, type Section, sectionAt } from '../name/section.ts';
import type { ObservationContext } from '../observationContext.ts';
import { buttonsShownOnHover } from '../reach/shownOnHover.ts';
import { ElementClassifier, type InheritedContext } from './classifyElement.ts';
import { isDragCursor, isDraggable, isEditingHost } from './interactionHints.ts';
import { BUTTON, classifyNative, editableBody } from './nativeControl.ts';

const HEADING_TAGS = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6']);

export interface HeldHeading {
  readonly holder: Candidate;
  readonly heading: Element;
}

export const isHeading = (tag: string, role: string | null): boolean =>
  role === null ? tag.length === 2 && HEADING_TAGS.has(tag) : role === 'heading';

/** Makes a heading the last one of its section. @param held receives it if it is inside of a link or a button */
export function noteHeading(
  heading: Element,
  { section, ancestor }: InheritedContext,
  held: HeldHeading[],
): void {
  section.heading = heading;
  if (ancestor !== null && isExplicit(ancestor)) held.push({ holder: ancestor, heading });
}

/**
 * Sets the headings of the candidates around headings that are inside of a link or a button.
 *
 * - Cards follow each other, each a link with a heading: their headings name no section, neither for the next card nor for what comes after the last.
 * - A single such heading with other candidates after it is that of a section: the link is its title.
 */
export function assignCardHeadings(candidates: readonly Candidate[], held: readonly HeldHeading[]): void {
  if (held.length === 0) return;
  const users = Map.groupBy(candidates, candidate => candidate.heading);
  const holders = new Set(held.map(({ holder }) => holder));
  const usersOf = (heading: Element): readonly Candidate[] =>
    (users.get(heading) ?? []).filter(one => !holders.has(one));
  for (let index = 0; index < held.length; ) {
    const first = held[index];
    if (first === undefined) return;
    let end = index + 1;
    for (let card = first; end < held.length; end++) {
      const next = held[end];
      if (next === undefined || next.holder.heading !== card.heading || usersOf(card.heading).length > 0)
        break;
      card = next;
    }
    const run = held.slice(index, end);
    const around = first.holder.heading;
    if (run.length > 1)
      for (const { holder, heading } of run)
        for (const one of [holder, ...usersOf(heading)]) one.heading = around;
    else if (usersOf(first.heading).length > 0) first.holder.heading = first.heading;
    index = end;
  }
}

/** Returns the input that an unrendered element is or holds: a labelled tick, a file field, one with an open picker. */
export function unrenderedInput(element: Element, tag: string): HTMLInputElement | null {
  if (tag === 'input') return asUsableInput(element);
  if (firstElementChild(element) === null || (textContent(element) ?? '').trim() !== '') return null;
  // Pages hide the file input together with an empty box around it.
  const fileInputs = Array.from(queryAllIn(element, 'input[type=file]'));
  const [only] = fileInputs;
  return fileInputs.length === 1 && only !== undefined ? asUsableInput(only) : null;
}

function asUsableInput(element: Element): HTMLInputElement | null {
  if (!(element instanceof HTMLInputElement)) return null;
  const type = element.type;
  if (type === 'file' || isOpenPicker(element)) return element;
  return (type === 'checkbox' || type === 'radio') && labelsOf(element).length > 0 ? element : null;
}

const SKIPPED_TAGS = new Set(
  'script style noscript template head meta link title br base option optgroup source track param wbr col colgroup defs'.split(
    ' ',
  ),
);
/** Maximum number of elements that one search visits: no real page has more. */
const MAX_ELEMENTS = 250_000;
/** More than a caller can request (10,000), because some are removed later; each keeps its style in memory. */
const MAX_CANDIDATES = 25_000;

export function findCandidates(context: ObservationContext): CandidateSearch {
  const walker = new CandidateWalker(context);
  const start = documentElement(document);
  if (start !== null) walker.run(start);
  assignCardHeadings(walker.candidates, walker.heldHeadings);
  const { candidates, frames, closedHosts, statedHosts, isComplete } = walker;
  return {
    candidates,
    frames,
    closedHosts,
    statedHosts,
    busyClassed: isComplete ? walker.busyClassed : null,
  };
}

/** Has a stack of its own: a page can nest deeper than the call stack allows. */
class CandidateWalker {
  readonly candidates: Candidate[] = [];
  readonly frames: FrameCandidate[] = [];
  readonly closedHosts: Element[] = [];
  readonly statedHosts: Element[] = [];
  readonly busyClassed: Element[] = [];
  readonly heldHeadings: HeldHeading[] = [];
  /** False if the walk has left out something that people see. */
  isComplete = true;
  readonly #context: ObservationContext;
  readonly #classifier: ElementClassifier;
  /** The elements `html` and `body`, which are never candidates. */
  readonly #roots: ReadonlySet<Element | null>;
  /** The first child of the element that was visited last, and its shadow tree. */
  #first: Element | null = null;
  #root: ShadowRoot | null = null;

  constructor(context: ObservationContext) {
    this.#context = context;
    this.#classifier = new ElementClassifier(context);
    this.#roots = new Set([documentElement(document), bodyOf(document)]);
  }

  /** Walks `start`, its descendants, and its following siblings. */
  run(start: Element): void {
    const elements: Element[] = [start];
    const contexts: InheritedContext[] = [
      {
        section: rootSection(),
        ancestor: null,
        pointer: false,
        dragCursor: false,
        ariaHidden: false,
        editing: false,
        handled: false,
      },
    ];
    for (let left = MAX_ELEMENTS; left > 0 && this.candidates.length < MAX_CANDIDATES; left--) {
      const element = elements.pop();
      const inherited = contexts.pop();
      if (element === undefined || inherited === undefined) return;
      const next = nextElementSibling(element);
      if (next !== null) {
        elements.push(next);
        contexts.push(inherited);
      }
      const inner = this.#visitSafely(element, inherited);
      if (inner === null) continue;
      const firstInRoot = this.#root === null ? null : firstElementOfFragment(this.#root);
      for (const first of [this.#first, firstInRoot]) {
        if (first === null) continue;
        elements.push(first);
        contexts.push(inner);
      }
    }
    this.isComplete = false;
  }

  #visitSafely(element: Element, inherited: InheritedContext): InheritedContext | null {
    try {
      return this.#visit(element, inherited);
    } catch {
      // One broken element must not fail the observation.
      this.isComplete = false;
      return null;
    }
  }

  /** Returns the context that the children inherit; null to skip them. */
  #visit(element: Element, inherited: InheritedContext): InheritedContext | null {
    const tag = localName(element);
    if (SKIPPED_TAGS.has(tag)) return null;
    collectClosedHost(element, tag, this.closedHosts);
    const style = styleOf(element);
    const attributes = hasAttributes(element);
    // A list of choices takes the presses on what is drawn in it.
    this.#first = tag === 'select' ? null : firstElementChild(element);
    this.#root = shadowRootOf(element);
    const hasChildren = this.#first !== null || this.#root !== null;
    if (attributes || hasChildren || tag === 'button' || tag === 'input') {
      const { display } = style;
      // The areas of an image map have no box of their own.
      if ((display === 'none' || display === '') && tag !== 'area') {
        this.#addUnrendered(element, tag, inherited, style);
        return null;
      }
      if (attributes && hasAttribute(element, 'inert')) {
        this.isComplete = false;
        return null;
      }
    }
    const className = attributes ? getAttribute(element, 'class') : null;
    if (className !== null && mayMarkBusy(className)) this.busyClassed.push(element);
    if (tag === 'iframe' || tag === 'frame') {
      this.#addFrame(element, inherited, style);
      return null;
    }
    const role = (attributes ? explicitRole(element) : null) ?? roleOfCustomElement(element, tag);
    const ownSection = hasChildren ? sectionAt(element, tag, role, className, inherited.section) : null;
    if (isHeading(tag, role) && style.visibility !== 'hidden')
      noteHeading(element, inherited, this.heldHeadings);
    const cursor = (attributes && this.#context.styleRules.cursorOnHover(element)) || style.cursor;
    const pointer = cursor === 'pointer';
    const dragCursor = !pointer && cursor !== 'auto' && isDragCursor(cursor);
    const ariaHidden =
      inherited.ariaHidden || (attributes && getAttribute(element, 'aria-hidden') === 'true');
    if (!ariaHidden && style.visibility === 'visible' && mayStateRole(element, tag))
      this.statedHosts.push(element);
    const editing =
      inherited.editing ||
      (attributes && isEditingHost(element) && isContentEditable(element as HTMLElement)) ||
      (tag === 'body' && isContentEditable(element as HTMLElement));
    const isRoot = this.#roots.has(element);
    const classification = isRoot
      ? editableBody(element, tag)
      : this.#classifier.classify(
          {
            element,
            tag,
            role,
            className,
            style,
            hasAttributes: attributes || role !== null,
            pointer,
            dragCursor,
            ariaHidden,
            editing,
          },
          inherited,
        );
    const section = ownSection ?? inherited.section;
    const ancestor =
      classification === null
        ? inherited.ancestor
        : this.#add(element, tag, classification, section, inherited.ancestor, style, pointer, false);
    const handled = inherited.handled || (!isRoot && this.#context.handlers.get(element)?.press === true);
    const isUnchanged =
      ownSection === null &&
      handled === inherited.handled &&
      ancestor === inherited.ancestor &&
      pointer === inherited.pointer &&
      dragCursor === inherited.dragCursor &&
      ariaHidden === inherited.ariaHidden &&
      editing === inherited.editing;
    // Most elements pass on the context that they inherit: do not create a new object for each of them.
    return isUnchanged ? inherited : { section, ancestor, pointer, dragCursor, ariaHidden, editing, handled };
  }

  #add(
    element: Element,
    tag: string,
    classification: Classification,
    section: Section,
    ancestor: Candidate | null,
    style: CSSStyleDeclaration,
    pointer: boolean,
    unrendered: boolean,
  ): Candidate {
    const handlers = this.#context.handlers.get(element);
    const mayTakeDrops = classification.basis === 'drag' && handlers?.drop === true && !handlers.hold;
    const dragged =
      classification.basis === 'drag' &&
      ((isDragCursor(style.cursor) && !(mayTakeDrops && style.cursor === cursorAround(element))) ||
        isDraggable(element, getAttribute(element, 'class')));
    const candidate: Candidate = {
      ...classification,
      element,
      tag,
      role: classification.control === 'contenteditable' ? 'textbox' : roleOf(element, tag),
      style,
      section,
      heading: section.heading,
      ancestor,
      descendantCount: 0,
      unrendered,
      pointer,
      dragged,
      takesDrops: mayTakeDrops && !dragged,
      gesture:
        isExplicit(classification) || classification.basis === 'scroll' ? null : (handlers?.gesture ?? null),
    };
    for (let outer = ancestor; outer !== null; outer = outer.ancestor) outer.descendantCount++;
    this.candidates.push(candidate);
    return candidate;
  }

  #addUnrendered(
    element: Element,
    tag: string,
    inherited: InheritedContext,
    style: CSSStyleDeclaration,
  ): void {
    if (this.#context.styleRules.hasHoverRules) this.#addShownOnHover(element, inherited);
    const input = unrenderedInput(element, tag);
    const classification = input === null ? null : classifyNative(input, 'input');
    if (input === null || classification === null) return;
    const ownStyle = input === element ? style : styleOf(input);
    const { section, ancestor } = inherited;
    this.#add(input, 'input', classification, section, ancestor, ownStyle, false, true);
  }

  /** Adds the buttons that a style rule renders while the pointer is over an element around them: those of a row. */
  #addShownOnHover(element: Element, { section, ancestor }: InheritedContext): void {
    for (const { button, host } of buttonsShownOnHover(element, this.#context.styleRules)) {
      const added = this.#add(
        button,
        localName(button),
        BUTTON,
        section,
        ancestor,
        styleOf(button),
        false,
        true,
      );
      added.shownBy = host;
    }
  }

  #addFrame(element: Element, { section, ariaHidden }: InheritedContext, style: CSSStyleDeclaration): void {
    this.frames.push({
      element,
      before: this.candidates.length,
      section,
      heading: section.heading,
      hidden: style.visibility !== 'visible' || ariaHidden,
    });
  }
}

function cursorAround(element: Element): string | null {
  const parent = composedParent(element);
  return parent === null ? null : styleOf(parent).cursor;
}
