/**
 * Copies the visible page into one inert document. Shadow trees and readable frames are copied to their place, hidden
 * parts are skipped, form controls have their current value, URLs are absolute. Nothing in the copy loads, runs or
 * refers to the page.
 */
import * as dom from '../../dom/domGetters.ts';
import { isHiddenFormula } from '../clean/formulas.ts';
import { numberItems } from '../clean/toPlainText.ts';
import {
  collapsedPanels,
  isClosedDetails,
  openTab,
  streamedSegment,
  tabsOfPanels,
} from './collapsedParts.ts';
import { isOwnTextVisible, visibilityOf, visibilityWhenOpened } from './elementVisibility.ts';
import { type GeneratedText, generatedTexts, itemNumber } from './generatedText.ts';
import { type FramePlaceholder, holdsDocument, openFrame } from './openFrame.ts';
import { INDENTED, markCode, preservesLines } from './preservedText.ts';
import {
  appendSvgText,
  countsLinesBeside,
  drawnFormula,
  facadeLink,
  isLabelOfSymbol,
  isSymbolOfFont,
  mediaLink,
  removeDrawings,
  scriptFormula,
  showsFallback,
  spokenText,
  symbolLabel,
  symbolWithoutText,
} from './replacedContent.ts';
import { findShadowRoot, requestClosedRoot } from './shadowRoots.ts';
import {
  appendCents,
  INLINE_ELEMENTS,
  insertSeparator,
  insertTextSeparator,
  shallowCopy,
} from './shallowCopy.ts';
import { applyNoscriptImage } from './urlAttributes.ts';

/**
 * Maximum depth of the copy. Deeper elements become siblings, as the HTML parser does at depth 512: serializing recurses, and
 * measuring takes time quadratic in the depth. Real pages stay below 60.
 */
const MAX_DEPTH = 200;
/** Maximum number of elements read; the rest of the page is left out. More than any caller needs, and more than one message can carry. */
const MAX_ELEMENTS = 100_000;
/** Maximum length of the copied text; when it is exceeded, the rest of the page is left out. */
const MAX_TEXT_CHARACTERS = 10_000_000;

/** Number of characters outside links from which on no more are counted. */
const ENOUGH_PROSE = 1_200;

interface FlattenOptions {
  /** True to keep class, style, SVG and structure; false to keep only what main content needs. */
  readonly fullPage: boolean;
  /** Called for each visible element of the live page, in document order; null if not needed. */
  readonly onVisible: ((element: Element) => void) | null;
  /** A selector of the elements that are read alone; null for the whole page. */
  readonly include?: string | null;
  /** A selector of elements that are left out; null for none. */
  readonly exclude?: string | null;
  /** The rows of lists that show only some of them at a time, by list: they are read instead of its children. */
  readonly collectedRows?: ReadonlyMap<Element, Iterable<Element>>;
}

/** A copy of the visible page, and the frames whose content it does not contain yet. */
export interface FlatPage {
  readonly document: Document;
  /** The frames of other processes, which this script cannot read, and the elements of the copy that receive their content. */
  readonly frames: readonly FramePlaceholder[];
  readonly isTruncated: boolean;
  /** False if the request includes elements, and the page shows none of them. */
  readonly hasIncluded: boolean;
  /** Number of characters outside links that the page shows, without white space around each text; counted up to `ENOUGH_PROSE`. */
  readonly proseCharacters: number;
  /** Number of characters outside links in parts that are not open; a run of white space counts as one. */
  readonly closedCharacters: number;
}

/** A parent in the page whose texts are copied. */
interface TextPosition {
  /** The element of the copy that receives the children. */
  readonly into: Element;
  /** The element whose style determines whether text directly in this parent is visible; null if that text is hidden. */
  readonly textParent: Element | null;
  /** The box of `textParent`; null until it is read. */
  readonly box: DOMRect | null;
  /** True if `textParent` shows its own text; null until it is computed for the first text. */
  textIsVisible: boolean | null;
  readonly linked: boolean;
  /** True inside a drawing, a formula or a list of options: style and visibility are not checked there. */
  readonly verbatim: boolean;
  /** True inside a part that is not rendered yet: there an element is left out only if its own style says so. */
  readonly collapsed: boolean;
  /** True in the shadow tree of a part of the content: its `header` and `footer` are not those of the page. */
  readonly isComponent: boolean;
  /** True inside an element that the request includes. */
  readonly isIncluded: boolean;
}

