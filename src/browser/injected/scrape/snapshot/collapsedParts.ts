/**
 * Parts of the main content that the page does not show yet: panels that its own controls open (`details`, tabs, accordions), and
 * segments that a server sent ahead for scripts to put in their place.
 */
import * as dom from '../../dom/domGetters.ts';

/** Elements whose parts that open are menus, dialogs or lists of choices, not content. */
const NEVER_OPENED =
  'nav,header,footer,aside,form,dialog,[role=navigation],[role=banner],[role=contentinfo],[role=complementary],[role=search],[role=menu],[role=menubar],[role=dialog],[role=alertdialog],[role=listbox],[role=tooltip],[aria-modal=true]';

const CONTROL = 'button,summary,[role=button],[role=tab],[aria-expanded=false]';
/** Controls of menus and dialogs. */
const POPUP = '[aria-haspopup]:not([aria-haspopup=false])';
/** Parts with fields are forms, whatever opens them. */
const FIELDS = 'input:not([type=hidden i]),select,textarea';
/** Matches the names of parts that open, which many pages use instead of a role. */
const OPENING_NAMES =
  /accordi[ao]n|collaps|disclosure|expand|toggle|faq|question|answer|(?<![a-z])(read|show|see|view)?[-_]?more(?![a-z])/i;
/** The control is a label, not a part of the content with a button in it. */
const MAX_LABEL_CHARACTERS = 200;
/** Returns true for a text that ends in a question mark, and is more than that. Two patterns: one of both takes quadratic time. */
const isQuestionText = (text: string): boolean => /[?？]$/.test(text) && /[\p{L}\d]/u.test(text);
/** An answer is longer than this, if a name says that its control opens it. Characters. */
const MIN_ANSWER_CHARACTERS = 20;
/** Minimum number of characters outside links: shorter parts are messages of the control. */
const MIN_PROSE_CHARACTERS = 80;
/** A part with a larger share (0 to 1) of its text in links is a menu. */
const MAX_LINK_SHARE = 0.5;
/** Number of nodes that are read of a part. */
const MAX_NODES = 300;
/** Number of boxes around a part that contain nothing else. */
const MAX_WRAPPERS = 2;
const NOT_SHOWN = new Set(['script', 'style', 'template', 'noscript', 'svg']);

/** Returns true for an element that is not shown if it holds prose and stands right after a control or a label that opens it. */
function isDisclosurePanel(element: Element): boolean {
  const label = labelBefore(element);
  if (label === null || !isOpener(label, element)) return false;
  const { plain, linked } = textLengths(element);
  return (
    plain >= minCharacters(label, element) &&
    linked <= MAX_LINK_SHARE * (plain + linked) &&
    !hasFields(element)
  );
}

/** Returns the minimum length of the part that a control opens, by what says that it does. */
function minCharacters(label: Element, panel: Element): number {
  const isQuestion = isQuestionText((dom.textContent(label) ?? '').trim());
  if (!dom.matches(label, '[aria-expanded]') && dom.queryIn(label, '[aria-expanded]') === null)
    return isQuestion && isOneOfMany(label) ? MIN_ANSWER_CHARACTERS : MIN_PROSE_CHARACTERS;
  if (HEADINGS.has(dom.localName(label)) || isQuestion) return 1;
  return [label, panel].some(hasOpeningName) ? MIN_ANSWER_CHARACTERS : MIN_PROSE_CHARACTERS;
}

/** Returns true if another question of the same form stands beside a question, or beside the box that it begins: alone it can ask for a decision. */
function isOneOfMany(question: Element): boolean {
  const isTwin = (at: Element, other: Element | null): boolean => {
    const first = at === question ? other : other && dom.firstElementChild(other);
    return (
      first !== null &&
      formOf(first) === formOf(question) &&
      isQuestionText((dom.textContent(first) ?? '').trim())
    );
  };
  const box = dom.parentElement(question);
  const places = box !== null && dom.firstElementChild(box) === question ? [question, box] : [question];
  return places.some(at => {
    const parent = dom.parentElement(at);
    let left = MAX_NODES;
    for (let other = parent && dom.firstElementChild(parent); other !== null && left-- > 0; )
      if (other !== at && isTwin(at, other)) return true;
      else other = dom.nextElementSibling(other);
    return false;
  });
}