/** The position of the walk among the children of one parent in the page, and where to copy them. */
interface WalkPosition extends TextPosition {
  next: Node | null;
  /** The nodes assigned to a slot; null to walk the children. */
  readonly assigned: readonly Node[] | null;
  assignedIndex: number;
  readonly depth: number;
  readonly base: string;
  /** The text that a style sheet adds after the children. */
  readonly after: string;
}

/** Elements that are never content, not even in drawings and formulas. */
const SKIPPED_ELEMENTS = new Set('script style template link meta base head param'.split(' '));
/** Elements whose visibility is not checked, because they have no box of their own, whatever their style is. */
const ELEMENTS_WITHOUT_BOX = new Set(
  'br wbr area map source track col colgroup option optgroup picture rp'.split(' '),
);
const PLAYERS = new Set('video audio object embed'.split(' '));
/** A shadow tree in one of them is a part of the content. */
const CONTENT = 'main,article,section,[role=main]';
/**
 * Elements whose children are skipped. The text of a textarea is its value; browsers show the children of the others
 * only if they do not support the element.
 */
const ELEMENTS_WITHOUT_CHILDREN = new Set('textarea canvas audio video'.split(' '));
/** Parts of a table that no other element may hold. */
const ROWS = new Set('tr tbody thead tfoot caption'.split(' '));
/** Attributes that hide an element until it is opened. */
const HIDING_ATTRIBUTES = ['hidden', 'aria-hidden'];
const VERBATIM_ELEMENTS = new Set('svg math select'.split(' '));

/** Copies the visible page into a new inert document. Does not change the page. */
export function flatten(page: Document, options: FlattenOptions, root: Element | null = null): FlatPage {
  const walk = new FlattenWalk(page, options);
  const stack: WalkPosition[] = [];
  const base = dom.baseURI(page);
  const body = root ?? dom.bodyOf(page) ?? dom.documentElement(page);
  const isIncluded =
    root !== null ||
    (body !== null &&
      [body, dom.documentElement(page)].some(whole => whole !== null && isMatch(whole, options.include)));
  if (body !== null) {
    const textParent = dom.localName(body) === 'frameset' ? null : body;
    stack.push(startAt(body, { into: walk.document.body, depth: 0, base, textParent, isIncluded }));
  }
  let elements = 0;
  let isTruncated = false;
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const node = nextNode(top);
    if (node === null) {
      stack.pop();
      if (top.after !== '') walk.copyText(top.after, top);
    } else if (dom.nodeType(node) === 3) {
      const { data } = node as Text;
      if (!top.verbatim) insertTextSeparator(node as Text, data, top.into);
      walk.copyText(data, top);
    } else if (dom.nodeType(node) === 1) {
      isTruncated = ++elements > MAX_ELEMENTS || walk.characters > MAX_TEXT_CHARACTERS;
      if (isTruncated) break;
      const inner = walk.copyElement(node as Element, top);
      if (inner !== null) stack.push(inner);
    }
  }
  const hasIncluded = options.include == null || isIncluded || walk.keepIncluded();
  walk.removeMovedTabs();
  const { document, frames, proseCharacters, closedCharacters } = walk;
  return { document, frames, isTruncated, hasIncluded, proseCharacters, closedCharacters };
}

/** The position before the first child of `parent`; what is not given is false or null. */
function startAt(
  parent: Node,
  at: Pick<WalkPosition, 'into' | 'depth' | 'base' | 'textParent'> & Partial<WalkPosition>,
): WalkPosition {
  return {
    next: dom.firstChild(parent),
    assigned: null,
    assignedIndex: 0,
    box: null,
    textIsVisible: null,
    linked: false,
    verbatim: false,
    collapsed: false,
    isComponent: false,
    isIncluded: false,
    after: '',
    ...at,
  };
}

function nextNode(position: WalkPosition): Node | null {
  if (position.assigned !== null) return position.assigned[position.assignedIndex++] ?? null;
  const node = position.next;
  if (node !== null) position.next = dom.nextSibling(node);
  return node;
}

/** Copies nodes of the page, one at a time, into an inert document. If a method returns a position, walk that position next. */
class FlattenWalk {
  /** The inert document that receives the copies. */
  readonly document: Document;
  readonly frames: FramePlaceholder[] = [];
  /** Number of characters of text copied. */
  characters = 0;
  proseCharacters = 0;
  closedCharacters = 0;
  readonly #options: FlattenOptions;
  readonly #isPanel: (element: Element) => boolean;
  readonly #tabsOf = tabsOfPanels();
  readonly #tabs = new Map<Element, Element>();
  /** The tabs whose names stand above panels of their own. */
  readonly #movedTabs: Element[] = [];
  readonly #generated: ReadonlyMap<Element, GeneratedText>;
  /** The copies of the elements that the request includes, without those in others of them. */
  readonly #included: Element[] = [];
  /** The streamed segments that have been entered. */
  readonly #segments = new Set<Element>();