const formOf = (element: Element): string =>
  `${dom.localName(element)} ${dom.getAttribute(element, 'class')}`;

/** Returns the element before `element` or before the boxes that contain nothing but it; null if there is none. */
function labelBefore(element: Element): Element | null {
  let at: Element | null = element;
  for (let wrappers = 0; at !== null && wrappers <= MAX_WRAPPERS; wrappers++) {
    let before = dom.previousElementSibling(at);
    while (before !== null && NOT_SHOWN.has(dom.localName(before)))
      before = dom.previousElementSibling(before);
    if (before !== null) return before;
    if (dom.nextElementSibling(at) !== null) return null;
    at = dom.parentElement(at);
  }
  return null;
}

function isOpener(label: Element, panel: Element): boolean {
  const { plain, linked } = textLengths(label);
  if (plain + linked === 0 || plain + linked > MAX_LABEL_CHARACTERS) return false;
  if (dom.matches(label, POPUP) || dom.queryIn(label, POPUP) !== null || hasFields(label)) return false;
  return (
    dom.matches(label, CONTROL) || dom.queryIn(label, CONTROL) !== null || [label, panel].some(hasOpeningName)
  );
}

const hasOpeningName = (element: Element): boolean =>
  OPENING_NAMES.test(dom.getAttribute(element, 'class') ?? '');

const hasFields = (element: Element): boolean => dom.queryIn(element, FIELDS) !== null;

interface TextLengths {
  plain: number;
  linked: number;
  nodes: number;
}

/** Returns the number of characters outside and inside links, in the first nodes of an element. */
function textLengths(root: Element): TextLengths {
  const lengths: TextLengths = { plain: 0, linked: 0, nodes: 0 };
  addLengths(root, dom.localName(root) === 'a', lengths);
  return lengths;
}

function addLengths(parent: Element, isLink: boolean, lengths: TextLengths): void {
  for (
    let node = dom.firstChild(parent);
    node !== null && lengths.nodes < MAX_NODES;
    node = dom.nextSibling(node)
  ) {
    lengths.nodes++;
    if (dom.nodeType(node) === 3) {
      const { length } = (node as Text).data.trim();
      if (isLink) lengths.linked += length;
      else lengths.plain += length;
    } else if (dom.nodeType(node) === 1 && !NOT_SHOWN.has(dom.localName(node as Element)))
      addLengths(node as Element, isLink || dom.localName(node as Element) === 'a', lengths);
  }
}

const HEADINGS = new Set('h1 h2 h3 h4 h5 h6 dt summary'.split(' '));

/**
 * Returns the name in the copy of a button that is the question of an accordion: a part of its heading, or a paragraph above its answer.
 * Null for any other button.
 */
export function nameOfQuestion(button: Element): string | null {
  const parent = dom.parentElement(button);
  if (parent !== null && HEADINGS.has(dom.localName(parent))) {
    // Beside other words of the heading it is a control.
    const isAll = (dom.textContent(parent) ?? '').trim() === (dom.textContent(button) ?? '').trim();
    return isAll || dom.matches(button, '[aria-expanded]') ? 'span' : null;
  }
  if (!dom.matches(button, '[aria-expanded]') || dom.matches(button, POPUP)) return null;
  const { plain, linked } = textLengths(button);
  if (plain + linked === 0 || dom.closest(button, NEVER_OPENED) !== null) return null;
  const id = dom.getAttribute(button, 'aria-controls');
  const panel = (id === null ? null : dom.elementById(button, id)) ?? dom.nextElementSibling(button);
  if (panel === null || hasFields(panel)) return null;
  const answer = textLengths(panel);
  const enough = Math.min(MIN_ANSWER_CHARACTERS, minCharacters(button, panel));
  return answer.plain >= enough && answer.linked <= answer.plain ? 'p' : null;
}