  constructor(page: Document, options: FlattenOptions) {
    this.document = dom.implementationOf(page).createHTMLDocument('');
    this.#options = options;
    this.#isPanel = collapsedPanels(page);
    this.#generated = generatedTexts(page);
  }

  /** Reduces the copy to the elements that the request includes. Returns false if there are none. */
  keepIncluded(): boolean {
    const { body } = this.document;
    // Outside of its table a parser drops a row, and its cells become one word.
    const holders = this.#included.map(part =>
      ROWS.has(part.localName) ? part.closest('table') : part.localName === 'li' ? part.parentElement : null,
    );
    for (const list of new Set(holders)) if (list?.localName === 'ol') numberItems(list);
    body.replaceChildren();
    for (const [at, part] of this.#included.entries()) {
      const name = part.localName;
      const holder = holders[at] ?? null;
      const last = body.lastElementChild;
      if (holder !== null) {
        const isNext = last !== null && holder === holders[at - 1];
        (isNext ? last : body.appendChild(this.document.createElement(holder.localName))).append(part);
        continue;
      }
      const isCell = /^t[dh]$/.test(name);
      if (isCell || INLINE_ELEMENTS.has(name))
        body.appendChild(this.document.createElement('div')).append(...(isCell ? part.childNodes : [part]));
      else body.append(part);
    }
    return this.#included.length > 0;
  }

  /** Copies a text directly in the parent at `at`, if it is visible. */
  copyText(text: string, at: TextPosition): void {
    if (at.textParent === null) return;
    if (!at.verbatim && at.textIsVisible === null && /\S/.test(text))
      at.textIsVisible = isOwnTextVisible(at.textParent, at.box);
    if (at.textIsVisible === false) return;
    // A string, not a Text: the copy needs no JavaScript object for each of its texts. Through the prototype: reading a property of a
    // form searches all its controls for one of that name.
    const isIndented = INDENTED.test(text);
    const isPreserved = (isIndented || text.includes('\n')) && preservesLines(text, at);
    if (isIndented && isPreserved && !this.#options.fullPage) markCode(at.textParent, at.into);
    if (isPreserved) this.#copyLines(text, at.into);
    else dom.appendText(at.into, text);
    this.characters += text.length;
    if (at.linked) return;
    if (at.collapsed) this.closedCharacters += text.replace(/\s+/g, ' ').trim().length;
    else if (this.proseCharacters < ENOUGH_PROSE) this.proseCharacters += text.trim().length;
  }

  /** Copies a text whose style keeps its line breaks. */
  #copyLines(text: string, into: Element): void {
    for (const [at, line] of text.split('\n').entries()) {
      if (at > 0) dom.appendChild(into, this.document.createElement('br'));
      if (line !== '') dom.appendText(into, line);
    }
  }

  /** Copies an element without its children, if it is content. @returns the position of its children; null to skip them */
  copyElement(element: Element, top: WalkPosition): WalkPosition | null {
    const name = dom.localName(element);
    const { fullPage, onVisible, include, exclude } = this.#options;
    if (isMatch(element, exclude)) return null;
    const isIncluded = top.isIncluded || isMatch(element, include);
    if (name === 'template' && !fullPage) return this.#enterStreamed(element, top);
    const isFrame = holdsDocument(element, name);
    const isFallback = name === 'object' && !isFrame && showsFallback(element);
    if (PLAYERS.has(name) && !fullPage && !top.verbatim && !isFrame && !isFallback)
      return this.#linkPlayer(element, top);
    if (name === 'script') this.#copyScriptFormula(element, top);
    if (SKIPPED_ELEMENTS.has(name) || (name === 'title' && !top.verbatim)) return null;
    if ((name === 'object' || name === 'embed') && !isFrame && !isFallback) return null;
    if (name === 'noscript') {
      applyNoscriptImage(element, top.into, top.base);
      return null;
    }
    let textParent: Element | null = top.verbatim ? top.textParent : element;
    let box: DOMRect | null = null;
    let { collapsed } = top;
    if (!top.verbatim && !ELEMENTS_WITHOUT_BOX.has(name)) {
      box = !collapsed && dom.hasChildNodes(element) ? dom.boxOf(element) : null;
      const visibility = collapsed ? visibilityWhenOpened(element) : visibilityOf(element, box);
      if (visibility !== 'visible' && !fullPage && this.#isPanel(element)) collapsed = true;
      else if (visibility === 'removed' && name === 'span' && !fullPage && isLabelOfSymbol(element)) {
        dom.appendText(top.into, dom.textContent(element) ?? '');
        return null;
      } else if (visibility === 'removed') return fullPage ? null : this.#enterHiddenFormula(element, top);
      else if (visibility === 'hidden') textParent = null;
    }
    if (name === 'pre' && countsLinesBeside(element)) return null;
    const replaced =
      textParent === null || fullPage || !name.includes('-')
        ? null
        : (facadeLink(element, name, this.document) ?? drawnFormula(element, name, this.document));
    if (replaced !== null) {
      dom.appendChild(top.into, replaced);
      return null;
    }
    if (textParent !== null && !collapsed && (isIncluded || include == null)) onVisible?.(element);
    if (name === 'svg' && !fullPage) {
      const label = textParent === null ? null : symbolLabel(element);
      if (label === null) appendSvgText(element, top.into, this.document);
      else dom.appendText(top.into, label);
      return null;
    }
    if (!fullPage && (name === 'i' || name === 'span' || name === 'mat-icon') && isSymbolOfFont(element))
      return null;
    if (name === 'slot') return enterSlot(element as HTMLSlotElement, top, textParent !== null);
    if (isFrame) return textParent === null ? null : this.#enterFrame(element, top);
    // The content that a hidden element draws itself is hidden; only its descendants may be visible.
    if (textParent === null && VERBATIM_ELEMENTS.has(name)) return null;
    const isOwnEnd = top.isComponent && !fullPage && (name === 'header' || name === 'footer');
    const copy = isOwnEnd
      ? this.document.createElement('div')
      : shallowCopy(element, top.into, top.base, this.document, fullPage);
    if (!top.verbatim && textParent !== null && appendCents(element, copy, top.into)) return null;
    if (!top.verbatim) insertSeparator(element, copy, top.into);
    dom.appendChild(top.into, copy);
    if (ELEMENTS_WITHOUT_CHILDREN.has(name)) return null;
    if (isIncluded && !top.isIncluded) this.#included.push(copy);
    const rows = this.#options.collectedRows?.get(element);
    if (rows !== undefined && textParent !== null) {
      for (const row of rows) dom.appendChild(copy, this.document.importNode(row, true));
      return null;
    }
    if (!fullPage && dom.getAttribute(element, 'role') === 'tab') this.#tabs.set(element, copy);
    if (!fullPage && (isIncluded || include == null)) this.#namePanel(element, copy);
    const spoken = textParent === null || top.verbatim || collapsed ? null : spokenText(element);
    if (spoken !== null) {
      dom.appendText(copy, spoken);
      return null;
    }
    // Readability leaves out what says that it is hidden.
    if (collapsed) for (const hiding of HIDING_ATTRIBUTES) copy.removeAttribute(hiding);
    return this.#enterElement(element, name, copy, top, { textParent, box, collapsed, isIncluded });
  }

  /** Puts the name of a tab above its panel. */
  #namePanel(panel: Element, copy: Element): void {
    const tabs = this.#tabsOf(panel);
    const tab = openTab(tabs);
    const name = tab === null ? '' : (dom.textContent(tab) ?? '').trim();
    if (tab === null || name === '') return;
    const label = dom.appendChild(copy, this.document.createElement('p'));
    dom.appendText(label.appendChild(this.document.createElement('strong')), name);
    if (tabs.length === 1) this.#movedTabs.push(tab);
  }

  /** Removes the copies of the tabs whose names stand above their panels. */
  removeMovedTabs(): void {
    for (const tab of this.#movedTabs) this.#tabs.get(tab)?.remove();
  }

  /** Copies the text of an element without child elements. @returns the position of its children; null if there are none left */
  #enterElement(
    element: Element,
    name: string,
    copy: Element,
    top: WalkPosition,
    {
      textParent,
      box,
      collapsed,
      isIncluded,
    }: Pick<TextPosition, 'textParent' | 'box' | 'collapsed' | 'isIncluded'>,
  ): WalkPosition | null {
    const root = findShadowRoot(element);
    if (root === null && !top.verbatim) requestClosedRoot(element, name);
    const into = top.depth >= MAX_DEPTH ? top.into : copy;
    const verbatim = top.verbatim || VERBATIM_ELEMENTS.has(name);
    const isShown = collapsed || (!this.#options.fullPage && isClosedDetails(element)) ? true : null;
    const linked = top.linked || name === 'a';
    const isComponent = top.isComponent || (root !== null && dom.closest(element, CONTENT) !== null);
    const inside = {
      into,
      textParent,
      box,
      textIsVisible: isShown,
      linked,
      verbatim,
      collapsed,
      isComponent,
      isIncluded,
    };
    const generated = textParent === null || verbatim ? undefined : this.#generated.get(element);
    const number = generated === undefined ? undefined : itemNumber(generated.before, copy, top.into);
    if (number !== undefined) copy.setAttribute('value', number);
    else if (generated !== undefined && generated.before !== '') this.copyText(generated.before, inside);
    const after = generated?.after ?? '';
    const symbol = root === null && textParent !== null ? symbolWithoutText(element, name) : null;
    if (symbol !== null) {
      copy.replaceWith(symbol);
      return null;
    }
    if (root === null && dom.firstElementChild(element) === null) {
      const text = textParent === null ? '' : (dom.textContent(element) ?? '');
      if (text !== '') this.copyText(text, inside);
      if (after !== '') this.copyText(after, inside);
      return null;
    }
    return startAt(root ?? element, { ...inside, depth: top.depth + 1, base: top.base, after });
  }

  /** Copies a player as a link to what it plays. */
  #linkPlayer(element: Element, top: WalkPosition): null {
    const { width, height } = dom.boxOf(element);
    const isShown = width > 0 && height > 0 && visibilityOf(element, null) === 'visible';
    const link = isShown || top.collapsed ? mediaLink(element, this.document, top.base) : null;
    if (link !== null) dom.appendChild(top.into, link);
    return null;
  }

  /** Copies the formula in a script of MathJax 2, instead of its drawing. */
  #copyScriptFormula(script: Element, top: WalkPosition): void {
    const formula = top.textParent === null ? null : scriptFormula(script, this.document);
    if (formula === null) return;
    removeDrawings(top.into);
    dom.appendChild(top.into, formula);
  }

  /** Copies a hidden formula (MathML or TeX for machines) beside its visible drawing: the drawing contains no readable text. */
  #enterHiddenFormula(element: Element, top: WalkPosition): WalkPosition | null {
    if (top.textParent === null || !isHiddenFormula(element)) return null;
    const copy = shallowCopy(element, top.into, top.base, this.document, false);
    dom.appendChild(top.into, copy);
    return startAt(element, {
      into: copy,
      depth: top.depth + 1,
      base: top.base,
      textParent: element,
      verbatim: true,
    });
  }

  #enterFrame(element: Element, top: WalkPosition): WalkPosition | null {
    const opened = openFrame(element, this.document, top.base, this.frames);
    if (opened === null) return null;
    dom.appendChild(top.into, opened.placeholder);
    if (opened.body === null) return null;
    return startAt(opened.body, {
      into: opened.placeholder,
      depth: top.depth + 1,
      base: opened.base,
      textParent: opened.body,
      isIncluded: top.isIncluded,
    });
  }

  /** Enters the streamed segment whose place a `template` is; each once, because a segment may contain its own place. */
  #enterStreamed(template: Element, top: WalkPosition): WalkPosition | null {
    const { into, depth, base, textParent, linked, isIncluded } = top;
    const segment = streamedSegment(template);
    if (segment === null || this.#segments.has(segment)) return null;
    this.#segments.add(segment);
    const position = { into, depth: depth + 1, base, textParent, linked, isIncluded };
    return startAt(segment, { ...position, textIsVisible: true, collapsed: true });
  }
}

const isMatch = (element: Element, selector: string | null | undefined): boolean =>
  selector != null && dom.matches(element, selector);

function enterSlot(slot: HTMLSlotElement, top: WalkPosition, isVisible: boolean): WalkPosition {
  const assigned = dom.assignedNodes(slot);
  // A slot has no box: its text lies in the box around it.
  const textParent = isVisible ? (top.textParent ?? dom.renderedParent(slot) ?? slot) : null;
  const { into, depth, base, linked, collapsed, isComponent, isIncluded } = top;
  const inner = startAt(slot, { into, depth, base, textParent, linked, collapsed, isComponent, isIncluded });
  return assigned.length === 0 ? inner : { ...inner, next: null, assigned };
}