/** Returns a function that returns the tabs that open a panel; an empty list for another element. */
export function tabsOfPanels(): (panel: Element) => readonly Element[] {
  const known = new Map<Node, Map<string, Element[]>>();
  return panel => {
    const id = dom.getAttribute(panel, 'role') === 'tabpanel' ? dom.getAttribute(panel, 'id') : null;
    if (id === null) return [];
    const root = dom.getRootNode(panel);
    let tabs = known.get(root);
    if (tabs === undefined) {
      const selector = '[role=tab][aria-controls]';
      const all =
        dom.nodeType(root) === 9
          ? dom.queryAllDocument(root as Document, selector)
          : dom.nodeType(root) === 11
            ? dom.queryAllFragment(root as DocumentFragment, selector)
            : [];
      tabs = Map.groupBy(all, tab => dom.getAttribute(tab, 'aria-controls') ?? '');
      known.set(root, tabs);
    }
    return tabs.get(id) ?? [];
  };
}

/** Returns the tab whose panel is open: the only one of a panel, or the selected one of several; null if none is selected. */
export const openTab = (tabs: readonly Element[]): Element | null =>
  (tabs.length === 1 ? tabs[0] : tabs.find(tab => dom.getAttribute(tab, 'aria-selected') === 'true')) ?? null;

/** Controls that say which element they open. */
const OPENERS = '[aria-controls]:is([role=tab],[aria-expanded=false])';
/** Maximum number of controls that are read. */
const MAX_OPENERS = 2_000;
/** Returns a function that tells whether an element that is not shown is a panel of the content that the page's controls open. */
export function collapsedPanels(page: Document): (element: Element) => boolean {
  let controlled: ReadonlySet<string> | null = null;
  return element => {
    const id = dom.getAttribute(element, 'id') ?? '';
    controlled ??= controlledIds(page);
    return (
      (dom.getAttribute(element, 'role') === 'tabpanel' ||
        isInClosedDetails(element) ||
        controlled.has(id) ||
        isDisclosurePanel(element)) &&
      dom.closest(element, NEVER_OPENED) === null
    );
  };
}

/** Returns true for a closed `details` of the content. */
export const isClosedDetails = (element: Element): boolean =>
  dom.localName(element) === 'details' &&
  !dom.hasAttribute(element, 'open') &&
  dom.closest(element, NEVER_OPENED) === null;

/** Returns true for what only a closed `details` hides: its first `summary` stays shown. */
function isInClosedDetails(element: Element): boolean {
  const parent = dom.parentElement(element);
  return (
    parent !== null &&
    dom.localName(parent) === 'details' &&
    !dom.hasAttribute(parent, 'open') &&
    !(dom.localName(element) === 'summary' && dom.firstElementChild(parent) === element) &&
    getComputedStyle(element).display !== 'none'
  );
}

function controlledIds(page: Document): Set<string> {
  const found = new Set<string>();
  let left = MAX_OPENERS;
  for (const opener of dom.queryAllDocument(page, OPENERS)) {
    if (left-- === 0) break;
    if (dom.hasAttribute(opener, 'aria-haspopup') || dom.closest(opener, NEVER_OPENED) !== null) continue;
    for (const id of (dom.getAttribute(opener, 'aria-controls') ?? '').split(/\s+/))
      if (id !== '') found.add(id);
  }
  return found;
}

/** Matches the id of the place for a streamed segment, as React writes it; the segment's id has `S` instead. */
const PLACE_ID = /^(.*)[BP]:([\da-f]+)$/;

/**
 * Returns the segment that scripts would put at the place of a `template`, while it waits hidden elsewhere; null if there is none. Once
 * the scripts have run, neither the place nor the segment is there.
 */
export function streamedSegment(template: Element): Element | null {
  const found = PLACE_ID.exec(dom.getAttribute(template, 'id') ?? '');
  if (found === null) return null;
  const segment = dom.elementById(template, `${found[1]}S:${found[2]}`);
  return segment !== null && dom.hasAttribute(segment, 'hidden') ? segment : null;
}
